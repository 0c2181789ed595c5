#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `auto` costs when kernels are compiled.

Compiles the device code of each benchmark, from source to machine code, with
stock clang and with RegDem in mode auto, by turns, and prints for each kernel
the processor time (clang, ptxas and nvdisasm together, user and system) and
the wall-clock time of stock, the ratios of RegDem's to it, how many different
builds RegDem compared, and what it decided. Times are the least of all rounds,
because whatever else the machine does only ever adds to them. Exit status 1 if
the median or a kernel is above a limit that was stated.
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

from harness import catalog, tables, toolchain


def seconds_of(command):
    """(processor, wall-clock) seconds of a command with all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    toolchain.run(command)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (
        after.ru_utime
        + after.ru_stime
        - before.ru_utime
        - before.ru_stime,
        wall,
    )


def least(samples):
    """The least of each column."""
    return tuple(min(column) for column in zip(*samples))


def measure(tools, bench, rounds, flags, report):
    """A row of the table: figures of one benchmark."""
    stock = tools.clang_cubin_command(bench, os.devnull)
    plugin = [f"-fpass-plugin={tools.plugin}", *flags]
    auto = tools.clang_cubin_command(bench, os.devnull, plugin)
    samples = {"stock": [], "auto": []}
    for _ in range(rounds):
        samples["stock"].append(seconds_of(stock))
        samples["auto"].append(seconds_of(auto))
    told = tools.clang_cubin_command(
        bench,
        os.devnull,
        [*plugin, "-mllvm", f"-regdem-report={report}"],
    )
    toolchain.run(told)
    decided = json.loads(report.read_text().splitlines()[-1])
    report.unlink()
    cpu, wall = least(samples["stock"])
    auto_cpu, auto_wall = least(samples["auto"])
    return {
        "kernel": bench.id,
        "cpu": cpu,
        "wall": wall,
        "cpu_ratio": auto_cpu / cpu,
        "wall_ratio": auto_wall / wall,
        "builds": max(1, len(decided.get("variants", []))),
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
    parts.append(f"builds {max(builds)} at most")
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
    parser.add_argument("benchmarks", nargs="*", metavar="benchmark")
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
        report = Path(folder) / "report.jsonl"
        for bench in catalog.select(catalog.load(), options.benchmarks):
            rows.append(measure(tools, bench, options.rounds, flags, report))
            print(f"{bench.id} done", file=sys.stderr)
    header = "kernel cpu wall cpu-ratio wall-ratio builds decision".split()
    print(
        tables.render(
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
