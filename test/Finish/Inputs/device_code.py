# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""device_code.py OBJECT CUBIN: the first machine code of the GPU in an object."""

import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
container = data.index((0xBA55ED50).to_bytes(4, "little"))
image = container + int.from_bytes(data[container + 6:container + 8], "little")
header = int.from_bytes(data[image + 4:image + 8], "little")
size = int.from_bytes(data[image + 8:image + 16], "little")
cubin = data[image + header:image + header + size]
if cubin[:4] != b"\x7fELF":
    sys.exit("the first image is no machine code")
with open(sys.argv[2], "wb") as file:
    file.write(cubin)
