#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles two kernels that spill and use no shared memory, with the ptxas
that the argument names in the place of Triton's own."""

import sys

from triton_kernels import assemble_with, mixed_loads, row_softmax

assemble_with(sys.argv[1])
row_softmax(1024, num_warps=1, maxnreg=24)
mixed_loads()
