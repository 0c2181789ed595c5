#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""each_ptxas.py FOLDER... [--by=REGDEM_PTXAS] FILE: assembles FILE for sm_90 with
the ptxas of each folder, or regdem-ptxas in its place, and prints its figures.
Exit status 1 if one refuses it.
"""

import os
import subprocess
import sys
import tempfile

*folders, source = sys.argv[1:]
stand_in = folders.pop()[len("--by="):] if folders[-1].startswith("--by=") else ""
failed = False
for folder in folders:
    ptxas = os.path.join(folder, "ptxas")
    with tempfile.NamedTemporaryFile(suffix=".cubin") as output:
        done = subprocess.run(
            [stand_in or ptxas, "-v", "-arch=sm_90", source, "-o", output.name],
            capture_output=True, text=True,
            env={**os.environ, "REGDEM_PTXAS": ptxas})
    print(os.path.basename(folder), done.stderr, done.stdout, sep="\n")
    failed |= done.returncode != 0
sys.exit(failed)
