#!/usr/bin/env python3
"""Fuzzes RegDem: random kernels through clang, the checker and ptxas.

    run.py --seeds 0:400 -j 2 --plugin build/lib/RegDem.so

Without --plugin the stock compiler alone is run, which tests the generator.
Exit status: 0 if no oracle failed, 1 if one did or the run could not start,
2 for a usage error.
"""

import argparse
import concurrent.futures
import os
import sys
import tempfile
import time

from driver import gpu_bundle, host_check, summary
from driver.oracles import Oracles
from driver.result import Result
from driver.toolchain import add_plugin, add_tools, toolchain
from gen import add_contents, contents, parse_range, positive
from kernelgen import family


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=parse_range, required=True,
                        metavar="A:B", help="seeds A to B-1")
    parser.add_argument("-j", type=positive, default=1, metavar="N",
                        help="files compiled at the same time")
    add_plugin(parser)
    add_contents(parser)
    add_tools(parser, limit=120)
    parser.add_argument("--batch", type=positive, default=family.FAMILY_SIZE,
                        metavar="N", help="kernels per file (at most %d)"
                        % family.FAMILY_SIZE)
    parser.add_argument("--keep", metavar="DIR",
                        help="where failing kernels are kept")
    parser.add_argument("--emit-gpu", metavar="DIR",
                        help="write cubins and gpu_check for a GPU run")
    parser.add_argument("--stats", action="store_true",
                        help="print registers and kinds of statements")
    parser.add_argument("--cpu", action="store_true",
                        help="also run stock and RegDem PTX on the CPU and "
                        "compare")
    parser.add_argument("--nvdisasm", metavar="PATH",
                        help="also compare what ptxas fuses, in the machine "
                        "code, with stock's")
    parser.add_argument("--least-rewritten", nargs=2, default=("", 0),
                        metavar=("REWRITE", "N"),
                        help="fail unless RegDem rewrites so many kernels so")
    parser.add_argument("--least-read-again", type=int, default=0, metavar="N",
                        help="fail unless RegDem reads shared memory again in so "
                        "many kernels")
    parser.add_argument("--ubsan", action="store_true",
                        help="instead: run the kernels on the CPU under UBSan "
                        "and valgrind, which tests the generator")
    return parser.parse_args()


def check_plugin(tools):
    """Ends the program if not even an empty file compiles with the plugin."""
    if tools.takes_ptx:  # It compiles nothing.
        return
    with tempfile.TemporaryDirectory(prefix="regdem-fuzz-") as folder:
        path = os.path.join(folder, "empty")
        with open(path + ".cu", "w", encoding="ascii"):
            pass
        outcome = tools.regdem(family.Family(0), path + ".cu", path + ".ptx",
                               path + ".jsonl")
    if not outcome.ok:
        sys.exit("run.py: error: the plugin does not compile an empty file: "
                 + outcome.headline())


def check_all(oracle, files, jobs):
    """Merged result of all files, with progress on stderr."""
    total, done, last = Result(), 0, time.monotonic()
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for result in pool.map(oracle, files):
            total.merge(result)
            done += 1
            if time.monotonic() - last > 30:
                last = time.monotonic()
                print("  %d of %d files, %d failures" % (
                    done, len(files), len(total.failures)), file=sys.stderr)
    return total


def main():
    args = arguments()
    if args.plugin and not os.path.isfile(args.plugin):
        sys.exit("run.py: error: no plugin at '%s'" % args.plugin)
    if (args.emit_gpu or args.cpu) and not args.plugin:
        sys.exit("run.py: error: --emit-gpu and --cpu need --plugin")
    tools = toolchain(args)
    for folder in (args.keep, args.emit_gpu):
        if folder:
            os.makedirs(folder, exist_ok=True)
    if tools.plugin and not args.ubsan:
        check_plugin(tools)
    files = family.families(*args.seeds, args.batch)
    if args.ubsan:
        oracle = host_check.HostCheck(tools, args.keep, contents(args)).check
    else:
        oracle = Oracles(tools, args.keep, args.emit_gpu, cpu=args.cpu,
                         contents=contents(args),
                         nvdisasm=args.nvdisasm).check
    start = time.monotonic()
    result = check_all(oracle, files, args.j)
    seconds = time.monotonic() - start
    if args.emit_gpu:
        gpu_bundle.write(args.emit_gpu, result)
    if args.stats:
        summary.print_statistics(result)
    seeds = args.seeds[1] - args.seeds[0]
    status = summary.print_summary(result, seeds, seconds,
                                   bool(args.plugin) and not args.ubsan)
    rewrite, least_rewritten = args.least_rewritten
    for what, found, least in (
            (rewrite, summary.rewrites(result)[rewrite], int(least_rewritten)),
            ("shared memory read again", summary.reading_again(result),
             args.least_read_again)):
        if found < least:
            print("run.py: error: %s in %d kernels, not in %d" % (
                what, found, least), file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
