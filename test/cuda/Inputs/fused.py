"""fused.py FILE: products of PTX that ptxas may fuse with a sum.

Fails if there are any: a sum without rounding modifier reads a product without
one, or what signs make of it.
"""

import re
import sys

INSTRUCTION = re.compile(r"\s(mul|add|sub|neg|abs)(\S*)\.(f\d+)\s+(%\w+), (.*);")

products, found = set(), 0
for line in open(sys.argv[1]):
    match = INSTRUCTION.search(line)
    if not match or ".rn" in match[2]:
        continue
    reads = products.intersection(re.findall(r"%\w+", match[5]))
    if match[1] == "mul" or (match[1] in ("neg", "abs") and reads):
        products.add(match[4])
    elif reads:
        found += 1
        print(line.strip())
sys.exit(found > 0)
