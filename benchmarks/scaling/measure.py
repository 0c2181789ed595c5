#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How RegDem's compile time grows with the length of a kernel.

Counts the instructions that the processor executes (valgrind's callgrind, so
the figures are the same on any machine and under any load) in llc without the
plugin and in RegDem's pass, its checker apart, for kernels of about 1 k, 4 k,
16 k and 64 k machine instructions and the same pressure, with each strategy.
Prints a table and the growth exponents; exit status 1 if that of a whole pass
is above --limit.
"""

import argparse
import math
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kernelgen

SIZES = [1000, 4000, 16000, 64000]
STRATEGIES = ["rotating", "resident"]
# callgrind counts only while this function, or what it calls, is running.
PASS_FUNCTION = "*RegDem::runOnMachineFunction*"
REGDEM = ["-regdem-mode=demote", "-regdem-max-regs=40", "-regdem-ptxas=off",
          "-regdem-block-size=128"]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[0]} failed: {done.stderr.strip()}")
    return done.stdout


class Compiler:
    def __init__(self, llc, plugin, folder):
        self.llc = [llc, "-O3", "-mcpu=sm_90"]
        self.plugin = f"-load-pass-plugin={plugin}"
        self.folder = Path(folder)

    def kernel(self, segments):
        """The file of a kernel with this many segments."""
        path = self.folder / f"{segments}.ll"
        if not path.exists():
            path.write_text(kernelgen.kernel(segments), encoding="utf-8")
        return path

    def instructions(self, segments):
        """PTX instructions of the kernel: what is left of it at the end."""
        text = run(self.llc + [str(self.kernel(segments)), "-o", "-"])
        return len(re.findall(r"^\t(?:@\S+ )?[a-z][^\n]*;$", text, re.M))

    def count(self, segments, name, arguments, function=None):
        """Instructions that llc executes, in `function` if one is given."""
        out = self.folder / f"{segments}-{name}.callgrind"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        if function:
            command += ["--collect-atstart=no", f"--toggle-collect={function}"]
        run(command + self.llc + arguments +
            [str(self.kernel(segments)), "-o", "/dev/null"])
        total = re.search(r"^(?:totals|summary): (\d+)", out.read_text(), re.M)
        if not total or not int(total.group(1)):
            sys.exit(f"callgrind saw nothing of {function}: is it in the "
                     "plugin's symbol table?")
        return int(total.group(1))

    def counts(self, segments):
        """By name of the figure, the instructions for one kernel."""
        figures = {"llc": self.count(segments, "llc", [])}
        for strategy in STRATEGIES:
            arguments = [self.plugin, *REGDEM, f"-regdem-strategy={strategy}"]
            whole = self.count(segments, strategy, arguments, PASS_FUNCTION)
            arguments.append("-regdem-verify=false")
            planned = self.count(segments, strategy, arguments, PASS_FUNCTION)
            figures[strategy] = whole
            figures[f"{strategy} checker"] = whole - planned
        return figures


def segments_for(compiler, size):
    """Segments of a kernel with about `size` instructions."""
    few, many = 10, 30
    low, high = compiler.instructions(few), compiler.instructions(many)
    step = (high - low) / (many - few)
    return max(1, round(few + (size - low) / step))


def exponent(sizes, counts):
    """Slope of the line through the points on logarithmic scales."""
    xs, ys = [math.log(s) for s in sizes], [math.log(c) for c in counts]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys))
            / sum((x - x_mean) ** 2 for x in xs))


def report(sizes, rows):
    """Prints all figures; returns the largest exponent of a pass."""
    names = list(rows[0])
    print("machine instr. " + "".join(f"{name:>20}" for name in names))
    for size, row in zip(sizes, rows):
        print(f"{size:14} " + "".join(f"{row[name]:20}" for name in names))
    growth = {n: exponent(sizes, [row[n] for row in rows]) for n in names}
    print("growth exp.    " + "".join(f"{growth[n]:20.3f}" for n in names))
    return max(growth[strategy] for strategy in STRATEGIES)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin", required=True, help="RegDem.so")
    parser.add_argument("--llc", default=shutil.which("llc-22") or "llc")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES,
                        help="machine instructions of each kernel")
    parser.add_argument("--limit", type=float, default=1.2,
                        help="largest growth exponent of the pass")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    options = parser.parse_args()
    if len(set(options.sizes)) < 2:
        parser.error("growth needs two sizes")
    if not shutil.which("valgrind"):
        parser.error("valgrind is not installed")
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(options.llc, options.plugin, folder)
        segments = [segments_for(compiler, size) for size in options.sizes]
        with ThreadPoolExecutor(options.jobs) as pool:
            rows = list(pool.map(compiler.counts, segments))
        sizes = [compiler.instructions(s) for s in segments]
    sys.exit(report(sizes, rows) > options.limit)


if __name__ == "__main__":
    main()
