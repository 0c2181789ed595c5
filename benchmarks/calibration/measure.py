#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many registers a kernel needs, by RegDem's estimate and by ptxas.

ptxas spends registers on scheduling, so what it uses unless told otherwise is
more than it needs. This script finds for each kernel the lowest .maxnreg under
which stock clang's code does not spill, by bisection, and writes one line of
CSV with it and with what RegDem's analysis knows. Kernels: the benchmarks and
random ones of test/fuzz.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from harness import catalog, ptx, toolchain  # noqa: E402

FIELDS = ("kernel", "pressure", "used", "needed")
# ptxas uses no fewer registers on sm_90, whatever it is told.
LOWEST = 24
MOST = 255


def shell(command):
    return toolchain.run([str(part) for part in command]).stdout


class Meter:
    def __init__(self, options, folder):
        self.options = options
        self.tools = toolchain.from_arguments(options)
        self.folder = Path(folder)

    def bitcode(self, name, source, flags):
        """The optimised module, as the code generator gets it."""
        out = self.folder / f"{name}.bc"
        shell(
            [self.options.clang, "-x", "cuda", "--cuda-device-only", "-O3"]
            + [f"--cuda-path={self.options.cuda}", "-Wno-everything"]
            + [f"--cuda-gpu-arch={self.options.arch}", "-std=c++17"]
            + ["-emit-llvm", "-c", *flags, source, "-o", out]
        )
        return out

    def spills(self, text, cap, name):
        """Registers and whether ptxas spills under `cap` (None: no cap)."""
        path = self.folder / f"{name}.ptx"
        path.write_text(ptx.edit(text, cap) if cap else text)
        figures = self.tools.assemble(path, os.devnull)
        return figures.regs, figures.spill > 0

    def needed(self, text, used, name):
        """The lowest cap without spill, given that `used` has none."""
        low, high = LOWEST - 1, max(used, LOWEST)
        while high - low > 1:
            middle = (low + high) // 2
            if self.spills(text, middle, name)[1]:
                low = middle
            else:
                high = middle
        return high

    def row(self, name, source, flags):
        """The table's line for one kernel; None where it cannot have one."""
        module = self.bitcode(name, source, flags)
        shown = shell([self.options.regdem_opt, "--print=pressure", module])
        found = re.findall(r"^kernel: (\d+) words$", shown, re.M)
        if len(found) != 1:
            return None  # Several kernels, whose figures ptxas would mix.
        text = shell(
            [self.options.regdem_opt, "-regdem-mode=off", module]
        )
        used, spills = self.spills(text, None, name)
        if spills or used > MOST:
            return None
        needed = self.needed(text, used, name)
        return dict(zip(FIELDS, (name, int(found[0]), used, needed)))


def random_kernels(seeds, folder):
    """Sources of the fuzzer's kernels, one file each."""
    generator = ROOT.parent / "test" / "fuzz" / "gen.py"
    for seed in range(*map(int, seeds.split(":"))):
        path = Path(folder) / f"seed{seed}.cu"
        shell([sys.executable, generator, "--seeds", seed, "-o", path])
        yield f"seed{seed}", path, [f"-I{generator.parent}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, type=Path, help="CSV file")
    parser.add_argument("--regdem-opt", required=True, metavar="PROGRAM")
    parser.add_argument("--seeds", default="0:0", help="FIRST:END of test/fuzz")
    parser.add_argument("--jobs", type=int, default=2)
    toolchain.add_arguments(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        meter = Meter(options, folder)
        jobs = [
            (
                bench.id,
                bench.source,
                [f"-I{catalog.ROOT}", f"-I{bench.folder}"]
                + [f"-D{define}" for define in bench.defines],
            )
            for bench in catalog.load()
        ]
        jobs += random_kernels(options.seeds, folder)

        def measure(job):
            try:
                return meter.row(*job)
            except toolchain.ToolError as error:
                print(f"{job[0]}: {error}", file=sys.stderr)
                return None

        with ThreadPoolExecutor(options.jobs) as pool:
            rows = [row for row in pool.map(measure, jobs) if row]
    with options.out.open("w", newline="") as file:
        table = csv.DictWriter(file, FIELDS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    print(f"{len(rows)} of {len(jobs)} kernels measured")


if __name__ == "__main__":
    main()
