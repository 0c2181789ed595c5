#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""signalled.py SIGNAL STATUS STARTED COMMAND...: runs COMMAND and sends it SIGNAL
when something that it started has written its process number to the file STARTED.
Fails unless COMMAND then ends with STATUS, without a traceback, nothing in its
folder for temporary files, and that process running no more."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 60  # seconds


def wait_for(what, condition):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"{what} after {LIMIT} s")
        time.sleep(0.02)


def has_ended(number):
    """Whether there is no such process, or nobody has asked for its status."""
    try:
        text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    return text.rpartition(")")[2].split()[0] == "Z"


def number_in(path):
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return int(text) if text.endswith("\n") else None


def status_and_errors(process, number):
    """Those that it ends with after the signal. It is killed if it does not end."""
    try:
        process.send_signal(number)
        _, errors = process.communicate(timeout=LIMIT)
        return process.returncode, errors
    except subprocess.TimeoutExpired:
        process.kill()
        return None, ""


def main():
    name, status, started, *command = sys.argv[1:]
    started = Path(started)
    started.unlink(missing_ok=True)
    number = signal.Signals[name]
    # A program that is started is not to inherit that it is ignored.
    signal.signal(number, lambda *_: None)
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "TMPDIR": folder})
        wait_for("nothing was started", lambda: number_in(started))
        found, errors = status_and_errors(process, number)
        left = os.listdir(folder)
    sys.stderr.write(errors)
    if found != int(status):
        sys.exit(f"status {found}, not {status}")
    if "Traceback" in errors or left:
        sys.exit(f"a traceback, or left behind: {left}")
    wait_for("what it started is running", lambda: has_ended(number_in(started)))


main()
