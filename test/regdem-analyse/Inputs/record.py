#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""record.py LAUNCH...: prints what `ncu --csv --page raw --print-units base`
prints for launches KERNEL=BENCHMARK:VARIANT[:SHARED], with the figures that were
measured of that build on an H200 (benchmarks/results). KERNEL is the name that
ncu shows, SHARED the block's static shared memory in bytes. Counters that the
results do not keep are left blank. The files beside this one were made by it."""

import csv
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(PROJECT / "tools" / "common"))
from regdem_common import measured, metrics

RESULTS = PROJECT / "benchmarks" / "results" / "nvidia-h200" / "analysis.csv"
ABOUT = ("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context",
         "Stream", "Block Size", "Grid Size", "Device", "CC")
UNITS = {"time": "ns", "pct": "%", "sectors": "sector", "inst": "inst", "shared_mem":
         "byte/block", "registers_per_thread": "register/thread"}


def unit(name):
    return next((u for part, u in UNITS.items() if part in name), "")


def numbers(row):
    """A row of the results with numbers where it has them, None for blanks."""
    def number(text):
        try:
            return float(text)
        except ValueError:
            return text or None
    return {name: number(text) for name, text in row.items()}


def values(figures, shared):
    """ncu's metrics, from a row of the results."""
    count = {
        **figures, "time_ns": figures["time_ms"] * 1e6,
        "local_ld": figures["local_ld_requests"], "local_st": figures["local_st_requests"],
        "l2_sectors": round((figures["local_ld_misses"] + figures["local_st_misses"])
                            / figures["l2_share"]) if figures["l2_share"] else None,
        "shared_ld": round(figures["shared_share"] * figures["issued"]), "shared_st": 0,
    }
    about = {"regs": figures["regs"], "static_smem": shared, "dynamic_smem": 0}
    local = count["local_ld"] + count["local_st"]
    about["spill_instructions"] = local if figures["spill_bytes"] else 0
    found = {names[0]: count.get(short) for short, names in metrics.METRICS.items()}
    found.update({names[0]: about[short] for short, names in metrics.LAUNCH.items()})
    stalls = {figures[f"stall_{i}"]: figures[f"stall_{i}_share"] for i in (1, 2)}
    for reason in metrics.STALLS:
        found[metrics.stall_metric(reason)] = stalls.get(reason, 0.0)
    return found


def cell(value):
    if value is None:
        return ""
    return f"{value:,.6f}".rstrip("0").rstrip(".") if value % 1 else f"{int(value):,}"


def main():
    with open(RESULTS, newline="") as file:
        rows = {(r["kernel"], r["variant"]): numbers(r) for r in csv.DictReader(file)}
    launches = []
    for text in sys.argv[1:]:
        kernel, _, build = text.partition("=")
        bench, variant, *shared = build.split(":")
        launches.append((kernel, values(rows[bench, variant], int((shared or [0])[0]))))
    names = sorted(n for n in measured.asked() if n in launches[0][1])

    def line(cells):
        print(",".join(f'"{c}"' for c in cells))

    print("==PROF== Connected to process 4711 (/home/user/app)")
    for number, (kernel, _) in enumerate(launches):
        print(f'==PROF== Profiling "{kernel}" - {number}: 0%....50%....100% - 10 passes')
    print("==PROF== Disconnected from process 4711")
    line((*ABOUT, *names))
    line([""] * len(ABOUT) + [unit(n) for n in names])
    for number, (kernel, found) in enumerate(launches):
        line([number, 4711, "app", "127.0.0.1", kernel, 1, 7, "(256, 1, 1)",
              "(4096, 1, 1)", 0, "9.0", *(cell(found[n]) for n in names)])


if __name__ == "__main__":
    main()
