#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs, options and ways to use RegDem: does each finished program
keep what RegDem promises?

    run.py --count 200 -j 2 --build build --keep broken

A combination depends on its seed alone: --first SEED --count 1 repeats one.
Exit status: 0 if no promise is broken, 1 if one is, 2 for a usage error.
"""

import argparse
import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

import cubin
import doors
import kernels
import rules
from promises import promise_of
from tools import ToolFailure, Toolchain, Workshop


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=9, metavar="N",
                        help="combinations (default: 9)")
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--door", choices=doors.DOORS, help="this door alone")
    parser.add_argument("-j", type=int, default=1, metavar="N",
                        help="combinations at the same time")
    parser.add_argument("--build", default="build", metavar="DIR",
                        help="RegDem's build folder")
    parser.add_argument("--clang", default="clang++-22", metavar="PATH")
    parser.add_argument("--cuda", default=os.environ.get(
        "CUDA_PATH", "/usr/local/cuda"), metavar="DIR")
    parser.add_argument("--arch", default="sm_90", choices=rules.ARCHITECTURES)
    parser.add_argument("--keep", metavar="DIR",
                        help="gets source, commands and results of each "
                        "combination that breaks a promise")
    return parser.parse_args()


def door_of(seed):
    return list(doors.DOORS)[seed % len(doors.DOORS)]


def random_program(rng, door):
    program = kernels.random_program(rng)
    if door == "launch":
        for kernel in program[:2]:
            kernel.threads = kernel.blocks = 0
            kernel.annotation = {}
    return program


def check(tools, seed, door, folder):
    """What a combination breaks, and how many kernels it has."""
    rng = random.Random(seed)
    program = random_program(rng, door)
    shop = Workshop(tools, folder)
    shop.write(doors.SOURCE, kernels.text(program, rng.random() < 0.2))
    try:
        built = doors.DOORS[door](shop, rng)
    except (ToolFailure, subprocess.TimeoutExpired) as failure:
        return [rules.Broken("tool", "", str(failure))], len(program)
    promises = {kernel.name: promise_of(kernel, built.said) for kernel in program}
    broken = [rules.Broken(rule, "", detail) for rule, detail in built.broken]
    broken += rules.broken_program(promises, built.stock, built.finished,
                                   built.rows, tools.arch)
    return broken, len(program)


def check_one(tools, seed, door, keep):
    door = door or door_of(seed)
    with tempfile.TemporaryDirectory(prefix="regdem-promises-") as work:
        folder = os.path.join(keep, str(seed)) if keep else work
        if keep:
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        broken, count = check(tools, seed, door, folder)
        if keep and not broken:
            shutil.rmtree(folder)
    return seed, door, broken, count


def print_broken(seed, door, broken, keep):
    for rule, kernel, detail in broken:
        print(f"seed {seed}, {door}, {kernel}: {rule}: {detail}")
    if broken and keep:
        print(f"  {os.path.join(keep, str(seed))}: program.cu, commands.sh")


def print_summary(found, count, total):
    """found: (door, rule) of each broken promise."""
    print(f"{count} combinations, {total} kernels, {len(found)} promises broken")
    by_rule = Counter(rule for _, rule in found)
    for rule, number in by_rule.most_common():
        by_door = Counter(door for door, other in found if other == rule)
        print(f"  {number:4} {rule}: "
              + ", ".join(f"{door} {n}" for door, n in by_door.most_common()))
        print(f"       {rules.TEXTS[rule]}")


def main():
    args = arguments()
    tools = Toolchain(os.path.abspath(args.build), args.cuda, args.clang, args.arch)
    if not os.path.isfile(os.path.join(tools.build, "lib", "RegDem.so")):
        sys.exit(f"run.py: error: no RegDem in '{tools.build}'")
    keep = os.path.abspath(args.keep) if args.keep else None
    found, total = [], 0
    with concurrent.futures.ProcessPoolExecutor(args.j) as pool:
        jobs = [pool.submit(check_one, tools, args.first + i, args.door, keep)
                for i in range(args.count)]
        for job in jobs:
            seed, door, broken, count = job.result()
            print_broken(seed, door, broken, keep)
            sys.stdout.flush()
            found += [(door, rule) for rule, _, _ in broken]
            total += count
    print_summary(found, args.count, total)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
