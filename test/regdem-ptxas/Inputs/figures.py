# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what each kernel of the cubins named takes, as the files say."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, os.pardir, "promises"))
import cubin

for path in sys.argv[1:]:
    with open(path, "rb") as file:
        for name, figures in sorted(cubin.kernels(file.read()).items()):
            print(f"{name}: {figures.registers} registers, {figures.frame} local, "
                  f"{figures.shared} shared, {figures.most_threads} threads")
