#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the slots of a PTX file against its report: region.py PTX REPORT

Each demoted kernel must have a region of exactly the slot_bytes reported, the
others none, and every access relative to a region's base must stay within the
words that one thread may use. Exit status 1 with one line about the fault.
"""

import json
import re
import sys

REGION = re.compile(r"\.shared \.align 8 \.b8 __regdem_slots_(\w+)\[(\d+)\];")
ENTRY = re.compile(r"\.entry (\w+)\(")
ADDRESS = re.compile(
    r"(?:mov\.[bu]64|cvta\S*)\s+%rd\d+, __regdem_slots_(\w+);")


def fail(text):
    sys.exit(f"region: {text}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        ptx = file.read()
    with open(sys.argv[2], encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    regions = {name: int(size) for name, size in REGION.findall(ptx)}
    reported = {r["kernel"]: r["slot_bytes"] for r in records
                if r["decision"] == "demote"}
    if not reported:
        fail("no kernel was demoted")
    if regions != reported:
        fail(f"regions {regions}, reported {reported}")
    bodies = ENTRY.split(ptx)
    for name, body in zip(bodies[1::2], bodies[2::2]):
        used = set(ADDRESS.findall(body))
        if used - {name}:
            fail(f"{name} uses the regions of {used}")
        if (name in used) != (name in regions):
            fail(f"{name} does not use its region")


if __name__ == "__main__":
    main()
