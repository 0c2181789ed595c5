# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RegDem against other builds under the same register cap.

A cell is a kernel and a cap under which stock clang spills to local memory.
"""

from harness.results import geometric_mean
from regdem_common.records import spill

# What RegDem's build is compared with; the cap goes into the name.
RIVALS = {
    "nvcc": "nvcc-r{}",
    "clang": "clang-r{}",
    "clang, pragma": "clang-r{}-pragma",
}
PREFIX = "regdem-r"


def cells(results):
    """(kernel, cap) of every cell that has a RegDem build, in order."""
    found = []
    for kernel in results.kernels:
        for name in kernel.times:
            if not name.startswith(PREFIX):
                continue
            cap = name[len(PREFIX):]
            row = kernel.rows.get(RIVALS["clang"].format(cap))
            if spill(row):
                found.append((kernel, cap))
    return found


def ratios(results, rival):
    """{(kernel id, cap): times of the rival over RegDem's}: of the medians
    over all repetitions, and a list of each repetition's."""
    found = {}
    for kernel, cap in cells(results):
        other, own = RIVALS[rival].format(cap), PREFIX + cap
        if other in kernel.times:
            each = [a / b
                    for a, b in zip(kernel.times[other], kernel.times[own])]
            found[kernel.id, cap] = kernel.time(other) / kernel.time(own), each
    return found


def spread(found):
    """Lowest and highest geometric mean of one repetition over all cells, as
    text; "–" with one repetition."""
    means = [geometric_mean(each)
             for each in zip(*(each for _, each in found.values()))]
    return f"{min(means):.3f}–{max(means):.3f}" if len(means) > 1 else "–"


def rows(results, even=0.99):
    """One row per rival: its name, the geometric mean, that of the lowest and
    highest repetition, in how many cells RegDem is at least `even` times as
    fast, and the three worst cells. The last row takes the best rival of every
    cell."""
    by_rival = {rival: ratios(results, rival) for rival in RIVALS}
    best = {}
    for found in by_rival.values():
        for cell, pair in found.items():
            best[cell] = min(pair, best.get(cell, pair))
    by_rival["best of these"] = best
    table = []
    for rival, found in by_rival.items():
        if not found:
            continue
        overall = {cell: ratio for cell, (ratio, _) in found.items()}
        worst = sorted(overall.items(), key=lambda item: item[1])[:3]
        table.append([
            rival,
            f"{geometric_mean(overall.values()):.2f}",
            spread(found),
            f"{sum(r >= even for r in overall.values())} of {len(found)}",
            ", ".join(f"{k}@{cap} {r:.2f}" for (k, cap), r in worst),
        ])
    return table
