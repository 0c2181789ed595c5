#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""all_followed.py REPORT N: fails unless REPORT has N equal lines that come
from a profile."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    lines = file.read().splitlines()
if len(lines) != int(sys.argv[2]) or len(set(lines)) != 1:
    sys.exit(f"{len(lines)} lines, {len(set(lines))} different")
if not json.loads(lines[0]).get("from_profile"):
    sys.exit(f"not from the profile: {lines[0]}")
