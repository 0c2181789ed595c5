#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds numbers that decide between builds outside include/regdem/Constants.def.

A number that was fitted or judged stands in that table, with its evidence.
Found are numbers with a point and named integers in the rooms that decide,
but for those of the hardware, of a format, and of published formulas.
Prints one line per fault; exit status 1 if there is any.
"""

import re
import sys
from pathlib import Path

import command

ROOMS = ("Decision/Builds", "Decision/Model", "Decision/Choice", "Builder",
         "Passes")
# Files whose numbers have a source of their own, and what that is.
SOURCED = {
    "Decision/Model/MachineTimings.h": "publications on the hardware",
    "Decision/Model/PartitionSimulator.cpp": "bounds of the simulation",
    "Decision/Model/CodeSummary.cpp": "bounds of the trace",
    "Decision/Model/TracedLoops.h": "Wu and Larus, MICRO 1994",
    "Decision/Builds/Objective.cpp": "benchmarks/calibration",
}
# Integers of a format or of the hardware, and what rounding needs.
NAMED = {"FormatVersion", "Version", "MostBlocks",
         "RecomputationsPerWord", "SmallL1Bytes", "DataField",
         "Widest", "LongestCopy", "StepsWorthAThread",
         "LowerStep", "SectorBytes", "ThreadsPerWarp"}

FLOAT = re.compile(r"(?<![\w.\"])(\d+\.\d+)\b")
INTEGER = re.compile(r"\bconstexpr\s+(?:unsigned|int\w*|size_t|double|uint\w+)"
                     r"\s+(\w+)\s*=\s*-?[\d.]+\s*[;,]")
# Halves, and words of four bytes, are no judgement.
PLAIN = {"0.0", "0.5", "1.0", "2.0", "4.0"}


def check_tree(root):
    for room in ROOMS:
        for path in sorted((root / "lib/Transforms" / room).glob("*.*")):
            name = path.relative_to(root / "lib/Transforms").as_posix()
            if path.suffix not in (".h", ".cpp") or name in SOURCED:
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                code = line.split("//")[0]
                where = f"lib/Transforms/{name}:{number}"
                for literal in FLOAT.findall(code):
                    if literal not in PLAIN:
                        yield f"{where}: {literal} belongs into Constants.def"
                for constant in INTEGER.findall(code):
                    if constant not in NAMED:
                        yield f"{where}: {constant} belongs into Constants.def"


if __name__ == "__main__":
    sys.exit(command.run(__doc__, check_tree))
