#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An assembler that keeps each program it is given in the folder $KEPT, and
then is the one called $KEEPING_PTXAS."""

import hashlib
import os
import sys
from pathlib import Path

for argument in sys.argv[1:]:
    if argument.startswith("/proc/self/fd/"):
        text = Path(argument).read_bytes()
        if text:
            name = hashlib.sha256(text).hexdigest() + ".s"
            (Path(os.environ["KEPT"]) / name).write_bytes(text)
            break
tool = os.environ["KEEPING_PTXAS"]
os.execv(tool, [tool, *sys.argv[1:]])
