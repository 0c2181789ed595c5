#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A disassembler that prints $SASS whatever it is given, if it is started as
nvdisasm is to be, with a file that holds what the test has written."""

import os
import sys

options, (path,) = sys.argv[1:-1], sys.argv[-1:]
with open(path, "rb") as file:
    cubin = file.read()
if options != ["-c", "-hex"] or cubin != b"\x7fELF, or so\n":
    sys.exit(f"started with {options}, {cubin}")
print("a warning", file=sys.stderr)
with open(os.environ["SASS"], encoding="utf-8") as file:
    sys.stdout.write(file.read())
