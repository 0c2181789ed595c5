"""Prints what a fuzz run found."""

import re
from collections import Counter

from . import figures


def rewrites(result):
    """Number of kernels that RegDem rewrote in each way."""
    return Counter(name for e in result.reports.values()
                   for name in e.get("rewrites", "").split(",") if name)


def reading_again(result):
    """Number of kernels in which RegDem reads places in shared memory again."""
    return sum(1 for count in result.read_again.values() if count)


def print_summary(result, seeds, seconds, plugin):
    """One line of counts; lines for declines and failures; returns the exit
    status."""
    failed = sorted({f[0] for f in result.failures})
    line = "%d kernels" % seeds
    if plugin:
        decisions = Counter(e["decision"] for e in result.reports.values())
        demoted = decisions.pop("demote", 0)
        # Kernels of a failed file have no report and are counted there.
        silent = [n for n in sorted(result.regdem) if n not in result.reports]
        line += ", %d demoted, %d declined, %d without report" % (
            demoted, sum(decisions.values()), len(silent))
        if reading_again(result):
            line += ", %d read %d times again" % (
                reading_again(result), sum(result.read_again.values()))
        for name, count in sorted(rewrites(result).items()):
            line += ", %d with %s" % (count, name)
    if result.skipped:
        line += ", %d skipped (ptxas crashes on the stock code: seeds %s)" % (
            len(result.skipped),
            " ".join(str(s) for s, _ in sorted(result.skipped)))
    line += ", %d failed, %.1f s, %.0f kernels/min" % (
        len(failed), seconds, 60.0 * seeds / max(seconds, 1e-3))
    reasons = Counter(figures.reason_class(e) for e in result.reports.values()
                      if e["decision"] != "demote")
    for reason, count in sorted(reasons.items(), key=lambda r: (-r[1], r[0])):
        print("  %6d  %s" % (count, reason))
    _print_failures(result.failures)
    _print_fusing(result.fusing)
    print("fuzz: " + line)
    if failed:
        print("failing seeds: " + " ".join(str(s) for s in failed))
    return 1 if failed else 0


def _print_fusing(table):
    """What ptxas fuses otherwise, and what counts of instructions leave
    open."""
    for index, what in enumerate(("under the cap alone",
                                  "in RegDem's build under the same cap")):
        kinds = Counter(verdicts[index] for verdicts in table.values())
        if kinds:
            print("products and sums %s: %s" % (what, ", ".join(
                "%d %s" % (n, kind) for kind, n in sorted(kinds.items()))))
        seeds = sorted(int(name.split("_")[1]) for name in table
                       if table[name][index] == "fused otherwise")
        if seeds:
            print("  fused otherwise: seeds " + " ".join(map(str, seeds)))


def _print_failures(failures, shown=40):
    """One line per kind of failure, numbers and paths aside."""
    groups = {}
    for seed, oracle, headline in sorted(failures):
        key = oracle + ": " + re.sub(r"/\S*/", "", headline)
        key = re.sub(r"\d+", "N", key)
        groups.setdefault(key, []).append((seed, oracle, headline))
    ordered = sorted(groups.items(), key=lambda g: (-len(g[1]), g[1][0]))
    for _, members in ordered[:shown]:
        seeds = [str(m[0]) for m in members]
        more = " ..." if len(seeds) > 8 else ""
        print("FAILED %d times, seeds %s%s\n    %s: %s" % (
            len(members), " ".join(seeds[:8]), more, *members[0][1:]))
    if len(ordered) > shown:
        print("... and %d further kinds of failure" % (len(ordered) - shown))


def print_statistics(result):
    """Registers that ptxas uses, spills, and the kinds of statements."""
    for side, table in (("stock", result.stock), ("regdem", result.regdem)):
        if not table:
            continue
        registers = sorted(f["registers"] for f in table.values())
        spills = sum(1 for f in table.values() if f["spill_stores"])
        marks = ", ".join("%d %% over %d" % (
            100 * sum(1 for r in registers if r > mark) // len(registers),
            mark) for mark in (24, 32, 40, 64, 96, 128))
        print("%s registers: median %d, %s; %d kernels spill" % (
            side, registers[len(registers) // 2], marks, spills))
    kinds = Counter(k for m in result.metadata.values() for k in m["kinds"])
    total = max(1, len(result.metadata))
    kinds["dynamic_smem"] = sum(
        1 for m in result.metadata.values() if m["dynamic_smem"])
    kinds["launch_bounds"] = sum(
        1 for m in result.metadata.values() if m["launch_bounds"])
    for kind, count in sorted(kinds.items(), key=lambda k: (-k[1], k[0])):
        print("  %5.1f %% of kernels: %s" % (100.0 * count / total, kind))
