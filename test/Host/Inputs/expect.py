#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expect.py REPORT [--least N] [--not ENTRY]... < OUTPUT

Compares what a program with the recording runtime prints with what the report
of its compilation says of its kernels' launches: each launch must have taken
the build that the kernel's rows name for it on its device (FAKE_DEVICES), with
what the build's threads need of dynamic shared memory, or the kernel itself
where there is none or the entry is one of --not. Fails if fewer than N launches
(default 1) took a build.
"""

import argparse
import json
import os
import re
import sys

LINE = re.compile(r"launch (\S+) grid (\d+) (\d+) (\d+) block (\d+) (\d+) (\d+) "
                  r"smem (\d+) asked (\d+) device (\d+)$")
UNIT = 16  # Of dynamic shared memory, where a build's threads have some.


def rounded(size):
    return (size + UNIT - 1) // UNIT * UNIT


def read_rows(path):
    """Rows by kernel and architecture."""
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return {(r["kernel"], r["arch"]): r["launches"] for r in lines if "launches" in r}


def cycles_for(times, on_sm):
    """Expected cycles for so many blocks on one SM."""
    full, rest = divmod(on_sm, times["blocks_per_sm"])
    cycles = full * times["full"]
    if rest:
        more = (times["full"] - times["alone"]) * (rest - 1)
        cycles += times["alone"] + more // max(1, times["blocks_per_sm"] - 1)
    return cycles


def most_cycles_for(times, on_sm):
    """The same where a rest after full rounds takes as long as one."""
    if on_sm <= times["blocks_per_sm"]:
        return cycles_for(times, on_sm)
    return -(-on_sm // times["blocks_per_sm"]) * times["full"]


def is_faster(row, grid, sms):
    """Whether the row's build is expected to be faster for the grid. Where the
    kernel has room for all blocks, it has no more, and no less if they may wait
    for each other."""
    own, stock = row["cycles"], row["stock_cycles"]
    on_sm = min(-(-grid // sms), 1 << 20)
    if on_sm <= stock["blocks_per_sm"]:
        if own["blocks_per_sm"] > stock["blocks_per_sm"]:
            return False
        if row["may_wait"] and own["blocks_per_sm"] != stock["blocks_per_sm"]:
            return False
    return most_cycles_for(own, on_sm) < cycles_for(stock, on_sm)


def entry_for(rows, kernel, devices, launch, missing):
    """The entry that a launch takes, and its dynamic shared memory as that."""
    grid, threads, shared, device = launch
    arch, sms = devices[device]
    # Of builds that one architecture's code lacks there is none.
    common = min((max(row["build"] for row in found)
                  for (name, _), found in rows.items() if name == kernel), default=0)
    for row in rows.get((kernel, f"sm_{arch}"), []):
        fits = row["from_threads"] <= threads <= row["threads"]
        if fits and shared <= row["most_dynamic_smem"] and row["build"] <= common:
            name = f"{kernel}$regdem{row['build']}"
            if name in missing or not is_faster(row, grid, sms):
                break
            if row["thread_bytes"]:
                shared = rounded(shared) + rounded(row["thread_bytes"] * threads)
            return name, shared
    return kernel, shared


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report")
    parser.add_argument("--least", type=int, default=1)
    parser.add_argument("--not", dest="missing", action="append", default=[])
    options = parser.parse_args()
    rows = read_rows(options.report)
    devices = [tuple(map(int, d.split("x")))
               for d in os.environ.get("FAKE_DEVICES", "90x132").split(",")]
    builds = 0
    for line in sys.stdin:
        match = LINE.match(line)
        if not match:
            continue
        entry = match.group(1)
        gx, gy, gz, bx, by, bz, shared, asked, device = map(int, match.groups()[1:])
        launch = (gx * gy * gz, bx * by * bz, asked, device)
        kernel = entry.split("$")[0]
        expected = entry_for(rows, kernel, devices, launch, options.missing)
        if (entry, shared) != expected:
            sys.exit(f"expect: {line.strip()}: expected {expected}")
        builds += entry != kernel
    if builds < options.least:
        sys.exit(f"expect: {builds} launches of builds, expected {options.least} or more")
    print(f"{builds} launches of builds")


if __name__ == "__main__":
    main()
