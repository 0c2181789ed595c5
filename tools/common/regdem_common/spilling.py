# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What limits a kernel, and whether its spill code matters: the rule.

After P. Micikevicius, "Local Memory and Register Spilling" (NVIDIA, 2011):
spill code costs memory traffic and instructions. Where bandwidth is the
limit, local memory's part of the traffic counts; where instructions are,
LDL's and STL's part of them. For kernels limited by neither we add an
estimate of the part of the waiting that is due to spill code.

The limit. Bandwidth is the most used of DRAM, L2 and L1's data stage (which
serves shared memory too); instructions the more used of issue slots and the
busiest unit of the SM. If neither reaches PEAK, latency is the limit, else
the more used of the two. 60 % is where Nsight Compute's own speed-of-light
rule draws the line.

The weight of spill code, from 0 to 1:
  bandwidth, DRAM or L2  local sectors that missed L1 / sectors asked of L2
                         (for DRAM an upper bound: some of them hit L2)
  bandwidth, L1          local sectors / 4 / passes through the data stage
                         (a pass moves 128 bytes; spills are coalesced)
  instruction            LDL and STL / instructions issued
  latency                stalls on L1 loads (long scoreboard, LG throttle) /
                         all stalls x local loads / local and global loads
                         (an upper bound where local loads hit L1 and global
                         ones do not)
"""

from dataclasses import dataclass

from . import metrics

PEAK = 60.0  # % of peak from which on a resource is the limit
MATTERS = 0.10  # weight from which on spill code matters
NEGLIGIBLE = 0.03  # weight below which it does not

BANDWIDTH, INSTRUCTION, LATENCY = "bandwidth", "instruction", "latency"
LEVELS = (("DRAM", "dram_pct"), ("L2", "l2_pct"), ("L1", "l1_pct"))
UNITS = (("issue slots", "issue_pct"), ("busiest unit", "sm_pct"))


def total(values):
    """Sum; None if one is unknown."""
    values = list(values)
    return None if None in values else sum(values)


def share(part, whole):
    """part / whole, at most 1; None if unknown or nothing to divide by."""
    if part is None or not whole:
        return None
    return min(1.0, part / whole)


@dataclass(frozen=True)
class Limit:
    kind: str  # BANDWIDTH, INSTRUCTION, LATENCY, or "" if unknown
    resource: str  # the most used one
    percent: float  # how much of its peak


class Launch:
    """One profiled launch. `row` is ncu's (metric name -> number or None)."""

    def __init__(self, row):
        self.values = metrics.by_short_name(row)
        self.stalls = metrics.stalls(row)

    def __getitem__(self, short):
        return self.values[short]

    def sum(self, *shorts):
        return total(self.values[s] for s in shorts)

    @property
    def hit_rate(self):
        """Of local loads in L1, by sectors, 0 to 1; None without any."""
        missed = share(self["local_ld_misses"], self["local_ld_sectors"])
        return None if missed is None else 1 - missed

    @property
    def l2_share(self):
        return share(
            self.sum("local_ld_misses", "local_st_misses"), self["l2_sectors"]
        )

    @property
    def local_share(self):
        return share(self.sum("local_ld", "local_st"), self["issued"])

    def stall_share(self, *reasons):
        known = dict(self.stalls)
        return share(
            total(known.get(r) for r in reasons), sum(known.values())
        )

    def limit(self):
        def most_used(resources):
            known = [(n, self[s]) for n, s in resources if self[s] is not None]
            return max(known, key=lambda pair: pair[1], default=None)

        memory, units = most_used(LEVELS), most_used(UNITS)
        if not memory or not units:
            return Limit("", "", 0.0)
        name, percent = memory if memory[1] >= units[1] else units
        if percent < PEAK:
            return Limit(LATENCY, name, percent)
        kind = BANDWIDTH if memory[1] >= units[1] else INSTRUCTION
        return Limit(kind, name, percent)

    def local_weight(self, limit):
        """Weight of local memory accesses under `limit`; None if unknown."""
        if self.sum("local_ld", "local_st") == 0:
            return 0.0
        if limit.kind == INSTRUCTION:
            return self.local_share
        if limit.kind == LATENCY:
            waiting = self.stall_share("long_scoreboard", "lg_throttle")
            loads = self["local_ld_requests"]
            part = share(loads, self.sum("local_ld_requests",
                                         "global_ld_requests"))
            return None if None in (waiting, part) else waiting * part
        if limit.resource != "L1":
            return self.l2_share
        sectors = self.sum("local_ld_sectors", "local_st_sectors")
        passes = None if sectors is None else sectors / 4
        return share(passes, self["wavefronts"])


def judge(weight):
    """Words for a weight."""
    if weight is None:
        return "unknown"
    if weight >= MATTERS:
        return "matters"
    return "matters little" if weight >= NEGLIGIBLE else "does not matter"


def percent(value):
    return "–" if value is None else f"{100 * value:.1f} %"


# What local memory holds, and how a verdict names that.
HOLDS = {
    "spills": "spilling",
    "arrays": "local memory (arrays, no spills)",
    "both": "local memory (spills and arrays)",
    "": "local memory (spills or arrays)",
}


def verdict(launch, holds=""):
    """The judgement in words, one sentence. `holds`: a key of HOLDS."""
    limit = launch.limit()
    if not limit.kind:
        return "limit unknown: counters are missing"
    near = "at most " if limit.kind == LATENCY else ""
    text = f"{limit.kind}-bound ({near}{limit.resource} {limit.percent:.0f} %)"
    local = launch.sum("local_ld", "local_st")
    if local == 0:
        text += "; no local memory accesses"
    else:
        weight = launch.local_weight(limit)
        text += f"; {HOLDS[holds]} {judge(weight)} ({percent(weight)})"
    return text
