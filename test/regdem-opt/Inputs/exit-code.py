# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exit-code.py CODE COMMAND...: runs COMMAND without input; fails unless it
ends with exit code CODE."""

import subprocess
import sys

code = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL).returncode
if code != int(sys.argv[1]):
    sys.exit(f"exit code {code}, not {sys.argv[1]}")
