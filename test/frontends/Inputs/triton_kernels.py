#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a matrix product and a layer norm with Triton, without a GPU.

    triton_kernels.py off|auto|on|stock [option of RegDem ...]

Prints for each kernel registers, bytes of local memory and of shared memory a
block as the cubin says (--dump-resource-usage of Triton's cuobjdump), what a
launch adds of it, and whether RegDem's slots are in the PTX. `stock` is Triton
without RegDem; the other words are Settings.frames.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import triton
import triton.language as tl
from triton import knobs
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia import compiler
from triton.compiler import ASTSource


@triton.jit
def matmul(a, b, c, M, N, K, sam, sbk, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    across = tl.cdiv(N, BN)
    rm = (pid // across) * BM + tl.arange(0, BM)
    rn = (pid % across) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * sam + (k + rk)[None, :], mask=(k + rk)[None, :] < K, other=0.0)
        y = tl.load(b + (k + rk)[:, None] * sbk + rn[None, :], mask=(k + rk)[:, None] < K, other=0.0)
        acc = tl.dot(x, y, acc, input_precision="ieee")
    tl.store(c + rm[:, None] * scm + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def layer_norm(x, y, w, b, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    inside = columns < N
    v = tl.load(x + row * stride + columns, mask=inside, other=0.0)
    mean = tl.sum(v, axis=0) / N
    d = tl.where(inside, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(d * d, axis=0) / N + eps)
    o = d * scale * tl.load(w + columns, mask=inside) + tl.load(b + columns, mask=inside)
    tl.store(y + row * stride + columns, o, mask=inside)


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
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options)


def kernels():
    pointer, word = "*fp32", "i32"
    yield build(
        matmul,
        {**dict.fromkeys("abc", pointer), **dict.fromkeys(("M", "N", "K", "sam", "sbk", "scm"), word)},
        {"BM": 64, "BN": 64, "BK": 16},
        maxnreg=80,
        enable_fp_fusion=True,
    )
    yield build(
        layer_norm,
        {**dict.fromkeys("xywb", pointer), "stride": word, "N": word, "eps": "fp32"},
        {"BLOCK": 2048},
        maxnreg=32,
        enable_fp_fusion=True,
    )


def row_softmax(block, **options):
    """A softmax of rows; has no shared memory with one warp."""
    words = {"y": "*fp32", "x": "*fp32", "stride": "i32", "N": "i32"}
    return build(softmax, words, {"BLOCK": block}, enable_fp_fusion=True, **options)


def mixed_loads():
    words = {"x": "*fp32", "y": "*fp32"}
    return build(mix, words, {"ROUNDS": 40, "BLOCK": 512}, num_warps=4, maxnreg=40, enable_fp_fusion=True)


def assemble_with(regdem_ptxas):
    """Has Triton run regdem-ptxas, which runs the ptxas that Triton brings."""
    os.environ["REGDEM_PTXAS"] = compiler.get_ptxas(90).path
    # For sm_90 some releases of Triton run the second.
    for name in ("PTXAS", "PTXAS_BLACKWELL"):
        os.environ[f"TRITON_{name}_PATH"] = str(regdem_ptxas)


def resources(cubin):
    """Registers, local and shared bytes of a program with one kernel."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        Path(file.name).write_bytes(cubin)
        text = subprocess.check_output(
            [knobs.nvidia.cuobjdump.path, "--dump-resource-usage", file.name], text=True
        )
    return [int(re.search(rf"{name}:(\d+)", text)[1]) for name in ("REG", "STACK", "SHARED")]


def main():
    frames, *flags = sys.argv[1:]
    if frames != "stock":
        import regdem_triton

        regdem_triton.install(frames=frames, flags=flags)
    for kernel in kernels():
        registers, local, shared = resources(kernel.asm["cubin"])
        slots = "slots" if "__regdem_slots" in kernel.asm["ptx"] else "no slots"
        print(f"{kernel.metadata.name}: {registers} registers, {local} local, "
              f"{shared} shared, {kernel.metadata.shared} dynamic, {slots}")


if __name__ == "__main__":
    main()
