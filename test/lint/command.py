# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of checks of the source text."""

import argparse
from pathlib import Path


def run(description, check):
    """Prints the faults that check(folder) yields; the exit code. With
    --expect they must be the lines of a file, for checking the check."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("root", type=Path, help="the project's folder")
    parser.add_argument("--expect", type=Path, metavar="FILE",
                        help="succeed if the faults are the lines of FILE")
    options = parser.parse_args()
    faults = list(check(options.root))
    if options.expect:
        expected = options.expect.read_text(encoding="utf-8").splitlines()
        for fault in sorted(set(faults) ^ set(expected)):
            known = "not found" if fault in expected else "not expected"
            print(f"{known}: {fault}")
        return 1 if faults != expected else 0
    print("\n".join(faults) if faults else "no fault")
    return 1 if faults else 0
