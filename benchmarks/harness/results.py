# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads results.json, computes ratios and writes times.csv; draws and prints
nothing."""

import csv
import json
import math
import statistics
from dataclasses import dataclass

from regdem_common.occupancy import blocks_per_sm

from .catalog import SETS, load

# What a kind of build is, as a predicate on the variant's name. "Best" kinds
# include the compiler's free choice: a user who sweeps may keep it.
KINDS = {
    "nvcc": lambda v: v == "nvcc",
    "nvcc best cap": lambda v: v.startswith("nvcc") and "pragma" not in v,
    "nvcc best pragma": lambda v: v.startswith("nvcc") and "pragma" in v,
    "clang": lambda v: v == "clang",
    "clang best cap": lambda v: v.startswith("clang") and "pragma" not in v,
    "clang best pragma": lambda v: v.startswith("clang") and "pragma" in v,
    "RegDem auto": lambda v: v == "regdem-auto",
    "RegDem demote": lambda v: v.startswith("regdem-r"),
    # Whatever RegDem may decide: the stock build, a cap, the pragma, demotion.
    "RegDem best": lambda v: v.startswith(("clang", "regdem")),
}
BASELINES = (
    "clang",
    "clang best cap",
    "nvcc",
    "nvcc best cap",
    "nvcc best pragma",
)
FIGURES = ("regs", "spill_store_bytes", "spill_load_bytes", "smem")


def is_timed(row):
    """Whether the build was measured and right."""
    return row["correct"] and "time_ms_median" in row


def write_times(path, rows):
    """A line for each build that was measured and right: its figures and its
    median time over the repetitions, in milliseconds."""
    builds = {}
    for row in rows:
        if is_timed(row):
            builds.setdefault((row["kernel"], row["variant"]), []).append(row)
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("kernel", "variant", *FIGURES, "time_ms"))
        for key, repeats in builds.items():
            time = statistics.median(r["time_ms_median"] for r in repeats)
            writer.writerow((*key, *(repeats[0][f] for f in FIGURES),
                             f"{time:.6g}"))


def geometric_mean(values):
    """None for no values."""
    values = list(values)
    if not values:
        return None
    return math.exp(sum(math.log(v) for v in values) / len(values))


@dataclass
class Kernel:
    """The measurements of one benchmark."""

    id: str
    set: str
    description: str
    block: int
    rows: dict  # variant -> row of the first repetition
    times: dict  # variant -> one median time in ms per repetition
    min_blocks: int = 0  # blocks per SM that the source asks for

    def time(self, variant):
        """Median over the repetitions, in milliseconds."""
        return statistics.median(self.times[variant])

    def fastest(self, kind):
        """The fastest correct variant of a kind, or None."""
        names = [v for v in self.times if KINDS[kind](v)]
        if kind == "RegDem best" and not any(
            v.startswith("regdem") for v in names
        ):
            return None
        return min(names, key=lambda v: (self.time(v), v), default=None)

    def over_best(self, kind, keep_promise=False):
        """Time of `kind` over that of the fastest build that RegDem may
        decide for; None if one is missing. keep_promise: of those builds that
        have the blocks per SM which the source asks for."""
        one = self.fastest(kind)
        if one is None or self.fastest("RegDem best") is None:
            return None
        times = [
            self.time(v)
            for v in self.times
            if KINDS["RegDem best"](v)
            and (
                not keep_promise
                or self.rows[v]["blocks_per_sm"] >= self.min_blocks
            )
        ]
        return self.time(one) / min(times) if times else None

    def speedup(self, kind, baseline):
        """Time of `baseline` over time of `kind`; None if one is missing."""
        one, other = self.fastest(kind), self.fastest(baseline)
        if one is None or other is None:
            return None
        return self.time(other) / self.time(one)

    def spread(self, kind, baseline):
        """Lowest and highest ratio of the repetitions, for the variants that
        are fastest over all; None with fewer than two repetitions."""
        one, other = self.fastest(kind), self.fastest(baseline)
        if one is None or other is None or len(self.times[one]) < 2:
            return None
        ratios = [
            b / a for a, b in zip(self.times[one], self.times[other])
        ]
        return min(ratios), max(ratios)

    def register_limited(self, arch):
        """Would stock clang's build have more blocks with fewer registers?"""
        row = self.rows.get("clang") or self.rows.get("nvcc")
        if row is None:
            return False
        free = blocks_per_sm(arch, self.block, 16, row["smem"])
        return row["blocks_per_sm"] < free


class Results:
    def __init__(self, data):
        self.data = data
        self.arch = data["arch"]
        self.kernels = []
        self.wrong = [r for r in data["rows"] if not r["correct"]]
        asked = {bench.id: bench.min_blocks for bench in load()}
        for kernel in data["kernels"]:
            rows, times = {}, {}
            for row in data["rows"]:
                if row["kernel"] == kernel["id"] and is_timed(row):
                    rows.setdefault(row["variant"], row)
                    times.setdefault(row["variant"], []).append(
                        row["time_ms_median"]
                    )
            if times:
                self.kernels.append(
                    Kernel(
                        kernel["id"],
                        kernel["set"],
                        kernel["description"],
                        kernel["block"],
                        rows,
                        times,
                        asked.get(kernel["id"], 0),
                    )
                )

    @classmethod
    def read(cls, path):
        return cls(json.loads(path.read_text()))

    @property
    def has_regdem(self):
        return any(k.fastest("RegDem auto") for k in self.kernels)

    def groups(self):
        """(name, kernels): every set and all of them, each followed by its
        register-limited kernels alone."""
        sets = [(n, [k for k in self.kernels if k.set == n]) for n in SETS]
        for name, kernels in [*sets, ("all", self.kernels)]:
            if kernels:
                yield name, kernels
                yield f"{name}, register-limited", [
                    k for k in kernels if k.register_limited(self.arch)
                ]

    def mean(self, kernels, kind, baseline):
        """Geometric mean of the speed-ups that exist, or None."""
        ratios = [k.speedup(kind, baseline) for k in kernels]
        return geometric_mean(r for r in ratios if r is not None)

    def losses(self, kind, baseline, margin=0.02):
        """(kernel, ratio) where `kind` is slower than the baseline by more
        than `margin`, worst first."""
        found = [(k, k.speedup(kind, baseline)) for k in self.kernels]
        return sorted(
            ((k, r) for k, r in found if r is not None and r < 1 - margin),
            key=lambda pair: pair[1],
        )
