#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles kernels of Triton, Numba-CUDA and OpenMP with and without RegDem.

Needs no GPU, but a Python that has Triton and numba-cuda, and build/. Writes
KERNEL.WAY.cubin, and KERNEL.WAY.json with what a launch needs, for run.py of
this folder, which needs a GPU and CuPy alone.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INPUTS = ROOT / "test" / "frontends" / "Inputs"
CUDA = os.environ.get("CUDA_PATH", "/usr/local/cuda")

# By way: Settings.frames of regdem_triton and options of RegDem. "ptxas" has
# regdem-ptxas in the place of Triton's ptxas instead.
TRITON = {
    "stock": ("stock",),
    "ptxas": ("stock",),
    "regdem": ("auto",),
    "slots": ("off",),
    "frames": ("on", "-regdem-mode=off"),
}
NUMBA = {
    "libnvvm": (),
    "stock": ("-regdem-mode=off",),
    "regdem": ("-regdem-mode=auto",),
    "slots": ("-regdem-build=demote=belady:28",),
}
OPENMP = {"stock": [], "slots": ["mode=demote", "max-regs=24", "block-size=128"]}


def write(out, kernel, way, cubin, **launch):
    (out / f"{kernel}.{way}.cubin").write_bytes(cubin)
    (out / f"{kernel}.{way}.json").write_text(json.dumps(launch))


def build_triton(out, way):
    """In a process of its own: RegDem stays in Triton once it is there."""
    frames, *flags = TRITON[way]
    if frames != "stock":
        import regdem_triton

        regdem_triton.install(frames=frames, flags=flags)
    import triton_kernels

    if way == "ptxas":
        triton_kernels.assemble_with(ROOT / "build" / "bin" / "regdem-ptxas")
        os.environ["TRITON_ALWAYS_COMPILE"] = "1"  # Its cache does not ask whose cubin it has.
    matmul, layer_norm = triton_kernels.kernels()
    for name, kernel in (
        ("matmul", matmul),
        ("layer_norm", layer_norm),
        ("softmax_warp", triton_kernels.row_softmax(1024, num_warps=1, maxnreg=24)),
        ("softmax", triton_kernels.row_softmax(4096, num_warps=4, maxnreg=40)),
        ("mix", triton_kernels.mixed_loads()),
    ):
        write(out, name, way, kernel.asm["cubin"], name=kernel.metadata.name,
              threads=32 * kernel.metadata.num_warps, shared=kernel.metadata.shared,
              parameters=kernel.asm["ptx"].split(")")[0].count(".param"))


def assembled(out, kernel, way, ptx, **launch):
    cubin = out / "kernel.cubin"
    subprocess.run([f"{CUDA}/bin/ptxas", "-arch=sm_90", ptx, "-o", cubin], check=True)
    entry = ptx.read_text().split(".entry ")[1].split("(")[0].strip()
    write(out, kernel, way, cubin.read_bytes(), name=entry, shared=0, parameters=0, **launch)
    cubin.unlink()
    ptx.unlink()


def build_numba(out, way):
    ptx = out / "kernel.ptx"
    subprocess.run([sys.executable, INPUTS / "numba_kernels.py", ptx, *NUMBA[way]], check=True)
    assembled(out, "numba_mix", way, ptx, threads=256)


def build_openmp(out, way):
    text = (ROOT / "test" / "frontends" / "openmp.test").read_text()
    source, ptx = out / "bare.c", out / "kernel.ptx"
    source.write_text(text.split("#--- bare.c\n")[1])
    options = [f"-fpass-plugin={ROOT}/build/lib/RegDem.so"] if OPENMP[way] else []
    for option in OPENMP[way]:
        options += ["-mllvm", f"-regdem-{option}"]
    subprocess.run(
        ["clang-22", "-O2", "-fopenmp", "-fopenmp-targets=nvptx64-nvidia-cuda",
         "--offload-arch=sm_90", "-nogpulib", f"--cuda-path={CUDA}",
         "-Wno-unknown-cuda-version", "--offload-device-only", "-S", source, "-o", ptx,
         *options], check=True)
    source.unlink()
    assembled(out, "openmp_mix", way, ptx, threads=128)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--triton-way", choices=TRITON, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.triton_way:
        sys.path.append(str(INPUTS))
        build_triton(options.out, options.triton_way)
        return
    path = [ROOT / "tools" / "regdem-triton", ROOT / "examples"]
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, path))
    os.environ["REGDEM_LLC"] = str(ROOT / "build" / "bin" / "regdem-llc")
    for way in TRITON:
        subprocess.run([sys.executable, __file__, "--out", options.out, "--triton-way", way],
                       check=True)
    for way in NUMBA:
        build_numba(options.out, way)
    for way in OPENMP:
        build_openmp(options.out, way)


if __name__ == "__main__":
    main()
