# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line."""

import argparse
import json
import signal
import sys

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
    """One object for each kernel, block, grid, dynamic shared memory and GPU's
    size, in their order."""
    counts = {}
    for launch in launches:
        key = (launch["kernel"], *launch["block"], *launch["grid"], launch["dynamic_smem"],
               launch["multiprocessors"])
        counts[key] = counts.get(key, 0) + launch["count"]
    return [{"kernel": key[0], "block": key[1:4], "grid": key[4:7], "dynamic_smem": key[7],
             "count": counts[key], **({"multiprocessors": key[8]} if key[8] else {})}
            for key in sorted(counts)]


def _write(path, launches):
    lines = ",\n".join(json.dumps(launch) for launch in launches)
    write_text(path, f'{{"version": {VERSION}, "launches": [\n{lines}\n]}}\n')


def _count(number, one, several):
    return f"{number} {one if number == 1 else several}"


def _note(options):
    if options.from_ncu:
        found, status = recorded.launches(options.from_ncu), 0
    else:
        found, status = running.run(options.program)
    # As shells say of programs that a signal ends.
    status = status if status >= 0 else 128 - status
    named = merged(launch for launch in found if launch["kernel"])
    if not named:
        why = OLD_DRIVER if found else NO_LAUNCH
        if not status:
            raise UserError(why)
        print(f"regdem-launches: error: {why}", file=sys.stderr)
        return status
    _write(options.output, named)
    count = sum(launch["count"] for launch in named)
    kernels = len({launch["kernel"] for launch in named})
    print(f"regdem-launches: {_count(count, 'launch', 'launches')} of "
          f"{_count(kernels, 'kernel', 'kernels')} in '{options.output}'", file=sys.stderr)
    return status


def main():
    parser = _parser()
    options = parser.parse_args()
    if options.program[:1] == ["--"]:
        del options.program[0]
    if bool(options.program) == bool(options.from_ncu):
        parser.error("name a program, or Nsight Compute's CSV with --from-ncu")
    # The program gets it, too, and what it has launched is worth keeping.
    signal.signal(signal.SIGINT, lambda *_: None)
    return guarded("regdem-launches", lambda: _note(options))
