#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles two kernels that spill and use no shared memory, with the ptxas
that the argument names in the place of Triton's own."""

import os
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia import compiler
from triton.compiler import ASTSource

os.environ["REGDEM_PTXAS"] = compiler.get_ptxas(90).path
# For sm_90 some releases of Triton run the second.
for name in ("PTXAS", "PTXAS_BLACKWELL"):
    os.environ[f"TRITON_{name}_PATH"] = sys.argv[1]


@triton.jit
def softmax(y, x, stride, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + columns, mask=columns < N, other=-float("inf"))
    v = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * stride + columns, v / tl.sum(v, axis=0), mask=columns < N)


@triton.jit
def mix(x, y, ROUNDS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i)
    s = a
    for j in tl.static_range(ROUNDS):
        s = s * tl.load(x + i + j * 4096) + a
    t = s
    for j in tl.static_range(ROUNDS):
        t = t * tl.load(x + i + j * 4096) + s
    tl.store(y + i, t)


def build(kernel, signature, constants, **options):
    source = ASTSource(
        fn=kernel,
        signature={**signature, **dict.fromkeys(constants, "constexpr")},
        constexprs=constants,
    )
    triton.compile(
        source,
        target=GPUTarget("cuda", 90, 32),
        options={"enable_fp_fusion": True, **options},
    )


rows = {"y": "*fp32", "x": "*fp32", "stride": "i32", "N": "i32"}
build(softmax, rows, {"BLOCK": 1024}, num_warps=1, maxnreg=24)
flat = {"x": "*fp32", "y": "*fp32"}
build(mix, flat, {"ROUNDS": 40, "BLOCK": 512}, num_warps=4, maxnreg=40)
