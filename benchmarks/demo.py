#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the demo kernels with nvcc, clang, and clang with RegDem.

Each kernel is held to a register cap at which stock compilers spill. The
table shows what each build costs: registers a thread, bytes of spill code
(stores + loads), shared memory and blocks per multiprocessor. With a GPU the
builds are run as well, checked against a CPU reference and timed.
"""

import argparse
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import catalog, gpu, programs, toolchain
from harness.variants import Builder
from reporting.tables import plain

HEADER = ("kernel", "cap", "build", "regs", "spill B", "shared B",
          "blocks/SM", "decision")


def label(built):
    """What the build is, in words."""
    parts = built.name.split("-")
    words = {"nvcc": "nvcc", "clang": "clang", "regdem": "clang + RegDem"}
    text = words[parts[0]]
    if len(parts) == 1:
        return text + ", free choice"
    return text + (", capped, pragma" if "pragma" in parts else ", capped")


def decision(built):
    if not built.report:
        return ""
    first = built.report[0]
    text = str(first.get("decision", ""))
    if first.get("slots"):
        text += f", {first['slots']} words"
    if first.get("rewrites"):
        text += f", {first['rewrites']}"
    if first.get("order"):
        text += f", order {first['order']}"
    return text


def table_row(bench, cap, built, measured):
    """`measured` is None without a GPU, else rows by variant name."""
    if built.error:
        figures = ["-"] * 4 + ["failed"]
    else:
        figures = [built.figures.regs, built.figures.spill,
                   built.figures.smem, built.blocks_per_sm, decision(built)]
    row = [bench.id, cap, label(built), *figures]
    if measured is not None:
        found = measured.get(built.name)
        time = found and found.get("time_ms_median")
        row += [f"{time:.4f}" if time else "-",
                "yes" if found and found["correct"] else "NO"]
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*",
                        help="benchmarks (default: the demo set)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--work", type=Path,
                        help="keep what is built in this folder")
    parser.add_argument("--quick", action="store_true",
                        help="small problems on the GPU")
    toolchain.add_arguments(parser)
    options = parser.parse_args()

    known = catalog.load()
    chosen = catalog.select(known, options.names)
    if not options.names:
        chosen = [b for b in chosen if b.demo]
    jobs = [(b, cap) for b in chosen for cap in b.caps]

    with tempfile.TemporaryDirectory(prefix="regdem-demo-") as scratch:
        work = (options.work or Path(scratch)).resolve()
        try:
            tools = toolchain.from_arguments(options)
            with ThreadPoolExecutor(options.jobs) as pool:
                built = list(pool.map(
                    lambda job: Builder(
                        tools, job[0], work / f"{job[0].id}-r{job[1]}"
                    ).at_cap(job[1]), jobs))
            with_gpu = gpu.present()
            if with_gpu:
                folder = programs.build(work / "host", tools.cuda, chosen,
                                        options.jobs)
        except toolchain.ToolError as error:
            sys.exit(f"error: {error}")

        rows, problems = [], []
        for (bench, cap), variants in zip(jobs, built):
            for variant in variants:
                if variant.error:
                    problems.append(
                        f"{bench.id}, {label(variant)}: {variant.error}")
            measured = None
            if with_gpu:
                found, error = programs.measure(programs.command(
                    folder / bench.id,
                    [(v.family, v.name, v.cubin)
                     for v in variants if v.cubin],
                    ["--quick"] if options.quick else []))
                measured = {row["variant"]: row for row in found}
                if error:
                    problems.append(f"{bench.id}: {error}")
                problems += [
                    f"{bench.id}, {name}: wrong result"
                    for name, row in measured.items() if not row["correct"]]
            rows += [table_row(bench, cap, v, measured) for v in variants]
            rows.append(None)

    header = HEADER + (("time ms", "correct") if with_gpu else ())
    print(plain(header, rows[:-1], left=(0, 2, 7)))
    print("\nspill B: bytes of spill stores + loads in the code, to local "
          "memory (ptxas -v).\nblocks/SM: as many as registers and static "
          f"shared memory allow on {tools.arch}.\n"
          "decision: demote, N words a thread in shared memory; cap, registers "
          "limited only; pragma,\nptxas spills to shared memory by itself; "
          "skip-, chain-, fold- and unroll-, rewrites; order, that of the "
          "instructions.")
    if with_gpu:
        print("time ms: median of 20 runs, builds interleaved; correct: equal "
              "to the CPU reference\nwithin its tolerance, and bit for bit "
              "to the stock build of the same compiler.")
    else:
        print("No GPU here: nothing was run.")
    if not tools.has_plugin:
        print(f"No {tools.plugin}: builds with RegDem left out.")
    for problem in problems:
        print(f"error: {problem}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
