#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the real kernels into one folder that run.py can run.

The caps of a kernel are its next two occupancy steps below clang's free
choice, and 40 and 64 registers, as far as stock clang spills under them. Each
is built by nvcc and clang, both also with ptxas's spilling to shared memory,
and by RegDem: regdem-rN moves frames, regdem-rN-unmoved does not. A kernel
without such a cap is left out. What was built before is kept: a kernel is
built anew if its folder under OUT/cubins is removed.
"""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import catalog
from build_variants import describe, git_revision
from harness import folder as gpu_folder
from harness import toolchain
from harness.variants import Builder, Built
from regdem_common.occupancy import register_steps

BENCHMARKS = catalog.HERE.parent
COMMON = ("Main", "Options", "Problem", "Runner", "CudaDevice", "CudaDriver")
STATED = (40, 64)  # caps beside the occupancy steps


class Programs:
    """Host programs: the harness's, and the library on the CPU."""

    def __init__(self, tools, out):
        self.tools = tools
        self.out = out
        self.objects = out.parent / (out.name + "-host")
        self.objects.mkdir(parents=True, exist_ok=True)
        (out / "programs").mkdir(exist_ok=True)

    def _compile(self, source, output, flags):
        toolchain.run([self.tools.clang, "-c", "-w", f"-I{BENCHMARKS}",
                       *flags, str(source), "-o", str(output)])

    def common(self):
        for name in COMMON:
            output = self.objects / f"{name}.o"
            if not output.exists():
                self._compile(
                    BENCHMARKS / "common" / f"{name}.cpp", output,
                    ["-O2", "-std=c++17", "-isystem",
                     str(self.tools.cuda / "include")])

    def build(self, bench):
        output = self.objects / f"{bench.id}.o"
        program = self.out / "programs" / bench.id
        source = bench.folder / "kernel.cu"
        self._compile(
            catalog.HERE / "host.cpp", output,
            ["-O1", "-ffunction-sections", "-fdata-sections",
             f"-std={bench.standard}", f'-DREAL_SOURCE="{source}"']
            + [f"-D{d}" for d in bench.defines]
            + bench.flags(self.tools.libraries))
        identity = self.objects / f"{bench.id}.id.o"
        self._compile(BENCHMARKS / "common" / "Id.cpp", identity,
                      [f'-DBENCH_ID="{bench.id}"'])
        toolchain.run(
            [self.tools.clang, str(output), str(identity)]
            + [str(self.objects / f"{name}.o") for name in COMMON]
            + ["-o", str(program), "-static-libstdc++", "-static-libgcc",
               "-s", "-pthread", "-ldl", "-Wl,--gc-sections"])


class RealBuilder(Builder):
    def cells(self):
        """(caps under which clang spills, builds of nvcc and clang)."""
        free = self.stock_variant("clang")
        result = [free]
        if free.error:
            return [], result
        steps = register_steps(self.tools.arch, self.bench.block,
                               free.figures.regs)[:2]
        caps = {cap - cap % 8 for cap in steps} | set(STATED)
        spilling = []
        for cap in sorted(caps, reverse=True):
            if cap >= free.figures.regs:
                continue
            capped = self.stock_variant("clang", cap)
            if capped.error or capped.figures.spill:
                result.append(capped)
                spilling.append(cap)
        return spilling, result

    def rivals(self, caps):
        result = [self.stock_variant("clang", cap, pragma=True)
                  for cap in caps]
        result.insert(0, self.stock_variant("nvcc"))
        if result[0].error:
            return result[1:]
        for cap in caps:
            result.append(self.stock_variant("nvcc", cap))
            result.append(self.stock_variant("nvcc", cap, pragma=True))
        return result

    def regdem(self, caps):
        result = [self.regdem_variant("regdem-auto", {"mode": "auto"})]
        for cap in caps:
            result.append(self.demoting(cap))
            result.append(self.unmoved(cap))
        return result

    def unmoved(self, cap):
        """Demotion to reach a cap, frames left in local memory."""
        name = f"regdem-r{cap}-unmoved"
        try:
            path = self.folder / f"{name}.ptx"
            report = self.tools.regdem_ptx(
                self.bench, path,
                {"mode": "demote", "max-regs": cap, "finish": "off"})
            return replace(self._assemble(name, "clang", path), report=report)
        except toolchain.ToolError as error:
            return Built(name, "clang", error=str(error))


def build(tools, programs, out, bench):
    """Builds a kernel and keeps its entry of the manifest, if it has a cell."""
    folder = out / "cubins" / bench.id
    entry_file = folder / "entry.json"
    if entry_file.exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    builder = RealBuilder(tools, bench, folder)
    caps, built = builder.cells()
    if not caps:
        print(f"{bench.id}: left out, "
              + (built[0].error[:300] or "no spills under any cap"), flush=True)
        return
    built += builder.rivals(caps) + builder.regdem(caps)
    programs.build(bench)
    # The first build of a family is what its others are compared with.
    entry = describe(bench, built, out)
    entry.update(library=bench.library, licence=bench.licence,
                 domain=bench.domain, caps=caps)
    for text in [*folder.glob("*.ptx*"), *folder.glob("*.bc")]:
        text.unlink()
    for variant in entry["variants"]:
        if "error" in variant:
            print(f"{bench.id} {variant['name']}: {variant['error'][:300]}")
    entry_file.write_text(json.dumps(entry, indent=1) + "\n")
    print(f"{bench.id}: {len(built)} builds, caps {caps}", flush=True)


def entry_of(out, bench):
    """What the manifest says of a kernel that was built, with the reasons for
    which frames stay; None of one that was not."""
    folder = out / "cubins" / bench.id
    if not (folder / "entry.json").exists():
        return None
    entry = json.loads((folder / "entry.json").read_text())
    for variant in entry["variants"]:
        report = folder / f"{variant['name']}.cubin.report.jsonl"
        if report.exists():
            frames = [json.loads(line) for line in
                      report.read_text().splitlines()]
            reasons = [f["reason"] for f in frames if not f["moved"]]
            if any(f["moved_bytes"] < f["frame_bytes"] for f in frames
                   if f["moved"]):
                reasons.append("the whole is not expected to be faster than "
                               "a part")
            variant.update({"frame_stays": reasons[0]} if reasons else {})
    return entry


def write(tools, out, entries, scripts=()):
    """What run.py needs beside the builds of those entries that are there."""
    manifest = gpu_folder.manifest_of(tools, git_revision(),
                                      [entry for entry in entries if entry])
    gpu_folder.write(out, manifest, BENCHMARKS,
                     [BENCHMARKS / "run.py", *scripts])
    print(f"{out}: {len(manifest['kernels'])} kernels")


def main():
    options = catalog.arguments(__doc__)
    out = options.out
    try:
        tools = catalog.RealToolchain.from_arguments(options)
        programs = Programs(tools, out)
        programs.common()
        catalog.attempt_each(
            catalog.load(options.names), options.jobs,
            lambda bench: build(tools, programs, out, bench))
    except (toolchain.ToolError, OSError) as error:
        sys.exit(f"error: {error}")
    write(tools, out, [entry_of(out, bench) for bench in catalog.load()],
          [catalog.HERE / "report.py"])


if __name__ == "__main__":
    main()
