# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the user's program with the library that notes launches (Preload.cpp)."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from regdem_common.tool import UserError

LIBRARY = "regdem/launches.so"


def library():
    """Path of the library, in lib/ beside the folder of this program."""
    root = Path(sys.argv[0]).resolve().parent.parent
    for pattern in (f"lib*/{LIBRARY}", f"lib/*/{LIBRARY}"):
        for path in sorted(root.glob(pattern)):
            return path
    raise UserError(f"no {LIBRARY} in '{root}/lib': install RegDem as a whole")


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
        try:
            status = subprocess.run(program, env=environment, check=False).returncode
        except OSError as error:
            raise UserError(f"cannot run '{program[0]}': {error.strerror}") from None
        lines = [line for path in sorted(Path(folder).glob("*.jsonl"))
                 for line in path.read_text(encoding="utf-8").splitlines()]
        return [json.loads(line) for line in lines], status
