#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""each_ptxas.py FOLDER... FILE: assembles FILE for sm_90 with the ptxas of each
folder and prints its figures. Exit status 1 if one refuses it.
"""

import os
import subprocess
import sys

failed = False
for folder in sys.argv[1:-1]:
    done = subprocess.run(
        [os.path.join(folder, "ptxas"), "-v", "-arch=sm_90", sys.argv[-1],
         "-o", os.devnull], capture_output=True, text=True)
    print(os.path.basename(folder), done.stderr, done.stdout, sep="\n")
    failed |= done.returncode != 0
sys.exit(failed)
