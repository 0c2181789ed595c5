# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the user's program with the library that notes launches (Preload.cpp)."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from regdem_common.tool import ENDING, UserError

LIBRARY = "regdem/launches.so"


def library():
    """Path of the library, in lib/ beside the folder of this program."""
    root = Path(sys.argv[0]).resolve().parent.parent
    for pattern in (f"lib*/{LIBRARY}", f"lib/*/{LIBRARY}"):
        for path in sorted(root.glob(pattern)):
            return path
    raise UserError(f"no {LIBRARY} in '{root}/lib': install RegDem as a whole")


def _status(program, environment):
    """The exit status of the program, which gets the signals that ask this one
    to end."""
    # A terminal gives it to the program, too, and what that has launched is worth
    # keeping.
    signal.signal(signal.SIGINT, lambda *_: None)
    try:
        process = subprocess.Popen(program, env=environment)
    except OSError as error:
        raise UserError(f"cannot run '{program[0]}': {error.strerror}") from None
    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda which, _: process.send_signal(which))
    return process.wait()


def _noted(folder):
    """What Preload.cpp has written to files of the folder: an object a line. A
    line that is cut short, as where the folder is full, is left out."""
    found, lost = [], 0
    for path in sorted(Path(folder).glob("*.jsonl")):
        # Names of kernels are bytes of any kind.
        text = path.read_text(encoding="utf-8", errors="replace")
        for line in text.removesuffix("\n").split("\n"):
            try:
                found.append(json.loads(line))
            except ValueError:
                lost += 1
    if lost:
        print(f"regdem-launches: warning: launches are missing, as {lost} of the program's "
              f"notes cannot be read: is '{os.path.dirname(folder)}' full?", file=sys.stderr)
    return found


def run(program):
    """(launches, exit status) of a program and all that it starts: an object
    with a count for each kernel, block, grid and dynamic shared memory of a
    process."""
    with tempfile.TemporaryDirectory(prefix="regdem-launches-") as folder:
        # The loader divides names at blanks and colons, which a folder may have.
        link = os.path.join(folder, "launches.so")
        os.symlink(library(), link)
        preload = [link, *filter(None, [os.environ.get("LD_PRELOAD")])]
        environment = {**os.environ, "LD_PRELOAD": ":".join(preload),
                       "REGDEM_LAUNCHES_DIR": folder}
        status = _status(program, environment)
        return _noted(folder), status
