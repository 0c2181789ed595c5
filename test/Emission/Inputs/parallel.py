#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""parallel.py N COMMAND...: starts the command N times at once and waits.

Exit status 1 if one of them fails.
"""

import subprocess
import sys

running = [subprocess.Popen(sys.argv[2:]) for _ in range(int(sys.argv[1]))]
sys.exit(any([process.wait() != 0 for process in running]))
