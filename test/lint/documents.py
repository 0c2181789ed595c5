#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that what the project's texts point at is there: files and headings
that links name, and source files that stand in backquotes, whole or by the
end of their path (`Model/CostModel.cpp`). Prints one line per fault; exit
status 1 if there is any."""

import os
import re
import sys
from pathlib import Path

import command

LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
QUOTED = re.compile(r"`([\w./-]+\.(?:cpp|cu|csv|h|md|py|sh))`")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
# Named in texts, but users' files, or gone.
NOT_OURS = {"analysis.md", "app.cu", "kernel.cu"}
FAULTY = "test/lint/Inputs/"  # the faults that the check has to find


def sources(project):
    """Paths of the project's files, without what is built or fetched."""
    for folder, folders, files in os.walk(project):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build")))
        for file in sorted(files):
            yield (Path(folder) / file).relative_to(project).as_posix()


def anchors(text):
    """The names that headings get: lower case, no punctuation, dashes."""
    headings = HEADING.findall(CODE.sub("", text))
    return {re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-") for h in headings}


def link_fault(link, document, text):
    """What is wrong with a link in a document, or None."""
    path, _, anchor = link.partition("#")
    if re.match(r"\w+:", link):
        return None
    target = document.parent / path if path else document
    if not target.exists():
        return "no such file"
    if anchor and anchor not in anchors(target.read_text() if path else text):
        return "no such heading"
    return None


def faults(project):
    files = list(sources(project))
    for name in files:
        if not name.endswith(".md") or name.startswith(FAULTY):
            continue
        document = project / name
        text = document.read_text()
        for link in LINK.findall(CODE.sub("", text)):
            if fault := link_fault(link, document, text):
                yield f"{name}: {link}: {fault}"
        for quoted in QUOTED.findall(text):
            if quoted not in NOT_OURS and not any(
                f"/{file}".endswith(f"/{quoted}") for file in files
            ):
                yield f"{name}: {quoted}: no such file"


if __name__ == "__main__":
    sys.exit(command.run(__doc__, faults))
