#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What RegDem costs when kernels are compiled.

Compiles the device code of each benchmark, from source to machine code, with
stock clang and with RegDem in mode auto, by turns, and prints for each kernel
the processor time (clang and ptxas together, user and system) and
the wall-clock time of stock, the ratios of RegDem's to it, how many different
builds RegDem compared, and what it decided. Times are the least of all rounds,
because whatever else the machine does only ever adds to them. Exit status 1 if
the median or a kernel is above a limit that was stated.

A benchmark may be given with a register cap, as lu8@64: RegDem then demotes to
reach it, and stock is clang's PTX with this cap written into it.
"""

import argparse
import json
import os
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

from harness import catalog, ptx, toolchain, variants
from reporting import tables


def seconds_of(work):
    """(processor, wall-clock) seconds of all programs that work() runs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    work()
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (
        after.ru_utime
        + after.ru_stime
        - before.ru_utime
        - before.ru_stime,
        wall,
    )


def parse_cell(name):
    """("lu8", 64) for "lu8@64", ("lu8", None) for "lu8"."""
    kernel, at, cap = name.partition("@")
    if not at:
        return kernel, None
    if not cap.isdecimal():
        sys.exit(f"error: {name}: no register cap behind the @")
    return kernel, int(cap)


def cells(names):
    """Pairs of a benchmark and a cap or None; all benchmarks without one if
    there are no names."""
    return [
        (bench, cap)
        for kernel, cap in map(parse_cell, names or [""])
        for bench in catalog.select(catalog.load(), [kernel] * bool(kernel))
    ]


def compile_stock(tools, bench, cap, folder):
    """Compiles with stock clang; under a cap by way of PTX, in which it is."""
    if cap is None:
        toolchain.run(tools.clang_cubin_command(bench, os.devnull))
        return
    text = folder / "stock.ptx"
    tools.clang_ptx(bench, text)
    text.write_text(ptx.edit(text.read_text(), cap))
    tools.assemble(text, os.devnull)


def least(samples):
    """The least of each column."""
    return tuple(min(column) for column in zip(*samples))


def chosen_cycles(decided):
    """What is predicted for the build that was chosen; 0: nothing."""
    for build in decided.get("variants", []):
        if build["chosen"]:
            return build.get("cycles", 0)
    return 0


def measure(tools, bench, rounds, flags, folder, cap=None):
    """A row of the table: figures of one benchmark, under a cap or none."""
    options = {}
    if cap is not None:
        bench, options = variants.demotion(bench, cap)
    extra = [f"-fpass-plugin={tools.plugin}", *flags]
    for name, value in options.items():
        extra += ["-mllvm", f"-regdem-{name}={value}"]
    command = tools.clang_cubin_command(bench, os.devnull, extra)
    # Apart, because for a report RegDem generates some code once more.
    report = folder / "report.jsonl"
    extra += ["-mllvm", f"-regdem-report={report}"]
    toolchain.run(tools.clang_cubin_command(bench, os.devnull, extra))
    samples = {"stock": [], "regdem": []}
    for _ in range(rounds):
        samples["stock"].append(
            seconds_of(lambda: compile_stock(tools, bench, cap, folder))
        )
        samples["regdem"].append(seconds_of(lambda: toolchain.run(command)))
    decided = json.loads(report.read_text().splitlines()[-1])
    report.unlink()
    cpu, wall = least(samples["stock"])
    regdem_cpu, regdem_wall = least(samples["regdem"])
    return {
        "kernel": bench.id if cap is None else f"{bench.id}@{cap}",
        "cpu": cpu,
        "wall": wall,
        "cpu_ratio": regdem_cpu / cpu,
        "wall_ratio": regdem_wall / wall,
        "builds": max(1, len(decided.get("variants", []))),
        "cycles": chosen_cycles(decided),
        "decision": decided["decision"],
        "reason": decided["reason"],
    }


def summary(rows):
    """The line below the table."""
    parts = []
    for name in ("cpu", "wall"):
        ratios = [row[f"{name}_ratio"] for row in rows]
        parts.append(
            f"{name} {statistics.median(ratios):.2f} in the median, "
            f"{max(ratios):.2f} at most"
        )
    builds = [row["builds"] for row in rows]
    parts.append(
        f"builds {statistics.median(builds):g} in the median, "
        f"{max(builds)} at most"
    )
    return "; ".join(parts)


def exceeded(rows, median, most):
    """Whether a limit of the wall-clock ratio is exceeded; None: no limit."""
    ratios = [row["wall_ratio"] for row in rows]
    return (median is not None and statistics.median(ratios) > median) or (
        most is not None and max(ratios) > most
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    toolchain.add_arguments(parser)
    parser.add_argument("benchmarks", nargs="*", metavar="benchmark[@cap]")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--flag", action="append", default=[], help="of RegDem")
    parser.add_argument("--median", type=float, help="limit of the median")
    parser.add_argument("--most", type=float, help="limit of each kernel")
    parser.add_argument("--out", type=Path, help="a JSON file of the figures")
    options = parser.parse_args()
    tools = toolchain.from_arguments(options)
    if not tools.has_plugin:
        sys.exit(f"error: no plugin at {options.plugin}")
    flags = []
    for flag in options.flag:
        flags += ["-mllvm", f"-regdem-{flag}"]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for bench, cap in cells(options.benchmarks):
            row = measure(
                tools, bench, options.rounds, flags, Path(folder), cap
            )
            rows.append(row)
            print(f"{row['kernel']} done", file=sys.stderr)
    header = "kernel cpu wall cpu-ratio wall-ratio builds decision".split()
    print(
        tables.plain(
            header,
            [
                [
                    row["kernel"],
                    f"{row['cpu']:.2f}",
                    f"{row['wall']:.2f}",
                    f"{row['cpu_ratio']:.2f}",
                    f"{row['wall_ratio']:.2f}",
                    row["builds"],
                    row["decision"],
                ]
                for row in rows
            ],
            left=(0, 6),
        )
    )
    print(summary(rows))
    if options.out:
        options.out.write_text(json.dumps(rows, indent=1) + "\n")
    if exceeded(rows, options.median, options.most):
        sys.exit(1)


if __name__ == "__main__":
    main()
