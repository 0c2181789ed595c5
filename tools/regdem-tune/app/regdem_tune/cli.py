# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of regdem-tune."""

import argparse
import os
import re

from regdem_common import tool

from .launches import from_launches
from .tuning import build_only, measure_only, tune

DESCRIPTION = """\
Finds for each kernel of a program the fastest of the variants that RegDem can
build, by building and running the program, and writes a profile. The compiler
follows it with -mllvm -regdem-profile=FILE.
"""

EPILOG = """\
commands:
  In --build, {flags} stands for the options that the compilation by clang with
  RegDem needs, and {dir} for a folder that each build has for itself. Builds
  that take no arguments find both in $REGDEM_FLAGS and $REGDEM_DIR. The build
  must compile everything anew. Where its program cannot go to {dir}, name it
  with --artifact; it is then kept for each build, and put in its place before
  it is run.

  What --run prints to its standard output must not change, less the lines that
  --metric and --ignore match; a variant for which it does is left out.

examples:
  regdem-tune --build 'clang++-22 -fpass-plugin=RegDem.so {flags} -O3
      --cuda-gpu-arch=sm_90 app.cu -o {dir}/app -lcudart' \\
      --run '{dir}/app input' --metric 'kernel time: ([0-9.]+) ms' -o app.json
  regdem-tune --build 'make -B CUDAFLAGS="{flags}"' --artifact app \\
      --run './app input' -o app.json
  regdem-tune --build-only DIR --build '...'                (without a GPU)
  regdem-tune --measure-only DIR --run '...' -o app.json    (with one)
  regdem-tune --launch-log launches.jsonl --report report.jsonl -o app.json
      (of a program with -regdem-launch=auto, after one run with
      REGDEM_LAUNCH=measure REGDEM_LAUNCH_LOG=launches.jsonl)

exit codes:
  0  the profile, or the builds to measure, were written; a line says so where
     there is nothing to tune
  1  there is no GPU, or the program cannot be built or run: one line on stderr
     says why, and no profile is written
  2  wrong usage
"""


def regex(text):
    try:
        return re.compile(text)
    except re.error as problem:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no regular expression: {problem}")


def number(low, high):
    def parse(text):
        try:
            value = int(text)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(
                f"'{text}' is not a number from {low} to {high}")
        return value
    return parse


def caps(text):
    return [number(16, 255)(part) for part in text.split(",")]


def parser():
    result = argparse.ArgumentParser(
        prog="regdem-tune", description=DESCRIPTION, epilog=EPILOG,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = result.add_argument
    add("--build", metavar="COMMAND", help="builds the program")
    add("--run", metavar="COMMAND", help="runs it once")
    add("-o", "--output", metavar="FILE", help="the profile to write")
    add("--update", action="store_true",
        help="keep entries of FILE for other kernels")
    add("--kernels", metavar="REGEX", type=regex, default=re.compile(""),
        help="tune only kernels whose symbol matches")
    add("--arch", metavar="sm_NN",
        help="the GPU's, if the build is for several")
    add("--metric", metavar="REGEX", type=regex,
        help="finds the time in what --run prints: its group, last match "
             "(default: wall time)")
    add("--higher-is-better", action="store_true",
        help="what --metric finds is a rate")
    add("--compare", metavar="FILE", action="append", default=[],
        help="results are in FILE, not on standard output (repeatable)")
    add("--ignore", metavar="REGEX", type=regex, action="append", default=[],
        help="lines of standard output that may change (repeatable)")
    add("--no-compare", action="store_true",
        help="do not check that variants compute the same")
    add("--artifact", metavar="FILE", action="append", default=[],
        help="what the build makes and the run needs (repeatable)")
    add("--caps", metavar="N,N", type=caps, default=[],
        help="try these register caps too, with and without demotion")
    add("--runs", metavar="N", type=number(5, 10000), default=7,
        help="timed runs of each variant, at least 5 (default: 7)")
    add("--run-timeout", metavar="SECONDS", type=number(1, 86400),
        default=600, help="longest run (default: 600)")
    add("--device", metavar="NAME", help="the GPU, for the profile "
        "(default: as nvidia-smi says)")
    stage = result.add_mutually_exclusive_group()
    stage.add_argument("--build-only", metavar="DIR",
                       help="build all variants into DIR, run nothing")
    stage.add_argument("--measure-only", metavar="DIR",
                       help="measure what --build-only left in DIR")
    stage.add_argument("--launch-log", metavar="FILE",
                       help="take what a run's launches measured (with --report)")
    add("--report", metavar="FILE",
        help="the report of the compilation, for --launch-log")
    tool.add_version(result)
    return result


def misuse(o):
    """What makes no sense in the options; None if all do."""
    if o.build_only and (o.run or o.output):
        return "--build-only takes --build, and neither --run nor --output"
    if o.measure_only and (o.build or o.artifact):
        return "--measure-only takes --run, and neither --build nor --artifact"
    if o.launch_log:
        if o.build or o.run or o.artifact:
            return "--launch-log takes --report and --output, and runs nothing"
        if not (o.report and o.output):
            return "--launch-log needs --report and --output"
        return None
    if o.report:
        return "--report goes with --launch-log only"
    if not o.measure_only and not o.build:
        return "--build is missing"
    if not o.build_only and not (o.run and o.output):
        return "--run and --output are needed"
    if o.higher_is_better and not o.metric:
        return "--higher-is-better goes with --metric only"
    if o.no_compare and (o.compare or o.ignore):
        return "--no-compare excludes --compare and --ignore"
    if o.build and not o.artifact and not re.search(
            r"\{dir\}|\bREGDEM_DIR\b", o.build):
        return ("every build would overwrite the last one: let --build write "
                "to {dir}, or name the program with --artifact")
    names = [os.path.basename(path) for path in o.artifact]
    if len(set(names)) != len(names):
        return "two artifacts have the same file name"
    return None


def main(arguments=None):
    options = parser()
    o = options.parse_args(arguments)
    if problem := misuse(o):
        options.error(problem)
    work = (from_launches if o.launch_log else build_only if o.build_only
            else measure_only if o.measure_only else tune)
    return tool.guarded("regdem-tune", lambda: work(o))
