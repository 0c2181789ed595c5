# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line."""

import argparse
import json
import sys

from regdem_common import measured, metrics, ncu, records
from regdem_common.tool import UserError, add_version, guarded, read_text, write_text

from . import outlook, running, table

DESCRIPTION = """Runs a program under Nsight Compute (ncu) and says of each kernel what limits
it (bandwidth, instructions or latency), whether spill code and arrays in local
memory matter, and what RegDem does about it. Kernels run several times for the
counters, so the program takes longer; its results stay right."""


def _count(text):
    value = int(text) if text.isdigit() else -1
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 0 to 100")
    return value


def _kernels(text):
    if ":" in text:
        raise argparse.ArgumentTypeError(
            "ncu matches functions' names without scopes: leave out what ends with ':'")
    return text


def _parser():
    parser = argparse.ArgumentParser(
        prog="regdem-analyse", description=DESCRIPTION,
        usage="regdem-analyse [option ...] (-- PROGRAM [ARG ...] | --from-csv FILE)")
    parser.add_argument("--report", action="append", default=[], metavar="FILE",
                        help="what -mllvm -regdem-report=FILE wrote when the program, or its "
                        "like, was compiled")
    parser.add_argument("--kernels", type=_kernels, metavar="REGEX",
                        help="only kernels whose function's name matches")
    parser.add_argument("--launches", type=_count, default=3, metavar="N",
                        help="profile the first N launches of each kernel, 0: all (3)")
    parser.add_argument("--json", metavar="FILE", help="also write one JSON object a kernel "
                        "and line, for regdem-report --analysis")
    parser.add_argument("--no-advice", action="store_true", help="the table alone")
    parser.add_argument("--from-csv", metavar="FILE", help="instead of running a program: what "
                        "`ncu --csv --page raw --metrics …` printed")
    parser.add_argument("--save-csv", metavar="FILE", help="keep ncu's CSV")
    parser.add_argument("--list-metrics", action="store_true",
                        help="print what to state as ncu's --metrics")
    parser.add_argument("--ncu", metavar="PROGRAM", help="Nsight Compute's command")
    parser.add_argument("--timeout", type=float, metavar="SECONDS",
                        help="end ncu and the program after this time")
    add_version(parser)
    return parser


def _recorded(path):
    """The text of recorded CSV, which has launches. Raises UserError."""
    text = read_text(path)
    messages = ncu.complaints(text)
    if any("ERR_NVGPUCTRPERM" in message for message in messages):
        raise UserError(f"{path}: {ncu.PERMISSION}")
    found = ncu.launches(text)
    if not found and messages:
        raise running.explain(messages)
    if not any(row for _, row in found):
        raise UserError(
            f"'{path}' has no counters of ncu: record with `ncu --csv --page raw --metrics "
            "$(regdem-analyse --list-metrics) --log-file FILE PROGRAM`")
    return text


def _list_metrics():
    print(",".join(metrics.all_names()))
    return 0


def _run(options):
    kernels = records.read(options.report)
    failed = None
    if options.from_csv:
        text = _recorded(options.from_csv)
    else:
        tool = running.find(options.ncu)
        text, failed = running.run(tool, options.program, options.kernels,
                                   options.launches, options.timeout)
    if options.save_csv:
        write_text(options.save_csv, text)
    found = [outlook.join(figures, kernels) for figures in measured.kernels(text)]
    if options.json:
        write_text(options.json, "".join(json.dumps(f, sort_keys=True) + "\n" for f in found))
    print("\n".join(table.lines(found, bool(kernels), not options.no_advice)))
    if failed:
        raise UserError(failed)
    return 0


def main():
    parser = _parser()
    words = sys.argv[1:]
    mark = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:mark])
    options.program = words[mark + 1:]
    if options.list_metrics:
        return guarded("regdem-analyse", _list_metrics)
    if bool(options.program) == bool(options.from_csv):
        parser.error("name a program after --, or recorded counters with --from-csv")
    return guarded("regdem-analyse", lambda: _run(options))
