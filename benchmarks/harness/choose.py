# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which variants of a kernel the spilling analysis looks at."""

import re
import statistics
from fnmatch import fnmatchcase


def usable(kernel):
    """Variant entries of the manifest that were built, by name."""
    return {v["name"]: v for v in kernel["variants"] if "error" not in v}


def caps(names, prefix):
    """Caps N of the variants that are called prefix-rN."""
    found = (re.fullmatch(rf"{prefix}-r(\d+)", name) for name in names)
    return {int(match.group(1)) for match in found if match}


def best_demoted(kernel_id, names, results):
    """The fastest correct regdem-rN in results.json's data, or None."""
    times = {}
    for row in results["rows"] if results else ():
        name = row["variant"]
        if row["kernel"] == kernel_id and row["correct"] and name in names:
            if name.startswith("regdem-r") and "time_ms_median" in row:
                times.setdefault(name, []).append(row["time_ms_median"])
    return min(
        times, key=lambda n: (statistics.median(times[n]), n), default=None
    )


def variants(kernel, results=None, patterns=()):
    """Names to analyse, the stock build first.

    By default clang, and at the lowest cap that both clang and RegDem were
    built for: clang with the cap, with the cap and the pragma, RegDem; then
    the fastest RegDem of `results`. Without a common cap each counts by its
    own lowest. `patterns` (as of a shell) replace that choice.
    """
    names = list(usable(kernel))
    if patterns:
        return [n for n in names if any(fnmatchcase(n, p) for p in patterns)]
    clang, demoted = caps(names, "clang"), caps(names, "regdem")
    common = clang & demoted
    chosen = ["clang"]
    if common or clang:
        cap = min(common or clang)
        chosen += [f"clang-r{cap}", f"clang-r{cap}-pragma"]
    if common or demoted:
        chosen.append(f"regdem-r{min(common or demoted)}")
    chosen.append(best_demoted(kernel["id"], names, results))
    return [n for n in dict.fromkeys(chosen) if n in names]
