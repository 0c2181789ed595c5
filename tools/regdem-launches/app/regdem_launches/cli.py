# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line."""

import argparse
import errno
import json
import os
import sys
from collections import Counter

from regdem_common import names
from regdem_common.tool import UserError, add_version, guarded, write_text

from . import recorded, running

DESCRIPTION = """Runs a program and notes how it launches its kernels: block, grid and dynamic
shared memory of each launch. REGDEM_PROFILE=FILE then tells regdem-nvcc and
regdem-ptxas. The program runs as it always does, on one GPU or many; its exit
status is this program's, too."""
VERSION = 1  # Of the file.
NO_LAUNCH = ("no launch was seen: check that the program launches a kernel with these arguments, "
             "ends by exit() or a return from main(), and that LD_PRELOAD reaches it")
OLD_DRIVER = ("the driver does not tell kernels' names (cuFuncGetName): use one of CUDA 12.3 or "
              "later, or Nsight Compute and --from-ncu")


def _parser():
    parser = argparse.ArgumentParser(
        prog="regdem-launches", description=DESCRIPTION,
        usage="regdem-launches [-o FILE] (PROGRAM [ARG ...] | --from-ncu FILE)")
    parser.add_argument("-o", "--output", default="launches.json", metavar="FILE",
                        help="where launches go (launches.json)")
    parser.add_argument("--from-ncu", metavar="FILE", help="instead of running a program: the "
                        "CSV of Nsight Compute, or what regdem-analyse --save-csv kept")
    add_version(parser)
    parser.add_argument("program", nargs=argparse.REMAINDER, metavar="PROGRAM",
                        help="the program and its arguments")
    return parser


def merged(launches):
    """One object for each kernel, block, grid, dynamic shared memory, GPU's size
    and build, in their order. Launches of RegDem's builds are the kernel's."""
    counts = Counter()
    for launch in launches:
        kernel, build = names.base(launch["kernel"])
        counts[kernel, tuple(launch["block"]), tuple(launch["grid"]), launch["dynamic_smem"],
               launch["multiprocessors"], build] += launch["count"]
    return [{"kernel": kernel, "block": block, "grid": grid, "dynamic_smem": dynamic,
             "count": count, **({"multiprocessors": sms} if sms else {}),
             **({"build": build} if build else {})}
            for (kernel, block, grid, dynamic, sms, build), count in sorted(counts.items())]


def _write(path, launches):
    lines = ",\n".join(json.dumps(launch) for launch in launches)
    write_text(path, f'{{"version": {VERSION}, "launches": [\n{lines}\n]}}\n')


def _count(number, one, several):
    return f"{number} {one if number == 1 else several}"


def _check(path):
    """Raises UserError if the file cannot be written."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        problem = errno.EISDIR
    elif not os.path.isdir(folder):
        problem = errno.ENOENT
    elif not os.access(path if os.path.exists(path) else folder, os.W_OK):
        problem = errno.EACCES
    else:
        return
    raise UserError(f"cannot write '{path}': {os.strerror(problem)}")


def _save(path, found):
    """Writes the launches. Raises UserError where there are none, or if it cannot."""
    named = merged(launch for launch in found if launch["kernel"])
    if not named:
        raise UserError(OLD_DRIVER if found else NO_LAUNCH)
    _write(path, named)
    count = sum(launch["count"] for launch in named)
    kernels = len({launch["kernel"] for launch in named})
    print(f"regdem-launches: {_count(count, 'launch', 'launches')} of "
          f"{_count(kernels, 'kernel', 'kernels')} in '{path}'", file=sys.stderr)


def _note(options):
    if options.from_ncu:
        _save(options.output, recorded.launches(options.from_ncu))
        return 0
    _check(options.output)  # The program may take long.
    found, status = running.run(options.program)
    try:
        _save(options.output, found)
    except UserError as error:
        if not status:
            raise
        print(f"regdem-launches: error: {error}", file=sys.stderr)
    # As shells say of programs that a signal ends.
    return status if status >= 0 else 128 - status


def main():
    parser = _parser()
    options = parser.parse_args()
    if options.program[:1] == ["--"]:
        del options.program[0]
    if bool(options.program) == bool(options.from_ncu):
        parser.error("name a program, or Nsight Compute's CSV with --from-ncu")
    return guarded("regdem-launches", lambda: _note(options))
