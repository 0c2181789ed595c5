#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How RegDem's compile time grows with the length of a kernel.

Counts the instructions that the processor executes (valgrind's callgrind, so
the figures are the same on any machine and under any load) in llc without the
plugin, in RegDem's pass and in its checker, and in the pass that puts blocks
into another order, for kernels of about 1 k, 4 k, 16 k and 64 k machine
instructions of each shape, with each strategy and each order. Prints a table
for each shape and the growth exponents; exit status 1 if one of RegDem's is
above --limit.
"""

import argparse
import csv
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
# callgrind counts only while this function, or what it calls, is running.
PASS_FUNCTION = "*RegDem::runOnMachineFunction*"
ORDER_FUNCTION = "*OrderBlocks::runOnMachineFunction*"
CHECKER = ("regdem::checkDemotion(", "regdem::FunctionSnapshot::FunctionSnapshot(")
# Strategy and threads of a block: resident plans are others where slots are
# short.
PLANS = {"belady": ("belady", 128), "resident": ("resident", 128),
         "resident short": ("resident", 512)}
ORDERS = ["near", "deep", "forward"]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[0]} failed: {done.stderr.strip()}")
    return done.stdout


def inclusive(profile, functions):
    """Cost of the calls, in callgrind's output, of functions whose names start
    with one of `functions`, with all that they call."""
    # A name stands where its number is used first; two lines follow a cfn=:
    # calls=, then the position and the cost of the calls.
    named = re.findall(r"^c?fn=\((\d+)\) (.*)$", profile, re.M)
    wanted = {number for number, name in named if name.startswith(functions)}
    calls = re.findall(r"^cfn=\((\d+)\).*\ncalls=.*\n\S+ (\d+)$", profile, re.M)
    return sum(int(cost) for number, cost in calls if number in wanted)


class Compiler:
    def __init__(self, llc, plugin, folder):
        self.llc = [llc, "-O3", "-mcpu=sm_90"]
        self.plugin = f"-load-pass-plugin={plugin}"
        self.folder = Path(folder)

    def kernel(self, shape, segments):
        """The file of a kernel with this many segments."""
        path = self.folder / f"{shape}-{segments}.ll"
        if not path.exists():
            path.write_text(kernelgen.SHAPES[shape](segments), encoding="utf-8")
        return str(path)

    def instructions(self, shape, segments):
        """PTX instructions of the kernel: what is left of it at the end."""
        text = run(self.llc + [self.kernel(shape, segments), "-o", "-"])
        return len(re.findall(r"^\t(?:@\S+ )?[a-z][^\n]*;$", text, re.M))

    def segments(self, shape, size):
        """Segments of a kernel with about `size` instructions."""
        few, many = 10, 30
        low = self.instructions(shape, few)
        step = (self.instructions(shape, many) - low) / (many - few)
        return max(1, round(few + (size - low) / step))

    def profile(self, kernel, name, callgrind, arguments):
        """What callgrind writes of llc; its total."""
        out = Path(kernel).with_suffix(f".{name}")
        run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
             *callgrind, *self.llc, *arguments, kernel, "-o", "/dev/null"])
        text = out.read_text()
        total = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
        return text, int(total.group(1)) if total else 0

    def profile_pass(self, kernel, name, function, arguments):
        """The same of one function of RegDem's alone."""
        text, total = self.profile(
            kernel, name,
            ["--collect-atstart=no", f"--toggle-collect={function}"],
            [self.plugin, *arguments])
        if not total:
            sys.exit(f"callgrind saw nothing of {function}: is it in the "
                     "plugin's symbol table?")
        return text, total

    def counts(self, shape, segments):
        """By name of the figure, the instructions for one kernel."""
        kernel = self.kernel(shape, segments)
        figures = {"llc": self.profile(kernel, "llc", [], [])[1]}
        for plan, (strategy, threads) in PLANS.items():
            text, total = self.profile_pass(
                kernel, plan.replace(" ", "-"), PASS_FUNCTION,
                [f"-regdem-build=cap=40 demote={strategy}:36",
                 f"-regdem-block-size={threads}"])
            checker = inclusive(text, CHECKER)
            if not checker:
                sys.exit("callgrind saw nothing of the checker")
            figures[plan] = total - checker
            figures[f"{plan} checker"] = checker
        for order in ORDERS:
            _, figures[order] = self.profile_pass(
                kernel, order, ORDER_FUNCTION,
                [f"-regdem-build=cap=40 order={order}",
                 "-regdem-block-size=128"])
        return figures


def exponent(sizes, counts):
    """Slope of the line through the points on logarithmic scales."""
    xs, ys = [math.log(s) for s in sizes], [math.log(c) for c in counts]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys))
            / sum((x - x_mean) ** 2 for x in xs))


def report(shape, sizes, rows):
    """Prints the figures of one shape; returns their growth by name."""
    names = list(rows[0])
    print(f"{shape:14} " + "".join(f"{name:>19}" for name in names))
    for size, row in zip(sizes, rows):
        print(f"{size:14} " + "".join(f"{row[name]:19}" for name in names))
    growth = {n: exponent(sizes, [row[n] for row in rows]) for n in names}
    print("growth exp.    " + "".join(f"{growth[n]:19.3f}" for n in names),
          flush=True)
    return growth


def write_csv(path, table):
    """One row for each kernel, then the exponents of its shape."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["shape", "instructions", *table[0][2][0]])
        for shape, sizes, rows, growth in table:
            for size, row in zip(sizes, rows):
                out.writerow([shape, size, *row.values()])
            out.writerow([shape, "exponent",
                          *(f"{value:.3f}" for value in growth.values())])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin", required=True, help="RegDem.so")
    parser.add_argument("--llc", default=shutil.which("llc-22") or "llc")
    parser.add_argument("--shapes", nargs="+", default=list(kernelgen.SHAPES),
                        choices=list(kernelgen.SHAPES))
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES,
                        help="machine instructions of each kernel")
    parser.add_argument("--limit", type=float, default=1.2,
                        help="largest growth exponent of the pass")
    parser.add_argument("--out", help="CSV file for all figures")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    options = parser.parse_args()
    if len(set(options.sizes)) < 2:
        parser.error("growth needs two sizes")
    if not shutil.which("valgrind"):
        parser.error("valgrind is not installed")
    table = []
    with tempfile.TemporaryDirectory() as folder, \
            ThreadPoolExecutor(options.jobs) as pool:
        compiler = Compiler(options.llc, options.plugin, folder)
        for shape in options.shapes:
            segments = [compiler.segments(shape, s) for s in options.sizes]
            rows = list(pool.map(lambda s: compiler.counts(shape, s), segments))
            sizes = [compiler.instructions(shape, s) for s in segments]
            table.append((shape, sizes, rows, report(shape, sizes, rows)))
    if options.out:
        write_csv(options.out, table)
    sys.exit(any(value > options.limit for *_, growth in table
                 for name, value in growth.items() if name != "llc"))


if __name__ == "__main__":
    main()
