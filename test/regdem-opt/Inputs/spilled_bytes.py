# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""spilled_bytes.py TABLE PTXAS: a table of --print=spills stores and loads as many
bytes as `ptxas -v` says."""

import re
import sys

table, ptxas = (open(path).read() for path in sys.argv[1:])
rows = re.findall(r"^ +\d+ +(\d+) +(\d+) +(\d+) ", table, re.MULTILINE)
stored = sum(int(size) * int(stores) for size, stores, _ in rows)
loaded = sum(int(size) * int(loads) for size, _, loads in rows)
said = re.findall(r"(\d+) bytes spill stores, (\d+) bytes spill loads", ptxas)
assert ("%d" % stored, "%d" % loaded) in said, (stored, loaded, said)
