#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_hash.py REPORT SAME DIFFERENT [--profile]

The lines of REPORT that are of the function `kernel` must have one hash in the
first SAME lines and DIFFERENT hashes in all. With --profile prints a profile
that holds the first to 24 registers.
"""

import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    records = [json.loads(line) for line in file]
mine = [r for r in records if re.match(r"_ZL6kernelP", r["kernel"])]
hashes = [r["hash"] for r in mine]
if len(set(hashes[:int(sys.argv[2])])) != 1:
    sys.exit(f"not the same: {hashes}")
if len(set(hashes)) != int(sys.argv[3]):
    sys.exit(f"{len(set(hashes))} different hashes: {hashes}")
if "--profile" in sys.argv:
    entry = {key: mine[0][key] for key in ("kernel", "arch", "hash")}
    entry.update(decision="cap", max_regs=24)
    json.dump({"version": 1, "entries": [entry]}, sys.stdout)
