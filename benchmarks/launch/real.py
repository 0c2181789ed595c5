#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a program that launches the kernels of benchmarks/real in all ways.

The program is that of Check.cpp, with kernels that call public libraries
instead of those of Kernels.cu. Only those for which RegDem makes builds are in
it. Needs what benchmarks/real/fetch.py gets.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "real"))

import catalog  # noqa: E402
from harness.toolchain import run  # noqa: E402

WAYS = ("Stock", "Choosing", "Build1", "Build2", "Build3")


class Program:
    def __init__(self, tools, out):
        self.tools = tools
        self.out = out

    def compile(self, bench, way, extra=()):
        """The kernel's object, launched by launch_KERNEL_WAY."""
        path = self.out / f"{bench.id}.{way}.o"
        run([self.tools.clang, "-x", "cuda", "-c", "-w", "-O3",
             f"-std={bench.standard}", f"--cuda-path={self.tools.cuda}",
             f"--cuda-gpu-arch={self.tools.arch}", "-fno-exceptions",
             "-ffunction-sections", "-fdata-sections",
             f"-I{HERE}", f"-I{HERE.parent}",
             f'-DREAL_SOURCE="{bench.folder / "kernel.cu"}"',
             f"-DREAL_LAUNCH=work_{bench.id}",
             f"-DREAL_LAUNCHER=launch_{bench.id}_{way}",
             *(f"-D{d}" for d in bench.defines),
             *bench.flags(self.tools.libraries), *extra,
             str(HERE / "Real.cu"), "-o", str(path)])
        return path

    def objects(self, bench):
        """Of all ways; none of a kernel that gets no builds."""
        report = self.out / f"{bench.id}.jsonl"
        report.unlink(missing_ok=True)
        choosing = self.compile(
            bench, "Choosing",
            [f"-fpass-plugin={self.tools.plugin}",
             "-mllvm", f"-regdem-report={report}",
             # Each is alone in its file, and all its builds are to be there.
             "-mllvm", "-regdem-launch-code=1000"])
        told = [json.loads(line) for line in report.read_text().splitlines()]
        if not any(entry.get("launches") for entry in told):
            return []
        stock = self.compile(bench, "Stock")
        result = []
        for way in WAYS: # A library's host code stays an object's own.
            copy = self.out / f"{bench.id}.{way}.local.o"
            was = "Stock" if way == "Stock" else "Choosing"
            name = f"launch_{bench.id}_{way}"
            run(["objcopy", f"--redefine-sym=launch_{bench.id}_{was}={name}",
                 str(stock if way == "Stock" else choosing), str(copy)])
            run(["objcopy", f"--keep-global-symbol={name}", str(copy)])
            result.append(copy)
        return result

    def table(self, names):
        """Source of the tables that Check.h names."""
        text = ['#include "Check.h"', f"extern const unsigned NumKernels = {len(names)};"]
        for way in WAYS:
            text += [f'extern "C" cudaError_t launch_{n}_{way}(unsigned, unsigned, const '
                     'unsigned *, unsigned *, cudaStream_t);' for n in names]
            text += [f"const NamedLauncher {way}Kernels[] = {{"]
            text += [f'  {{"{n}", launch_{n}_{way}}},' for n in names] + ["};"]
        path = self.out / "Table.cpp"
        path.write_text("\n".join(text) + "\n")
        return path

    def link(self, objects, names):
        cuda = self.tools.cuda
        run([self.tools.clang, "-O2", "-std=c++17", f"-I{HERE}",
             f"-I{cuda}/include", str(HERE / "Check.cpp"),
             str(self.table(names)), *map(str, objects), "-o",
             str(self.out / "check"), "-Wl,--wrap=cudaLaunchKernel",
             "-Wl,--gc-sections",
             "-static-libstdc++", "-static-libgcc", f"-L{cuda}/lib64",
             "-lcudart_static", "-ldl", "-lrt", "-lpthread"])


def main():
    options = catalog.arguments(__doc__)
    out = options.out
    tools = catalog.RealToolchain.from_arguments(options)
    program = Program(tools, out)
    benches = [b for b in catalog.load(options.names) if b.folder.name != "cub"]

    def build(bench):
        made = program.objects(bench)
        print(f"{bench.id}: {'in' if made else 'no builds'}", flush=True)
        return made

    made = {bench.id: objects for bench, objects in zip(
        benches, catalog.attempt_each(benches, options.jobs, build)) if objects}
    program.link([path for objects in made.values() for path in objects],
                 list(made))
    print(f"{out / 'check'}: {len(made)} kernels")


if __name__ == "__main__":
    main()
