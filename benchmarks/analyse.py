#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles chosen builds of the folder it lies in (see build_variants.py) and
says for each what limits it and whether its spill code matters.

Needs Python 3, a CUDA driver and Nsight Compute (ncu) with access to the
GPU's performance counters. Each benchmark's host program is started once under
ncu and launches each build once. Writes analysis.json and analysis.csv beside
the results; report.py takes them into its report. Exit code 1 if a benchmark
could not be analysed.
"""

import argparse
import csv
import datetime
import json
import sys
import time
from pathlib import Path

from harness import choose, folder, gpu, programs
from regdem_common import metrics, ncu, spilling
from regdem_common.process import ToolError

FIGURES = (
    "time_ms occupancy local_ld_requests local_st_requests local_ld_sectors "
    "local_st_sectors local_ld_misses local_st_misses hit_rate l2_share "
    "local_share shared_share conflicts_ld conflicts_st dram_pct l2_pct "
    "l1_pct issue_pct sm_pct issued"
).split()


def command(root, kernel, names, quick):
    """The host program with one launch of each build, and the entries of the
    manifest in the order of the launches."""
    known = choose.usable(kernel)
    launched = list(dict.fromkeys(known[n].get("same_as", n) for n in names))
    options = ["--seeds", "1", "--reps", "0"] + (["--quick"] if quick else [])
    line = programs.manifest_command(
        root, kernel, [known[name] for name in launched], options)
    return line, launched


def as_row(kernel, entry, launch, correct):
    values = {
        **launch.values,
        "time_ms": (None if launch["time_ns"] is None
                    else launch["time_ns"] / 1e6),
        "hit_rate": launch.hit_rate,
        "l2_share": launch.l2_share,
        "local_share": launch.local_share,
        "shared_share": launch.shared_share,
    }
    limit = launch.limit()
    spill = entry["spill_store_bytes"] + entry["spill_load_bytes"]
    return {
        "kernel": kernel["id"],
        "variant": entry["name"],
        "regs": entry["regs"],
        "spill_bytes": spill,
        "correct": correct,
        "figures": {name: values[name] for name in FIGURES},
        "stalls": [
            (reason, launch.stall_share(reason))
            for reason, warps in launch.stalls[:2]
            if warps > 0
        ],
        "limit": limit.kind,
        "resource": limit.resource,
        "local_weight": launch.local_weight(limit),
        "demoted_weight": launch.demoted_weight(limit),
        "verdict": spilling.verdict(launch, spill > 0),
    }


def analyse_kernel(tool, names, root, kernel, chosen, options):
    """Rows for the chosen variants of one kernel. Raises ToolError."""
    line, launched = command(root, kernel, chosen, options.quick)
    profiled, messages, output = ncu.profile(tool, names, line,
                                             options.timeout)
    # Where a run launches the kernel several times, its first launch stands
    # for it.
    each, rest = divmod(len(profiled), len(launched))
    if not each or rest:
        why = messages[0] if messages else "no message"
        raise ToolError(f"{len(profiled)} of {len(launched)} launches "
                        f"profiled: {why}")
    checked = {}
    for text in output.splitlines():
        if text.startswith("{"):
            result = json.loads(text)
            checked[result["variant"]] = result["correct"]
    found = dict(zip(launched, profiled[::each]))
    known = choose.usable(kernel)

    def source(name):
        return known[name].get("same_as", name)

    stock = None
    if "clang" in chosen:
        stock = spilling.Launch(found[source("clang")])
    return [
        as_row(kernel, known[name],
               spilling.Launch(found[source(name)], stock),
               checked.get(source(name)))
        for name in chosen
    ]


def analyse(tool, taken, results, options):
    """(rows, names that ncu does not know, errors) of all kernels."""
    rows, errors, started = [], [], time.monotonic()
    asked = metrics.all_names()
    names = None
    root = taken.root
    for kernel in taken.kernels:
        if time.monotonic() - started > options.budget:
            errors.append(f"{kernel['id']}: out of time")
            continue
        chosen = choose.variants(kernel, results, options.variants)
        if not chosen:
            errors.append(f"{kernel['id']}: no such variant")
            continue
        begun = time.monotonic()
        try:
            if names is None:
                probe, _ = command(root, kernel, chosen[:1], True)
                names = ncu.known_metrics(tool, asked, probe, options.timeout)
            found = analyse_kernel(tool, names, root, kernel, chosen, options)
        except ncu.NoPermission:
            raise
        except ToolError as error:
            errors.append(f"{kernel['id']}: {error}")
            continue
        rows += found
        errors += [f"{kernel['id']} {r['variant']}: wrong result"
                   for r in found if r["correct"] is False]
        print(f"{kernel['id']}: {len(found)} builds, "
              f"{time.monotonic() - begun:.1f} s", file=sys.stderr, flush=True)
    return rows, [n for n in asked if n not in (names or asked)], errors


def write(out, analysis):
    (out / "analysis.json").write_text(json.dumps(analysis, indent=1) + "\n")
    fields = ["kernel", "variant", "regs", "spill_bytes", "correct", *FIGURES]
    fields += ["stall_1", "stall_1_share", "stall_2", "stall_2_share"]
    fields += ["limit", "resource", "local_weight", "demoted_weight",
               "verdict"]
    with open(out / "analysis.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, fields, extrasaction="ignore")
        writer.writeheader()
        for row in analysis["rows"]:
            flat = {**row, **row["figures"]}
            for i, (reason, part) in enumerate(row["stalls"], 1):
                flat[f"stall_{i}"], flat[f"stall_{i}_share"] = reason, part
            writer.writerow(flat)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    folder.add_arguments(parser, __file__)
    parser.add_argument("--results", type=Path, metavar="FILE",
                        help="results.json that tells the best RegDem build "
                        "(default: the folder's, if it is there)")
    parser.add_argument("--variants", action="append", default=[],
                        metavar="PATTERN", help="instead of the default choice")
    parser.add_argument("--ncu", metavar="PROGRAM")
    parser.add_argument("--quick", action="store_true",
                        help="small problems, which do not fill a GPU")
    parser.add_argument("--timeout", type=int, default=120, metavar="SECONDS",
                        help="for one benchmark")
    parser.add_argument("--budget", type=float, default=360, metavar="SECONDS",
                        help="start no further benchmark after this time")
    options = parser.parse_args()

    taken = folder.from_arguments(options)
    path = options.results or taken.root / "results.json"
    results = None
    if options.results or path.exists():
        results = folder.read_json(path)
    tool = ncu.find(options.ncu)
    if not tool:
        sys.exit("error: no ncu (Nsight Compute) on this machine")

    started = time.monotonic()
    try:
        rows, unknown, errors = analyse(tool, taken, results, options)
    except ncu.NoPermission as error:
        sys.exit(f"error: {error}")
    now = datetime.datetime.now(datetime.timezone.utc)
    analysis = {
        "format": 1,
        "date": now.isoformat(timespec="seconds"),
        "gpu": gpu.describe(),
        "ncu": ncu.version(tool),
        "revision": taken.manifest["revision"],
        "options": {"quick": options.quick, "variants": options.variants},
        "seconds": round(time.monotonic() - started, 1),
        "unknown_metrics": unknown,
        "errors": errors,
        "rows": rows,
    }
    write(taken.out, analysis)
    for row in rows:
        print(f"{row['kernel']} {row['variant']}: {row['verdict']}")
    for line in errors:
        print(f"error: {line}")
    print(f"{len(rows)} rows, {len(errors)} errors, {analysis['seconds']} s; "
          f"written to {taken.out}")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
