#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs RegDem's builds of the folder it lies in (see build_variants.py) under
NVIDIA's compute-sanitizer: memcheck, racecheck, initcheck and synccheck.

Needs Python 3, a CUDA driver and compute-sanitizer. Each benchmark's host
program is started once per tool and runs each different build on a small
problem. Where a tool finds something, stock clang's build is tried too, so
that the kernel's own faults are told from RegDem's. Writes sanitizer.csv
beside the results. Exit code 1 if a tool found or could not do something.
"""

import argparse
import concurrent.futures
import csv
import json
import sys
import time
from fnmatch import fnmatchcase
from pathlib import Path

from harness import gpu, sanitizer, tables
from harness.process import ToolError

FIELDS = ("kernel", "tool", "builds", "findings", "stock_findings", "first")


def builds(kernel, patterns):
    """Entries of the manifest to run, each different build once."""
    known = {v["name"]: v for v in kernel["variants"] if "error" not in v}
    named = [known[v.get("same_as", name)] for name, v in known.items()
             if any(fnmatchcase(name, p) for p in patterns)]
    return list({v["name"]: v for v in named}.values())


def command(root, kernel, entries):
    line = [root / kernel["program"]]
    for v in entries:
        line += ["--cubin", f"{v['family']}:{v['name']}={root / v['cubin']}"]
    return line + ["--seeds", "1", "--reps", "0", "--quick"]


def check(program, tool, root, kernel, options):
    """One row for a kernel and a tool. Raises ToolError."""
    entries = builds(kernel, options.variants)
    found, first = sanitizer.check(program, tool,
                                   command(root, kernel, entries),
                                   options.timeout)
    stock = ""
    if found:
        stock, _ = sanitizer.check(
            program, tool, command(root, kernel, builds(kernel, ["clang"])),
            options.timeout)
    return dict(zip(FIELDS, (kernel["id"], tool, len(entries), found, stock,
                             first)))


def check_all(program, root, kernels, options):
    """(rows in the order of kernels and tools, errors)."""
    deadline = time.monotonic() + options.budget
    rows, errors = [], []

    def start(kernel, tool):
        if time.monotonic() > deadline:
            raise ToolError("out of time")
        return check(program, tool, root, kernel, options)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = [
            (kernel["id"], tool, pool.submit(start, kernel, tool))
            for kernel in kernels
            if builds(kernel, options.variants)
            for tool in options.tools.split(",")
        ]
        for name, tool, job in running:
            try:
                rows.append(job.result())
            except ToolError as error:
                errors.append(f"{name} {tool}: {error}")
    return rows, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="benchmarks (default: all)")
    root = Path(__file__).resolve().parent
    parser.add_argument("--folder", type=Path, default=root)
    parser.add_argument("--out", type=Path, help="default: the folder")
    parser.add_argument("--variants", action="append", metavar="PATTERN",
                        help="default: regdem-*")
    parser.add_argument("--tools", default=",".join(sanitizer.TOOLS))
    parser.add_argument("--compute-sanitizer", metavar="PROGRAM")
    parser.add_argument("--jobs", type=int, default=4, metavar="N")
    parser.add_argument("--timeout", type=int, default=120, metavar="SECONDS",
                        help="for one benchmark under one tool")
    parser.add_argument("--budget", type=float, default=360, metavar="SECONDS",
                        help="start nothing further after this time")
    options = parser.parse_args()
    options.variants = options.variants or ["regdem-*"]

    root = options.folder.resolve()
    try:
        manifest = json.loads((root / "manifest.json").read_text())
    except (OSError, json.JSONDecodeError) as error:
        sys.exit(f"error: {error}")
    kernels = [k for k in manifest["kernels"]
               if not options.names or k["id"] in options.names]
    if not kernels:
        sys.exit("error: no such benchmark in the manifest")
    if not gpu.present():
        sys.exit("error: no CUDA device on this machine")
    program = sanitizer.find(options.compute_sanitizer)
    if not program:
        sys.exit("error: no compute-sanitizer on this machine")

    rows, errors = check_all(program, root, kernels, options)
    out = (options.out or root).resolve()
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "sanitizer.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)

    bad = [r for r in rows if r["findings"]]
    for row in bad:
        print(f"{row['kernel']} {row['tool']}: {row['findings']} findings in "
              f"{row['builds']} builds, {row['stock_findings']} in stock "
              f"clang's; {row['first']}")
    for line in errors:
        print(f"error: {line}")
    table = []
    for tool in options.tools.split(","):
        of_tool = [r for r in rows if r["tool"] == tool]
        table.append([tool, len(of_tool), sum(r["builds"] for r in of_tool),
                      sum(r["findings"] for r in of_tool)])
    print(tables.render(["tool", "kernels", "builds", "findings"], table,
                        left=(0,)))
    sys.exit(1 if bad or errors else 0)


if __name__ == "__main__":
    main()
