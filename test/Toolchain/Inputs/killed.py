#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""killed.py SIGNAL FOLDER COMMAND...: runs a compilation whose assembler is
hangs.sh, sends it the signal once the assembler runs, and fails if anything is
left in FOLDER, which is made for it and is where it is to put temporary files.
"""

import os
import signal
import subprocess
import sys
import time


def main():
    folder = os.path.abspath(sys.argv[2])
    started = folder + ".started"
    os.makedirs(folder, exist_ok=True)
    if os.path.exists(started):
        os.remove(started)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Not as it is inherited.
    process = subprocess.Popen(
        sys.argv[3:], start_new_session=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ, TMPDIR=folder, STARTED=started))
    try:
        for _ in range(600):
            if os.path.exists(started):
                break
            if process.poll() is not None:
                sys.exit(f"killed: the compiler ended with {process.returncode}"
                         " before the assembler ran")
            time.sleep(0.1)
        else:
            sys.exit("killed: the assembler was not run")
        os.kill(process.pid, getattr(signal, sys.argv[1]))
        if process.wait(30) == 0:
            sys.exit("killed: the compiler ended as if nothing had happened")
    finally:
        # The assembler, which has lost its parent.
        os.killpg(process.pid, signal.SIGKILL)
    left = os.listdir(folder)
    if left:
        sys.exit(f"killed: left behind: {left}")


if __name__ == "__main__":
    main()
