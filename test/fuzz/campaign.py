#!/usr/bin/env python3
"""Compiles random kernels and runs them on this machine's GPU, for a while.

    campaign.py --seeds 0:100000 --seconds 500 -j 16 --plugin build/lib/RegDem.so \\
        --out found

Works through the seeds in order until they or the time are used up. Kernels
are compiled and checked as run.py does, and launched by gpu_check while the
next ones are compiled. The folder 'out' gets summary.txt, and failing.tar.xz
with the kernels that failed: source, options, report, PTX and cubins.
Exit status: 0 if nothing failed, 1 if something did, 2 for a usage error.
"""

import argparse
import concurrent.futures
import os
import sys
import tarfile
import tempfile
import time

from driver import gpu_bundle, summary
from driver.files import write
from driver.gpu_queue import GpuQueue
from driver.oracles import Oracles
from driver.result import Result
from driver.toolchain import add_plugin, add_tools, toolchain
from gen import add_contents, contents, parse_range, positive
from kernelgen import family
from run import check_plugin


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=parse_range, required=True,
                        metavar="A:B", help="seeds A to B-1")
    parser.add_argument("--seconds", type=positive, required=True,
                        help="when to stop; the last kernels may take half a "
                        "minute more")
    parser.add_argument("-j", type=positive, default=os.cpu_count(),
                        metavar="N", help="files compiled at the same time")
    parser.add_argument("--out", metavar="DIR", required=True)
    add_plugin(parser, required=True)
    add_contents(parser)
    add_tools(parser, limit=60)
    add_launches(parser)
    parser.add_argument("--batch", type=positive, default=4, metavar="N",
                        help="kernels per file")
    return parser.parse_args()


def add_launches(parser):
    """Arguments for launches; see run_all()."""
    parser.add_argument("--gpu-check", metavar="PATH",
                        help="the program; built if not given")
    parser.add_argument("--launch-limit", type=int, default=5,
                        metavar="SECONDS", help="time limit of one launch")


class Campaign:
    """Feeds the compilation and hands its results to the GPU queue."""

    def __init__(self, oracle, queue, files, jobs, end):
        self.oracle = oracle
        self.queue = queue
        self.files = iter(files)
        self.jobs = jobs
        self.end = end
        self.total = Result()
        self.seeds = 0
        self.last = None
        self.trouble = None

    def run(self):
        pool = concurrent.futures.ProcessPoolExecutor(self.jobs)
        running = {}
        self._feed(pool, running)
        self.queue.start()
        shown = time.monotonic()
        while running and time.monotonic() < self.end + 20:
            done, _ = concurrent.futures.wait(
                running, 5, concurrent.futures.FIRST_COMPLETED)
            for future in done:
                self._take(future, running.pop(future))
            self._feed(pool, running)
            if time.monotonic() - shown > 30:
                shown = time.monotonic()
                print("  %d kernels, %d failures, GPU: %s" % (
                    self.seeds, len(self.total.failures), ", ".join(
                        "%d %s" % (n, v) for v, n in sorted(
                            self.queue.verdicts.items()))), flush=True)
        pool.shutdown(wait=False, cancel_futures=True)
        for process in list((pool._processes or {}).values()):
            process.kill()
        self.queue.close(max(10, self.end + 40 - time.monotonic()))

    def _feed(self, pool, running):
        while (len(running) < 2 * self.jobs and not self.trouble
               and time.monotonic() < self.end):
            seeds = next(self.files, None)
            if seeds is None:
                return
            running[pool.submit(self.oracle, seeds)] = seeds

    def _take(self, future, seeds):
        if future.cancelled():
            return
        error = future.exception()
        if error is not None:
            self.trouble = "seeds %d to %d: %r" % (seeds[0], seeds[-1], error)
            return
        result = future.result()
        self.total.merge(result)
        self.seeds += len(seeds)
        self.last = max(self.last or 0, seeds[-1])
        if result.pairs:
            self.queue.put(result)


def report(campaign, seconds, out):
    """Prints the summary and writes it; returns the exit status."""
    queue, lines = campaign.queue, []
    through = len(campaign.total.regdem)
    lines.append("campaign: %d kernels compiled in %.0f s, the last seed is "
                 "%s; %d through checker and ptxas" % (
                     campaign.seeds, seconds, campaign.last, through))
    lines.append("GPU (%s): %d run, %d of them changed" % (
        queue.device, sum(queue.verdicts.values())
        - queue.verdicts["not-run"], sum(queue.changed.values())
        - queue.changed["not-run"]))
    for verdict, count in sorted(queue.verdicts.items()):
        lines.append("  %-14s %7d kernels, %7d changed" % (
            verdict, count, queue.changed[verdict]))
    for name, verdict, text in sorted(queue.failed, key=lambda f: f[1]):
        lines.append("  %s %s: %s" % (verdict, name, text))
    for trouble in (campaign.trouble, queue.lost):
        if trouble:
            lines.append("STOPPED EARLY: " + trouble)
    text = "\n".join(lines)
    write(os.path.join(out, "summary.txt"), text + "\n")
    print(text, flush=True)
    return 1 if queue.failed or campaign.trouble or queue.lost else 0


def pack(keep, out):
    """failing.tar.xz, of failing cases as long as they fit 14 MiB."""
    path, room = os.path.join(out, "failing.tar.xz"), 14 << 20
    if not os.listdir(keep):
        return
    with tarfile.open(path, "w:xz", preset=3) as archive:
        for name in sorted(os.listdir(keep)):
            if os.path.getsize(path) > room:
                print("  not kept, no room: " + name)
                continue
            archive.add(os.path.join(keep, name), name)


def run_all(args, start, oracle_in):
    """The campaign over args.seeds, after its end. oracle_in(work, keep): what
    is to be done with seeds; launches take what it leaves in the folder work,
    and what fails is kept in the folder keep."""
    with tempfile.TemporaryDirectory(prefix="regdem-campaign-",
                                     ignore_cleanup_errors=True) as work:
        keep = os.path.join(work, "failing")
        os.makedirs(keep)
        checker = args.gpu_check or os.path.join(work, "gpu_check")
        if not args.gpu_check:
            gpu_bundle.build_launcher(checker)
        campaign = Campaign(
            oracle_in(work, keep),
            GpuQueue(checker, work, keep, args.launch_limit),
            family.families(*args.seeds, args.batch), args.j,
            start + args.seconds)
        campaign.run()
        pack(keep, args.out)
    return campaign


def main():
    args = arguments()
    if not os.path.isfile(args.plugin):
        sys.exit("campaign.py: error: no plugin at '%s'" % args.plugin)
    start = time.monotonic()
    tools = toolchain(args)
    check_plugin(tools)
    os.makedirs(args.out, exist_ok=True)
    campaign = run_all(args, start, lambda work, keep: Oracles(
        tools, keep, work, keep_ptx=True, contents=contents(args)).check)
    seconds = time.monotonic() - start
    status = report(campaign, seconds, args.out)
    return max(status, summary.print_summary(
        campaign.total, campaign.seeds, seconds, True))


if __name__ == "__main__":
    sys.exit(main())
