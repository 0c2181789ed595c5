#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""was-kept.py FOLDER FILE: whether a program that keeps-programs.py has kept in
FOLDER is FILE, but for comments, which name blocks as the compiler likes."""

import sys
from pathlib import Path


def lines(path):
    text = [line.split("//")[0].rstrip() for line in
            path.read_text(encoding="utf-8").splitlines()]
    return [line for line in text if line]


folder, file = map(Path, sys.argv[1:])
kept = sorted(folder.iterdir())
if len(kept) < 2:
    sys.exit(f"{len(kept)} program(s) kept")
if lines(file) not in [lines(program) for program in kept]:
    sys.exit(f"{file} is none of {len(kept)} programs kept")
