# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""images.py FILE: a line for each image of machine code in the fat binaries of a
file: how it is packed, and what it holds."""

import hashlib
import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
at = 0
while (at := data.find(b"\x50\xed\x55\xba", at)) >= 0:
    _, version, start, size = struct.unpack_from("<IHHQ", data, at)
    image, end = at + start, at + start + size
    if (version, start) != (1, 16) or end > len(data):
        at += 4
        continue
    while image < end:
        kind, _, header, payload, packed = struct.unpack_from("<HHIQI", data, image)
        full = struct.unpack_from("<Q", data, image + 56)[0]
        held = data[image + header:image + header + (packed or payload)]
        if kind == 2:
            print("zstd" if packed else "plain", packed, full,
                  hashlib.sha256(held).hexdigest()[:16])
        image += header + payload
    at = end
