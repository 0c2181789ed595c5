#!/usr/bin/env python3
"""Fuzzes regdem-finish: frames of random kernels moved to shared memory.

    moved.py --seeds 0:64 -j 2 --finisher build/bin/regdem-finish
    moved.py --gpu --seconds 500 --finisher build/bin/regdem-finish --out found

Kernels are compiled by clang, given a cap so low that most of them spill,
assembled and finished. What is moved must be the same machine code but for the
accesses to the frame; with --gpu it is launched instead, beside what it was
made from, on this machine's GPU (sm_90), until the time is used up. clang may be
any program that takes its command line, as it compiles for the GPU alone. Exit
status: 0 if nothing failed, 1 if something did, 2 for a usage error.
"""

import argparse
import concurrent.futures
import os
import re
import sys
import time
from collections import Counter

from campaign import add_launches, run_all
from driver.files import write
from driver.moving import Mover
from driver.result import Result
from driver.toolchain import CUDA, add_tools, find_tool, toolchain
from gen import add_contents, contents, parse_range, positive
from kernelgen import family


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=parse_range, default=(0, 10000000),
                        metavar="A:B", help="seeds A to B-1")
    parser.add_argument("-j", type=positive, metavar="N",
                        help="files compiled at the same time (default: 1, one "
                        "a core with --gpu)")
    parser.add_argument("--finisher", metavar="PATH", required=True,
                        help="regdem-finish")
    parser.add_argument("--option", action="append", default=[],
                        help="a further option of regdem-finish, repeatable")
    parser.add_argument("--builds", type=int, metavar="N",
                        help="caps of each kernel (default: 1, 3 with --gpu)")
    add_contents(parser)
    add_tools(parser, limit=120)
    parser.add_argument("--nvdisasm", metavar="PATH",
                        help="default: as ptxas")
    parser.add_argument("--batch", type=positive, default=16, metavar="N",
                        help="kernels per file (at most %d)"
                        % family.FAMILY_SIZE)
    parser.add_argument("--keep", metavar="DIR",
                        help="where cubins of failing kernels are kept")
    parser.add_argument("--least-moved", type=int, default=0, metavar="N",
                        help="fail unless so many kernels are moved")
    parser.add_argument("--gpu", action="store_true",
                        help="launch the kernels; --seeds may be left out")
    parser.add_argument("--seconds", type=positive, default=500,
                        help="with --gpu: when to stop; the last kernels may "
                        "take half a minute more")
    parser.add_argument("--out", metavar="DIR",
                        help="with --gpu: gets summary.txt, and "
                        "failing.tar.xz if a kernel failed")
    add_launches(parser)
    return parser.parse_args()


def compare_all(mover, files, jobs):
    """Merged result of all files."""
    total = Result()
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for result in pool.map(mover.check, files):
            total.merge(result)
    return total


def reason(text):
    """Without what differs from kernel to kernel."""
    text = re.sub(r"'[^']*'|0x[0-9a-f]+", "...", text)
    return re.sub(r"\b\d+\b", "N", text)


def moving_lines(result, seconds):
    """What became of the frames."""
    moved = sum(r["moved"] for r in result.reports.values())
    parts = sum(r["moved"] and r["moved_bytes"] < r["frame_bytes"]
                for r in result.reports.values())
    lines = ["%d builds of kernels in %.0f s, %d with a frame, %d moved, "
             "%d of them in part" % (len(result.metadata), seconds,
                                     len(result.reports), moved, parts)]
    reasons = Counter(reason(r["reason"]) for r in result.reports.values()
                      if not r["moved"])
    lines += ["  stays: %5d %s" % (count, text)
              for text, count in reasons.most_common(40)]
    if result.skipped:
        lines.append("  ptxas fails on %d of the builds" % len(result.skipped))
    return lines


def launch_lines(campaign):
    """What the launches gave, and whether one failed for its frame's move."""
    queue = campaign.queue
    lines = ["GPU (%s): %d moved kernels run" % (queue.device, sum(
        queue.verdicts.values()) - queue.verdicts["not-run"])]
    lines += ["  %-14s %7d" % row for row in sorted(queue.verdicts.items())]
    lines += ["  %s %s: %s" % (verdict, name, text)
              for name, verdict, text in sorted(
                  queue.failed, key=lambda f: (f[1], f[0]))[:60]]
    lines += ["STOPPED EARLY: " + trouble
              for trouble in (campaign.trouble, queue.lost) if trouble]
    wrong = any(verdict == "mismatch" or verdict.startswith("regdem-")
                for verdict in queue.verdicts)
    return lines, wrong or bool(campaign.trouble or queue.lost)


def main():
    args = arguments()
    if args.j is None:
        args.j = os.cpu_count() if args.gpu else 1
    if not os.path.isfile(args.finisher):
        sys.exit("moved.py: error: no regdem-finish at '%s'" % args.finisher)
    if args.gpu and not args.out:
        sys.exit("moved.py: error: --gpu needs --out")
    for folder in (args.keep, args.out):
        if folder:
            os.makedirs(folder, exist_ok=True)
    start = time.monotonic()
    mover = Mover(toolchain(args), os.path.abspath(args.finisher),
                  find_tool(args.nvdisasm or "nvdisasm", CUDA + "nvdisasm"),
                  args.builds or (3 if args.gpu else 1), contents(args),
                  compare=not args.gpu, keep=args.keep, options=args.option)
    lines, wrong = [], False
    if args.gpu:
        def oracle_in(work, keep):
            mover.gpu, mover.keep = work, keep
            return mover.check

        campaign = run_all(args, start, oracle_in)
        result = campaign.total
        lines, wrong = launch_lines(campaign)
    else:
        result = compare_all(
            mover, family.families(*args.seeds, args.batch), args.j)
    lines = moving_lines(result, time.monotonic() - start) + lines
    lines += ["FAILED seed %d, %s: %s" % failure
              for failure in sorted(result.failures)]
    moved = sum(r["moved"] for r in result.reports.values())
    if moved < args.least_moved:
        lines.append("FAILED: %d kernels moved, not %d" % (
            moved, args.least_moved))
    wrong = wrong or result.failures or moved < args.least_moved
    text = "\n".join(lines) + "\n"
    if args.out:
        write(os.path.join(args.out, "summary.txt"), text)
    print(text, end="", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
