# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the user's program under ncu, and says what to do where that fails."""

import re
import shutil

from regdem_common import metrics, ncu
from regdem_common.process import ToolError
from regdem_common.tool import UserError

NO_NCU = ("no ncu (Nsight Compute) on this machine: install it with CUDA or from "
          "NVIDIA's site, name it with --ncu PROGRAM, or record on the GPU's machine "
          "and give --from-csv FILE")
NO_KERNEL = ("ncu saw no kernel: check that the program launches one with these "
             "arguments and that --kernels matches its function's name; "
             "CUDA calls must come from this program or its children")
DRIVER = ("the driver refuses to profile ({}): end other profilers (DCGM, Nsight "
          "Systems), and use an ncu that is at least as new as the driver's CUDA")
MESSAGES = (  # what ncu says, what to tell
    (r"no kernels were profiled|before first instrumented API call|"
     r"no launch was profiled", NO_KERNEL),
    (r"driver resource was unavailable|driver is not compatible", DRIVER),
)


def invocations(count):
    """ncu's expression for the first `count` launches of a kernel."""
    return "^(" + "|".join(map(str, range(1, count + 1))) + ")$"


def options(kernels, launches):
    """Which launches ncu profiles, and that it names kernels as linkers do."""
    name = f"regex:{kernels}" if kernels else ""
    found = ["--target-processes", "all", "--print-kernel-base", "mangled"]
    if launches:
        found += ["--kernel-id", f"::{name}:{invocations(launches)}"]
    elif kernels:
        found += ["--kernel-name", name]
    return found


def find(program):
    """Path of ncu. Raises UserError."""
    found = ncu.find(program)
    if found:
        return found
    raise UserError(f"'{program}' is no program: state the path of ncu"
                    if program else NO_NCU)


def _last(text):
    lines = text.strip().splitlines()
    return f" (its last line: {lines[-1].strip()[:200]})" if lines else ""


def _status(run):
    """The program's exit status, as ncu tells it; 0 if it did not fail."""
    for message in run.messages:
        found = re.search(r"returned an error code \((-?\d+)\)", message)
        if found:
            return int(found[1])
    return 0


def explain(messages):
    """The error for a run without any launch."""
    for message in messages:
        for pattern, text in MESSAGES:
            if re.search(pattern, message, re.IGNORECASE):
                return UserError(text.format(message.rstrip(".")))
    if messages:
        return UserError(f"ncu: {messages[0]}")
    return UserError(NO_KERNEL)


def run(tool, command, kernels, launches, timeout):
    """(ncu's CSV, what is wrong or None). What is wrong with a program that
    fails after launches does not take their figures away. Raises UserError
    where there are none."""
    if not shutil.which(command[0]):
        raise UserError(f"'{command[0]}' is no program: state its path, as in "
                        "regdem-analyse -- ./program")
    chosen = options(kernels, launches)
    try:
        done = ncu.collect(tool, metrics.all_names(), command, timeout, chosen)
        if not ncu.launches(done.text) and not _status(done) and \
                not any(re.search(MESSAGES[0][0], m, re.I) for m in done.messages):
            # One of the counters may be unknown here: leave it out.
            known = ncu.known_metrics(tool, metrics.all_names(), command, timeout,
                                      [*chosen, "--launch-count", "1"])
            done = ncu.collect(tool, known, command, timeout, chosen)
    except ToolError as error:
        if "not done after" in str(error):
            raise UserError(f"ncu and the program were {error}: raise --timeout, "
                            "or profile less with --kernels and --launches") from None
        raise explain([str(error)]) from None
    status, failed = _status(done), None
    if status:
        failed = (f"the program failed with status {status}"
                  f"{_last(done.errors) or _last(done.output)}: "
                  "see that it succeeds without regdem-analyse")
    if not ncu.launches(done.text):
        raise UserError(failed) if failed else explain(done.messages)
    return done.text, failed
