#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""damage.py FOLDER empty|half|byte|folder: damages all entries of a cache."""

import os
import sys

folder, how = sys.argv[1:]
entries = [os.path.join(folder, name) for name in os.listdir(folder)
           if name.startswith("llvmcache-")]
assert entries
for path in entries:
    with open(path, "rb") as file:
        content = bytearray(file.read())
    os.remove(path)
    if how == "folder":
        os.mkdir(path)
        continue
    content[len(content) // 2] ^= 1
    with open(path, "wb") as file:
        file.write({"empty": b"", "half": content[:len(content) // 2],
                    "byte": content}[how])
