# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The spilling analysis (analysis.json) as rows of text, for every format."""

import json

# Heading, key of a row's "figures", how it is written.
COLUMNS = (
    ("ms", "time_ms", "{:.3f}"),
    ("occupancy", "occupancy", "{:.0f} %"),
    ("local ld req", "local_ld_requests", "count"),
    ("local st req", "local_st_requests", "count"),
    ("local ld sect", "local_ld_sectors", "count"),
    ("local st sect", "local_st_sectors", "count"),
    ("local L1 hits", "hit_rate", "share"),
    ("local of L2", "l2_share", "share"),
    ("LDL+STL", "local_share", "share"),
    ("LDS+STS", "shared_share", "share"),
    ("conflicts ld", "conflicts_ld", "count"),
    ("conflicts st", "conflicts_st", "count"),
    ("DRAM", "dram_pct", "{:.0f} %"),
    ("L2", "l2_pct", "{:.0f} %"),
    ("L1 data", "l1_pct", "{:.0f} %"),
    ("issue slots", "issue_pct", "{:.0f} %"),
)
HEADER = (
    ["kernel", "variant"] + [c[0] for c in COLUMNS] + ["top stalls", "verdict"]
)
TITLE = "What limits each build, and whether spilling matters"


def count(value):
    """1234567 as 1.23M: three digits and a unit."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= 0.9995 * size:  # 999.9k is 1M
            return f"{value / size:.3g}{unit}"
    return f"{value:g}"


def cell(value, form):
    """A blank for what the profiler did not deliver."""
    if value is None:
        return ""
    if form == "count":
        return count(value)
    if form == "share":
        return f"{100 * value:.1f} %"
    return form.format(value)


def rows(analysis):
    """One list of cells for each kernel and variant, as HEADER says."""
    for row in analysis["rows"]:
        figures = row["figures"]
        stalls = ", ".join(
            f"{name.replace('_', ' ')} {100 * part:.0f} %"
            for name, part in row["stalls"]
        )
        yield (
            [row["kernel"], row["variant"]]
            + [cell(figures[key], form) for _, key, form in COLUMNS]
            + [stalls, row["verdict"]]
        )


def notes(analysis):
    """Sentences that belong under the table."""
    result = [
        f"One launch per build under ncu {analysis['ncu']}, clocks left "
        "alone, caches warm; times are the profiler's. Shares: local sectors "
        "that missed L1 of the sectors asked of L2; LDL and STL, LDS and STS "
        "of the instructions issued; stalls of all stall cycles. The rule for "
        "the verdict is in benchmarks/README.md."
    ]
    if analysis["options"]["quick"]:
        result.append("Small problems (--quick): the GPU is not filled, so "
                      "occupancy and use of the peaks are too low.")
    if analysis["unknown_metrics"]:
        result.append("This ncu does not know, hence blank where nothing else "
                      "stands in: " + ", ".join(analysis["unknown_metrics"]))
    result += [f"Not analysed: {line}" for line in analysis["errors"]]
    return result


def read(path):
    """The analysis that lies at `path`, or None if there is no file."""
    if not path.exists():
        return None
    analysis = json.loads(path.read_text())
    for key in ("rows", "ncu", "options", "unknown_metrics", "errors"):
        if key not in analysis:
            raise KeyError(key)
    return analysis
