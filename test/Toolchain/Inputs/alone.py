#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The assembler called $ASSEMBLER, which dies if another run of it has not
ended yet: while one does, there is a folder called $RUNNING."""

import os
import signal
import subprocess
import sys
import time

try:
    os.mkdir(os.environ["RUNNING"])
except FileExistsError:
    print("another run has not ended", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
time.sleep(0.3)
code = subprocess.run([os.environ["ASSEMBLER"], *sys.argv[1:]],
                      close_fds=False).returncode
os.rmdir(os.environ["RUNNING"])
sys.exit(code)
