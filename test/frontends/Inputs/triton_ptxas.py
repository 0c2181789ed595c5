#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles two kernels that spill and use no shared memory, with the ptxas
that the argument names in the place of Triton's own."""

import os
import sys

from triton.backends.nvidia import compiler

from triton_kernels import mixed_loads, row_softmax

os.environ["REGDEM_PTXAS"] = compiler.get_ptxas(90).path
# For sm_90 some releases of Triton run the second.
for name in ("PTXAS", "PTXAS_BLACKWELL"):
    os.environ[f"TRITON_{name}_PATH"] = sys.argv[1]
row_softmax(1024, num_warps=1, maxnreg=24)
mixed_loads()
