#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""man.py OUTPUT VERSION SUMMARY PROGRAM...: writes a man page, compressed, of
what PROGRAM --help prints, by its last word's name. Same input, same bytes."""

import gzip
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

USAGE = "usage: "
MANUAL = """All options and examples are in the manual, docs/manual.md of RegDem's documents
(Debian: /usr/share/doc/regdem/docs)."""


def escape(line):
    """A line of roff that shows the text as it is."""
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line[:1] in (".", "'") else line


def sections(text):
    """(title, lines): lines that end with a colon and stand alone begin one."""
    title, lines = "DESCRIPTION", []
    for line in text.expandtabs().splitlines():
        match = re.fullmatch(r"([A-Za-z][\w -]*):", line)
        usage = re.match(r"(?i)usage: *(.*)", line)
        overview = re.match(r"OVERVIEW: *(.*)", line)
        if match or usage:
            yield title, lines
            title = match[1].upper() if match else "SYNOPSIS"
            lines = [] if match else [usage[1]]
        elif title == "SYNOPSIS" and line and line[0] != " " and lines[-1] == "":
            yield title, lines
            title, lines = "DESCRIPTION", [line]
        else:
            if title == "SYNOPSIS":  # the rest of usage, aligned with its start
                line = line.removeprefix(" " * len(USAGE))
            lines.append(overview[1] if overview else line)
    yield title, lines


def page(name, version, summary, text):
    parts = [f'.TH {name.upper()} 1 "" "RegDem {version}" "User Commands"',
             ".SH NAME", f"{escape(name)} \\- {escape(summary)}"]
    found = [(t, textwrap.dedent("\n".join(lines)).strip("\n").splitlines())
             for t, lines in [*sections(text), ("SEE ALSO", MANUAL.splitlines())]]
    for title, lines in sorted(found, key=lambda s: s[0] != "SYNOPSIS"):
        if lines:
            parts += [f".SH {title}", ".nf", *map(escape, lines), ".fi"]
    return "\n".join(parts) + "\n"


def main():
    output, version, summary, *command = sys.argv[1:]
    environment = dict(os.environ, COLUMNS="78", ASAN_OPTIONS="detect_leaks=0")
    text = subprocess.run([*command, "--help"], check=True, capture_output=True,
                          text=True, env=environment).stdout
    name = Path(command[-1]).name
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    with open(output, "wb") as file:
        data = page(name, version, summary, text).encode()
        file.write(gzip.compress(data, 9, mtime=0))


if __name__ == "__main__":
    main()
