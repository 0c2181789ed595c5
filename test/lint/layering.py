#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the structure of RegDem's sources.

A room (a folder of lib/Transforms) includes earlier rooms only, and
include/regdem mirrors them; options, opcode names and users' text
have one place each; no file grows past what can be read at one sitting.
Prints one line per fault; exit status 1 if there is any.
"""

import re
import sys
from pathlib import Path

import command

# Folders of lib/Transforms and include/regdem in the order of the data flow;
# each may include itself and what is before it.
ROOMS = ["Target", "MachineCode", "Toolchain", "Analysis",
         "Decision/Builds", "Decision/Plan", "Decision/Model",
         "Decision/Choice", "Transform", "Attributes", "Emission", "Finish",
         "Passes", "Builder", "Host", "Source"]
# Headers outside the rooms that every room may include.
COMMON = {"regdem/Constants.h", "regdem/Constants.def", "regdem/Options.h"}
MAX_LINES = 500

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
# What may be written in certain files only: pattern, files, why.
PLACES = [
    (re.compile(r"\bcl::(opt|list|bits|alias)\b"),
     ("lib/Transforms/Options.cpp", "tools/"),
     "command-line option outside Options.cpp"),
    (re.compile(r'\bgetRegClassName\b|"(LD|ST|MOV|ADD|MUL|MAD|SHL|INT|CVT|cvta)'
                r'_?\w*_\w+"|"(ADD|MUL|MAD|SHL)\w*(rr|ri|rrr)"'),
     ("lib/Transforms/Target/", "test/"),
     "opcode or class name outside Target"),
    (re.compile(r"\bOptimizationRemark|\bMachineOptimizationRemark"
                r"(Missed|Analysis)?\("),
     ("lib/Transforms/Emission/", "test/"),
     "remark outside Emission"),
]


def room_of(path):
    """The room whose folder holds `path`, or None."""
    folder = f"/{path.parent.as_posix()}/"
    return next((room for room in ROOMS if f"/{room}/" in folder), None)


def check_include(path, header):
    """A fault in `path`'s including `header`, or None."""
    # Tests build what they test from whatever there is.
    room = None if path.parts[0] == "test" else room_of(path)
    if room is None or header in COMMON or header.startswith("llvm/"):
        return None
    target = Path(header)
    included = room_of(target)
    if included is None:
        if target.parts[0] == "regdem":
            return f"{room} includes {header}, which is in no room"
        return None
    if ROOMS.index(included) > ROOMS.index(room):
        return f"{room} includes {header} of a later room"
    if target.parts[0] != "regdem" and included != room:
        return f"{room} includes {header}, a private header of {included}"
    return None


def check_mirror(root):
    """Faults in that include/regdem mirrors the rooms of lib/Transforms."""
    for path in sorted((root / "include/regdem").rglob("*.h")):
        source = path.relative_to(root / "include/regdem").with_suffix(".cpp")
        elsewhere = [p.relative_to(root / "lib/Transforms")
                     for p in (root / "lib/Transforms").rglob(source.name)]
        if elsewhere and source not in elsewhere:
            yield (f"{path.relative_to(root)}: its source is in "
                   f"{elsewhere[0].parent}")


def check_file(root, path):
    relative = path.relative_to(root)
    lines = path.read_text(encoding="utf-8").splitlines()
    if len(lines) > MAX_LINES:
        yield f"{relative}: {len(lines)} lines, more than {MAX_LINES}"
    for number, line in enumerate(lines, 1):
        if include := INCLUDE.match(line):
            if fault := check_include(relative, include.group(1)):
                yield f"{relative}:{number}: {fault}"
        for pattern, places, fault in PLACES:
            if pattern.search(line) and not str(relative).startswith(places):
                yield f"{relative}:{number}: {fault}"


def check_place(root, path):
    """A fault if the unit test or helper `path` is not where what it tests is.

    Helpers of several folders are in Support.
    """
    folder = path.relative_to(root / "test/unit").parent
    if str(folder) == "Support":
        return None
    if folder.parts and (root / "lib/Transforms" / folder).is_dir():
        return None
    return f"{path.relative_to(root)}: no folder of lib/Transforms is tested here"


def check_tree(root):
    yield from check_mirror(root)
    for path in sorted((root / "test/unit").rglob("*")):
        if path.suffix in (".h", ".cpp"):
            if fault := check_place(root, path):
                yield fault
    for folder in ("include", "lib", "tools", "test/unit"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield from check_file(root, path)


if __name__ == "__main__":
    sys.exit(command.run(__doc__, check_tree))
