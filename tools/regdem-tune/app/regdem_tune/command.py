# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The user's two commands: placeholders filled in, run by the shell."""

import dataclasses
import shlex
import subprocess
import time

from regdem_common import process
from regdem_common.tool import UserError


@dataclasses.dataclass
class Finished:
    status: int    # Exit status; None when it ran out of time.
    stdout: str
    stderr: str
    seconds: float

    def problem(self):
        """Why it failed, in one line; None if it did not."""
        if self.status == 0:
            return None
        if self.status is None:
            return f"no end after {self.seconds:.0f} s"
        said = (self.stderr.strip() or self.stdout.strip()).splitlines()
        last = f": {said[-1].strip()}" if said else ""
        if self.status < 0:
            return f"ended by signal {-self.status}{last}"
        return f"exit status {self.status}{last}"


def expand(command, values):
    """`command` with {name} replaced by each of `values`; other braces stay."""
    for name, value in values.items():
        command = command.replace("{" + name + "}", value)
    return command


def run(command, timeout, environment=None):
    """Runs `command` in a shell for at most `timeout` seconds (None: for
    ever). On the way out nothing that it started is left running."""
    start = time.perf_counter()
    done = process.communicate(command, timeout, environment or {}, shell=True,
                               stdin=subprocess.DEVNULL)
    return Finished(*done, time.perf_counter() - start)


def compiler_flags(profile, report):
    """Options for clang that use `profile` and write `report`."""
    options = [f"-regdem-profile={profile}", f"-regdem-report={report}"]
    return " ".join(f"-mllvm {shlex.quote(o)}" for o in options)


def device_name():
    """The GPUs' names; "" where NVIDIA's driver shows none."""
    try:
        done = run("nvidia-smi --query-gpu=name --format=csv,noheader", 60)
    except OSError as problem:
        raise UserError(f"cannot start a shell: {problem.strerror}")
    names = dict.fromkeys(n.strip() for n in done.stdout.splitlines())
    return ", ".join(names) if done.status == 0 else ""
