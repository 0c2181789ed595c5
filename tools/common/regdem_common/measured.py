# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Nsight Compute measured of each kernel, and what limits it: one object a
kernel, as regdem-analyse writes and regdem-report reads it.

Launches of one kernel with blocks of one size count as one: counts are added,
percentages and ratios averaged by time.
"""

import re

from . import metrics, names, ncu, spilling

TIME = metrics.METRICS["time_ns"][0]
MOSTLY = 0.9  # share of local instructions from which on spills, or arrays, are all


def combined(rows):
    """One row (ncu's name -> number or None) for several launches."""
    weights = [row.get(TIME) or 1.0 for row in rows]
    found = {}
    for name in dict.fromkeys(n for row in rows for n in row):
        known = [(row[name], w) for row, w in zip(rows, weights)
                 if row.get(name) is not None]
        if not known:
            found[name] = None
        elif name.endswith(".sum"):
            # Of all launches, also where one lacks it.
            found[name] = sum(v for v, _ in known) * len(rows) / len(known)
        else:
            found[name] = sum(v * w for v, w in known) / sum(w for _, w in known)
    return found


def holds(launch, spill_instructions):
    """What local memory holds, a key of spilling.HOLDS, by ncu's own counter."""
    local = launch.sum("local_ld", "local_st")
    part = spilling.share(spill_instructions, local)
    if part is None:
        return ""
    return "spills" if part >= MOSTLY else "arrays" if part <= 1 - MOSTLY else "both"


def _threads(block):
    """Threads of ncu's `(16, 16, 1)`."""
    count = 1
    for number in re.findall(r"\d+", block):
        count *= int(number)
    return count if block else 0


def _figures(rows, demangled, printed, arch, block):
    row = combined(rows)
    launch = spilling.Launch(row)
    limit = launch.limit()
    found = holds(launch, launch["spill_instructions"])
    local = launch.sum("local_ld", "local_st")
    weight = launch.local_weight(limit)
    kernel, build = names.base(printed)
    return {
        "kernel": kernel, "name": demangled, "arch": arch, "build": build,
        "block_size": block, "launches": len(rows),
        "time_ms": None if launch["time_ns"] is None
        else round(launch["time_ns"] / len(rows) / 1e6, 6),
        "registers": launch["regs"], "static_smem": launch["static_smem"],
        "dynamic_smem": launch["dynamic_smem"],
        "occupancy": launch["occupancy"],
        "limit": limit.kind, "resource": limit.resource, "use": limit.percent,
        "local_instructions": launch.local_share, "local_traffic": launch.l2_share,
        "local_hits": launch.hit_rate,
        "holds": found if local else "",
        "stalls": [(r, launch.stall_share(r)) for r, w in launch.stalls[:2] if w > 0],
        "weight": weight,
        "spilling": "none" if local == 0 else spilling.judge(weight),
        "verdict": spilling.verdict(launch, holds=found),
    }


def kernels(text):
    """Objects of all kernels in ncu's CSV, those that take most time first."""
    groups = {}
    for about, row in ncu.launches(text):
        compute = about.get("CC", "").replace(".", "")
        key = (about.get("Kernel Name", "?"), f"sm_{compute}" if compute else "",
               _threads(about.get("Block Size", "")))
        groups.setdefault(key, []).append(row)
    shown = names.demangled([names.base(name)[0] for name, *_ in groups])
    found = [_figures(rows, name, *key)
             for name, (key, rows) in zip(shown, groups.items())]
    total = sum((f["time_ms"] or 0) * f["launches"] for f in found)
    for figures in found:
        spent = (figures["time_ms"] or 0) * figures["launches"]
        figures["time_share"] = spent / total if total else None
    return sorted(found, key=lambda f: (-(f["time_share"] or 0), f["name"],
                                        f["block_size"], f["build"]))
