#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""crowd.py --cache FOLDER FILE... -- COMMAND: compiles FILEs many times.

COMMAND takes a file, -o FILE and RegDem's options. Many of them run at once on
the cache in FOLDER, of which every seventh is killed after a random time, and
the cache is emptied now and then. Each that is not killed must write what
COMMAND writes without the cache. In the end every file must be in it.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import random
import subprocess
import sys
import time


def compile_one(command, source, out, cache, killed_after=None):
    """The output; None if it was killed."""
    report = out + ".jsonl"
    process = subprocess.Popen(
        [*command, source, "-o", out, f"-regdem-cache={cache}",
         f"-regdem-report={report}"])
    if killed_after is not None:
        time.sleep(killed_after)
        process.kill()
    if process.wait() != 0:
        if killed_after is None:
            sys.exit(f"{source}: exit status {process.returncode}")
        return None
    with open(out, encoding="utf-8") as file:
        return file.read()


def main():
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--cache", required=True)
    parser.add_argument("files", nargs="+")
    o = parser.parse_args(sys.argv[1:split])
    command = sys.argv[split + 1:]
    expected = {}
    start = time.monotonic()
    for source in o.files:
        expected[source] = compile_one(command, source, source + ".s", "off")
    seconds = (time.monotonic() - start) / len(o.files)
    dice = random.Random(1)

    def job(number):
        source = o.files[number % len(o.files)]
        out = f"{source}.{number}.s"
        after = dice.uniform(0, seconds) if number % 7 == 3 else None
        if number % 31 == 30:
            for entry in glob.glob(os.path.join(o.cache, "llvmcache-*")):
                try:
                    os.remove(entry)
                except FileNotFoundError:
                    pass
        text = compile_one(command, source, out, o.cache, after)
        if text is None:
            return False
        if text != expected[source]:
            sys.exit(f"{out} differs from {source}.s")
        os.remove(out)
        return True

    with concurrent.futures.ThreadPoolExecutor(o.at_once) as pool:
        done = list(pool.map(job, range(o.count)))
    served = 0
    for source in o.files:
        compile_one(command, source, source + ".s", o.cache)
        out = source + ".last.s"
        if compile_one(command, source, out, o.cache) != expected[source]:
            sys.exit(f"{out} differs")
        with open(out + ".jsonl", encoding="utf-8") as file:
            served += all(json.loads(line).get("cached") for line in file)
    print(f"{o.count} compilations, {done.count(False)} killed: all others "
          f"right; {served} of {len(o.files)} files cached")


main()
