# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""code_bytes.py STOCK CUBIN PERCENT: fails unless CUBIN has builds, whose
machine code is no more than PERCENT of all that STOCK has, or of 16 KB."""

import struct
import sys


def sizes(path):
    """Bytes of machine code by the name of the entry."""
    with open(path, "rb") as file:
        image = file.read()
    start, = struct.unpack_from("<Q", image, 40)
    count, names = struct.unpack_from("<HH", image, 60)
    sections = [struct.unpack_from("<IIQQQQ", image, start + 64 * i)
                for i in range(count)]
    found = {}
    for section in sections:
        at = sections[names][4] + section[0]
        name = image[at:image.index(b"\0", at)].decode()
        if name.startswith(".text."):
            found[name[len(".text."):]] = section[5]
    return found


stock, made = sizes(sys.argv[1]), sizes(sys.argv[2])
added = sum(size for name, size in made.items() if "$regdem" in name)
own = max(sum(stock.values()), 131072)
print(f"{own} bytes, builds {added}")
if not 0 < 100 * added <= int(sys.argv[3]) * own:
    sys.exit("the builds have no code, or too much")
