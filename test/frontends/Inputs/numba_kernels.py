#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a kernel with Numba-CUDA for sm_90, without a GPU, to PTX.

    numba_kernels.py OUT [option of RegDem ...]

Without options by libNVVM. PYTHONPATH has examples/.
"""

import sys
from pathlib import Path

out, *flags = sys.argv[1:]
if flags:
    import numba_regdem

    numba_regdem.install(*flags)

from numba import cuda, float32, int32


def mix(x, y, n):
    i = cuda.grid(1)
    if i < n:
        kept = cuda.local.array(32, float32)
        total = float32(0)
        for k in range(32):
            kept[k] = x[i + k * n]
            total += kept[k]
        for k in range(32):
            total = total * kept[k] + x[i + (k + 32) * n]
        for k in range(32):
            total = total * kept[31 - k] + kept[k]
        y[i] = total


ptx, _ = cuda.compile(
    mix,
    (float32[::1], float32[::1], int32),
    cc=(9, 0),
    device=False,
    abi="numba",
    output="ptx",
    launch_bounds=(256, 8),
)
Path(out).write_text(ptx)
