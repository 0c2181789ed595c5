#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expect.py REPORT [--least N] [--not ENTRY]... < OUTPUT

Compares what a program with the recording runtime prints with what the report
of its compilation says of its kernels' launches: each launch must have taken
the build that the kernel's rows name for it on its device (FAKE_DEVICES), or
the kernel itself where there is none or the entry is one of --not. Fails if
fewer than N launches (default 1) took a build.
"""

import argparse
import json
import os
import re
import sys

LINE = re.compile(r"launch (\S+) grid (\d+) (\d+) (\d+) block (\d+) (\d+) (\d+) "
                  r"smem (\d+) device (\d+)$")
WARP = 32


def warps(threads):
    return (threads + WARP - 1) // WARP


def read_rows(path):
    """Rows by kernel and architecture."""
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return {(r["kernel"], r["arch"]): r["launches"] for r in lines if "launches" in r}


def entry_for(rows, kernel, devices, launch, missing):
    grid, threads, shared, device = launch
    arch, sms = devices[device]
    for row in rows.get((kernel, f"sm_{arch}"), []):
        fits = threads <= row["threads"] and warps(threads) == warps(row["threads"])
        if fits and not shared and grid >= row["fill_blocks"] * sms:
            name = f"{kernel}$regdem{row['build']}"
            return kernel if name in missing else name
    return kernel


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
        gx, gy, gz, bx, by, bz, shared, device = map(int, match.groups()[1:])
        launch = (gx * gy * gz, bx * by * bz, shared, device)
        kernel = entry.split("$")[0]
        expected = entry_for(rows, kernel, devices, launch, options.missing)
        if entry != expected:
            sys.exit(f"expect: {line.strip()}: expected {expected}")
        builds += entry != kernel
    if builds < options.least:
        sys.exit(f"expect: {builds} launches of builds, expected {options.least} or more")
    print(f"{builds} launches of builds")


if __name__ == "__main__":
    main()
