#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipe for Numba-CUDA on recorded IR, without Numba: numba_recorded.py
IR OUT.ptx [option of RegDem ...]. PYTHONPATH has examples/."""

import sys
from pathlib import Path

import numba_regdem

source, out, *flags = sys.argv[1:]
module = Path(source).read_text()
given = {"fastmath": False, "opt": 3, "arch": "compute_90"}
exact = numba_regdem.compile_ir(flags, [module], given)
fast = numba_regdem.compile_ir([], [module], {**given, "fastmath": True})
Path(out).write_bytes(exact)
Path(f"{out}.fast").write_bytes(fast)
for options in ({"gen-lto": None}, {"g": None}):
    try:
        numba_regdem.compile_ir(flags, [module], {**given, **options})
    except RuntimeError as error:
        print(error)
