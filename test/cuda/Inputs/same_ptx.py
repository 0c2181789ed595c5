#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_ptx.py [--jobs N] [--all] [--cap REGS] BENCHMARKS KERNELS -- CLANG...

Compiles benchmark kernels (names separated by commas; with --all, every one)
twice, one after the other and then all at once N at a time on a machine that is
kept busy, and fails if a kernel's PTX is not the same, byte for byte, or no
kernel has slots. CLANG is the compiler with all flags but the input's.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys


def instances(folder, names):
    """(instance, source, flags) of each kernel of these names; all if empty."""
    kernels = os.path.join(folder, "kernels")
    for name in sorted(names or os.listdir(kernels)):
        with open(os.path.join(kernels, name, "kernel.json"),
                  encoding="utf-8") as file:
            description = json.load(file)
        for instance in description["instances"]:
            flags = ["-std=gnu++17", f"-I{folder}",
                     f"-I{os.path.join(kernels, name)}"]
            flags += [f"-D{d}" for d in instance.get("defines", [])]
            yield (instance["id"], os.path.join(kernels, name, "kernel.cu"),
                   flags, min(description.get("caps", [32])))


def compile_one(command, instance, cap):
    name, source, flags, own_cap = instance
    result = subprocess.run(
        command + ["-mllvm", f"-regdem-max-regs={cap or own_cap}"] + flags +
        [source, "-o", "-"], stdout=subprocess.PIPE, check=False)
    if result.returncode:
        sys.exit(f"same_ptx: {name}: exit status {result.returncode}")
    return result.stdout


def main():
    cut = sys.argv.index("--")
    command = sys.argv[cut + 1:]
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--cap", type=int)
    parser.add_argument("benchmarks")
    parser.add_argument("kernels", nargs="?", default="")
    options = parser.parse_args(sys.argv[1:cut])
    names = [] if options.all else options.kernels.split(",")
    work = list(instances(options.benchmarks, names))

    alone = [compile_one(command, w, options.cap) for w in work]
    load = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
            for _ in range(os.cpu_count())]
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            together = list(pool.map(
                lambda w: compile_one(command, w, options.cap), work))
    finally:
        for process in load:
            process.kill()
            process.wait()
    different = [w[0] for w, a, b in zip(work, alone, together) if a != b]
    if different:
        sys.exit(f"same_ptx: not the same twice: {', '.join(different)}")
    demoted = sum(b"__regdem_slots_" in ptx for ptx in alone)
    if not demoted:
        sys.exit("same_ptx: nothing was demoted")
    print(f"{len(work)} kernels, {demoted} demoted: the same PTX twice")


if __name__ == "__main__":
    main()
