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
import sys
import time
from fnmatch import fnmatchcase

from harness import folder, programs, sanitizer
from regdem_common.process import ToolError

FIELDS = ("kernel", "tool", "builds", "findings", "stock_findings", "first")


def builds(kernel, patterns):
    """Entries of the manifest to run, each different build once."""
    known = {v["name"]: v for v in kernel["variants"] if "error" not in v}
    named = [known[v.get("same_as", name)] for name, v in known.items()
             if any(fnmatchcase(name, p) for p in patterns)]
    return list({v["name"]: v for v in named}.values())


def check(program, tool, root, kernel, options):
    """One row for a kernel and a tool. Raises ToolError."""
    def findings(entries):
        line = programs.manifest_command(
            root, kernel, entries, ["--seeds", "1", "--reps", "0", "--quick"])
        return sanitizer.check(program, tool, line, options.timeout)

    entries = builds(kernel, options.variants)
    found, first = findings(entries)
    stock = ""
    if found:
        stock, _ = findings(builds(kernel, ["clang"]))
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
    folder.add_arguments(parser, __file__)
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

    taken = folder.from_arguments(options)
    program = sanitizer.find(options.compute_sanitizer)
    if not program:
        sys.exit("error: no compute-sanitizer on this machine")

    rows, errors = check_all(program, taken.root, taken.kernels, options)
    with open(taken.out / "sanitizer.csv", "w", newline="") as file:
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
    for tool in options.tools.split(","):
        of_tool = [r for r in rows if r["tool"] == tool]
        print(f"{tool}: {len(of_tool)} kernels, "
              f"{sum(r['builds'] for r in of_tool)} builds, "
              f"{sum(r['findings'] for r in of_tool)} findings")
    sys.exit(1 if bad or errors else 0)


if __name__ == "__main__":
    main()
