#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decision cache: same PTX, and what a warm build costs.

Compiles the device code of each benchmark to PTX without the cache, with an
empty one and with one that knows the kernel, and prints whether all three are
the same, byte for byte, and the processor time of stock clang and of the warm
build (the least of all rounds). With --instructions, callgrind counts the
instructions of both, all processes included; the sums are those of all kernels
and of the ones that registers do not limit. Exit status 1 if PTX differs or a
second build is not served by the cache.
"""

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path

from compile_cost import cells, least, seconds_of
from harness import toolchain, variants
from reporting import tables


def instructions(command, folder, valgrind="valgrind"):
    """Instructions of `command` and of all that it starts."""
    prefix = f"{folder}/callgrind."
    toolchain.run(
        [valgrind, "--tool=callgrind", "--trace-children=yes", "-q"]
        + [f"--callgrind-out-file={prefix}%p", *command]
    )
    total = 0
    for counts in Path(folder).glob("callgrind.*"):
        found = re.findall(r"^(?:summary|totals): (\d+)", counts.read_text(), re.M)
        total += int(found[-1]) if found else 0
        counts.unlink()
    return total


def compile_each_way(tools, bench, flags, folder):
    """PTX without, with an empty and with a warm cache, and what RegDem reports
    of the last."""
    texts = []
    report = folder / "report.jsonl"
    cache = folder / "cache"
    for place in ("off", cache, cache):
        out = folder / "kernel.ptx"
        extra = flags + ["-mllvm", f"-regdem-cache={place}"]
        extra += ["-mllvm", f"-regdem-report={report}"]
        tools.clang_ptx(bench, out, extra)
        texts.append(out.read_text())
    return texts, json.loads(report.read_text().splitlines()[-1])


def measure(tools, bench, cap, options, folder):
    """A row of the table."""
    stated = {}
    if cap is not None:
        bench, stated = variants.demotion(bench, cap)
    flags = [f"-fpass-plugin={tools.plugin}"]
    for name, value in stated.items():
        flags += ["-mllvm", f"-regdem-{name}={value}"]
    texts, said = compile_each_way(tools, bench, flags, folder)
    out = folder / "kernel.ptx"
    stock = tools.clang_cubin_command(bench, out, ["-S"])
    warm = stock + flags + ["-mllvm", f"-regdem-cache={folder}/cache"]
    toolchain.run(warm)  # Without a report the decision is another's.
    samples = {"stock": [], "warm": []}
    for _ in range(options.rounds):
        samples["stock"].append(seconds_of(lambda: toolchain.run(stock)))
        samples["warm"].append(seconds_of(lambda: toolchain.run(warm)))
    row = {
        "kernel": bench.id if cap is None else f"{bench.id}@{cap}",
        "same": len(set(texts)) == 1,
        "served": bool(said.get("cached")),
        "limited": said.get("limiter_before") == "registers",
        "cpu": least(samples["stock"])[0],
        "cpu_ratio": least(samples["warm"])[0] / least(samples["stock"])[0],
    }
    if options.instructions:
        row["instructions"] = instructions(stock, folder)
        row["warm_instructions"] = instructions(warm, folder)
    return row


def cells_of(row):
    text = [row["kernel"], "same" if row["same"] else "DIFFERENT"]
    text.append("served" if row["served"] else "NOT SERVED")
    text += [f"{row['cpu']:.2f}", f"{row['cpu_ratio']:.3f}"]
    if "instructions" in row:
        ratio = row["warm_instructions"] / row["instructions"]
        text.append(f"{ratio:.3f}")
    return text


def instructions_over_stock(rows):
    """Instructions of warm builds over stock's."""
    warm = sum(row["warm_instructions"] for row in rows)
    return warm / sum(row["instructions"] for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    toolchain.add_arguments(parser)
    parser.add_argument("benchmarks", nargs="*", metavar="benchmark[@cap]")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--instructions", action="store_true")
    options = parser.parse_args()
    tools = toolchain.from_arguments(options)
    if not tools.has_plugin:
        sys.exit(f"error: no plugin at {options.plugin}")
    rows = []
    for bench, cap in cells(options.benchmarks):
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measure(tools, bench, cap, options, Path(folder)))
        print(" ".join(cells_of(rows[-1])), file=sys.stderr, flush=True)
    header = ["kernel", "PTX", "second build", "cpu", "warm"]
    header += ["instructions"] * options.instructions
    print(tables.plain(header, [cells_of(row) for row in rows], left=(0, 1, 2)))
    total = sum(row["cpu"] * row["cpu_ratio"] for row in rows)
    print(f"all together: {total / sum(row['cpu'] for row in rows):.3f}")
    if options.instructions:
        print(f"instructions, all together: {instructions_over_stock(rows):.3f}")
        free = [row for row in rows if not row["limited"]]
        if free:
            print(
                f"the {len(free)} that registers do not limit: "
                f"{instructions_over_stock(free):.3f}"
            )
    if not all(row["same"] and row["served"] for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
