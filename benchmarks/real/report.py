#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns what build.py wrote (manifest.json) or run.py measured (results.json)
into tables of Markdown: what is left in local memory, and how fast it is.

A cell is a kernel and a cap under which stock clang spills. Its frame fits if
stock clang's frame, of an odd number of words, fits into a block's shared
memory for all threads.
"""

import argparse
import collections
import json
import math
import re
import sys
from pathlib import Path

# Beside the script where build.py copies it to, else in the folder above.
sys.path.append(str(Path(__file__).resolve().parent.parent))

from regdem_common import occupancy, records
from harness.results import geometric_mean, is_timed

RIVALS = ("nvcc-r{}", "nvcc-r{}-pragma", "clang-r{}", "clang-r{}-pragma")
OWN = {"RegDem, frames not moved": "regdem-r{}-unmoved",
       "RegDem": "regdem-r{}"}
BUILDS = {"nvcc": RIVALS[0], "nvcc, pragma": RIVALS[1], "clang": RIVALS[2],
          "clang, pragma": RIVALS[3], **OWN}
EVEN = 0.99  # not slower than the best rival


class Cell:
    def __init__(self, kernel, cap, arch, times):
        self.kernel, self.cap = kernel, cap
        self.name = f"{kernel['id']}@{cap}"
        self.variants = {v["name"]: v for v in kernel["variants"]
                         if "error" not in v}
        self.times = times
        stock = self.build("clang-r{}")
        frame = 4 * (stock["stack"] // 4 | 1)
        needed = stock["smem"] + frame * kernel["block"]
        self.fits = occupancy.by_shared(occupancy.sm_of(arch), needed) > 0

    def build(self, name):
        return self.variants.get(name.format(self.cap))

    def local(self, name):
        build = self.build(name)
        return build["stack"] if build else None

    def time(self, name):
        return self.times.get((self.kernel["id"], name.format(self.cap)))

    def ratio(self, own):
        """Time of the fastest rival over that of `own`; None if unknown."""
        rivals = [t for t in map(self.time, RIVALS) if t]
        time = self.time(own)
        return min(rivals) / time if rivals and time else None

    def reason(self):
        """Why RegDem's own build has local memory: why its frame stays, and
        what is in it."""
        own, free = self.build("regdem-r{}"), self.variants["clang"]
        holds = "spills"
        if free["stack"]:
            holds = "arrays and spills" if records.spill(own) else "arrays"
        why = re.sub(r" \(.*| \d.*", "", own.get("frame_stays", "not asked"))
        return f"{why} ({holds})"


def load(path):
    data = json.loads(path.read_text())
    times = {(row["kernel"], row["variant"]): row["time_ms_median"]
             for row in data.get("rows", ()) if is_timed(row)}
    cells = []
    for kernel in data["kernels"]:
        for cap in kernel["caps"]:
            cell = Cell(kernel, cap, data["arch"], times)
            if all(cell.build(n) for n in ("clang-r{}", *OWN.values())):
                cells.append(cell)
            else:
                print(f"error: {cell.name}: a build is missing",
                      file=sys.stderr)
    return data, cells


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |",
             "|---|" + "---:|" * (len(header) - 1)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def domains(cells):
    groups = collections.defaultdict(list)
    for cell in cells:
        groups[cell.kernel["domain"], cell.kernel["library"]].append(cell)
    for (domain, library), group in sorted(groups.items()):
        yield [domain, library, len({c.kernel["id"] for c in group}),
               len(group), *freed_columns(group)]
    yield ["all", "", len({c.kernel["id"] for c in cells}), len(cells),
           *freed_columns(cells)]


def freed_columns(cells):
    fitting = [c for c in cells if c.fits]
    return [len(fitting)] + [
        f"{sum(not c.local(name) for c in fitting)}" for name in OWN.values()]


def local_bytes(cells):
    for label, name in BUILDS.items():
        built = [c for c in cells if c.build(name)]
        both = sum(c.local("clang-r{}") for c in built)
        left = sum(c.local(name) for c in built)
        yield [label, len(built), sum(not c.local(name) for c in built), left,
               f"{left / both:.2f}" if both else "–"]


def reasons(cells):
    count = collections.Counter(
        c.reason() for c in cells if c.fits and c.local("regdem-r{}"))
    return [[text, number] for text, number in count.most_common()]


def speed(cells):
    for label, name in OWN.items():
        ratios = sorted((r, c.name) for c in cells
                        if (r := c.ratio(name)) is not None)
        if not ratios:
            continue
        values = [r for r, _ in ratios]
        yield [label, len(values), f"{geometric_mean(values):.3f}",
               sum(v >= EVEN for v in values),
               ", ".join(f"{n} {r:.2f}" for r, n in ratios[:5])]


def free_speed(data, cells):
    """`auto` over clang and nvcc without any cap."""
    kernels = {c.kernel["id"]: c for c in cells}.values()
    for label, name in (("clang", "clang"), ("nvcc", "nvcc")):
        ratios = sorted((c.time(name) / c.time("regdem-auto"), c.kernel["id"])
                        for c in kernels
                        if c.time(name) and c.time("regdem-auto"))
        if ratios:
            yield [label, len(ratios),
                   f"{geometric_mean(r for r, _ in ratios):.3f}",
                   sum(r >= EVEN for r, _ in ratios),
                   ", ".join(f"{n} {r:.2f}" for r, n in ratios[:5])]


def each(cells, timed):
    for cell in cells:
        own = cell.build("regdem-r{}")
        row = [cell.name, "yes" if cell.fits else "no"]
        row += ["–" if cell.local(n) is None else cell.local(n)
                for n in BUILDS.values()]
        row += [own["smem"] // 4 // cell.kernel["block"]]
        if not timed:
            yield row
            continue
        for name in BUILDS.values():
            time = cell.time(name)
            row.append(f"{time:.4f}" if time else "–")
        ratio = cell.ratio("regdem-r{}")
        yield row + [f"{ratio:.2f}" if ratio and math.isfinite(ratio) else "–"]


def document(data, cells, short):
    parts = [
        "Local memory. A kernel's cells are the caps under which clang "
        "spills; of those whose frame fits into shared memory, freed are "
        "those that have none left:\n",
        table(["domain", "library", "kernels", "cells", "frame fits",
               "freed by demotion", "freed by RegDem"], domains(cells)),
        "Bytes of local memory a thread, in sum:\n",
        table(["build", "cells", "without local memory", "bytes", "of clang's"],
              local_bytes(cells)),
        "Why local memory is left where the frame fits:\n",
        table(["reason, and what the frame holds", "cells"], reasons(cells)),
    ]
    timed = list(speed(cells))
    if timed:
        columns = ["cells", "geometric mean", "at least 0.99", "worst"]
        parts += [
            "Speed over the fastest of nvcc and clang under the same cap, "
            "with and without ptxas's spilling to shared memory:\n",
            table(["build", *columns], timed),
            "`auto` without a cap:\n",
            table(["over", *columns], free_speed(data, cells))]
    if short:
        return "\n".join(parts)
    header = ["cell", "fits", *(f"{n}: bytes" for n in BUILDS), "words"]
    if timed:
        header += [*(f"{n}: ms" for n in BUILDS), "over the best"]
    parts += [
        "Every cell: bytes of local memory a thread, words a thread in shared "
        "memory of RegDem's build, the kernel's own among them"
        + (", milliseconds, RegDem over the fastest rival:\n" if timed
           else ":\n"),
        table(header, each(cells, timed))]
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path,
                        help="manifest.json or results.json")
    parser.add_argument("--out", type=Path, help="default: standard output")
    parser.add_argument("--short", action="store_true",
                        help="without the table of all cells")
    options = parser.parse_args()
    text = document(*load(options.results), options.short)
    if options.out:
        options.out.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
