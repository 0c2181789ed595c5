#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the benchmarks of the folder it lies in (see build_variants.py).

Needs Python 3 and a CUDA driver. Each benchmark's host program is started
once and runs all variants interleaved. Writes results.json and times.csv and
prints a short table last. Exit code 1 if a result was wrong or missing.
"""

import argparse
import datetime
import json
import sys
import time

from harness import folder, gpu, programs
from harness.results import KINDS, is_timed, write_times
from regdem_common.columns import aligned

# What a row leaves to its variant's entry under "kernels".
IN_MANIFEST = ("regdem", "cubin", "sha256", "stack")


def run_kernel(root, kernel, arguments, timeout):
    """Measured rows by variant name, and a list of errors.

    A crash takes the whole process with it, so after one each variant is run
    on its own: one bad build must not hide the others.
    """
    unique = [
        v for v in kernel["variants"] if "cubin" in v and "same_as" not in v
    ]

    def measure(entries):
        return programs.measure(
            programs.manifest_command(root, kernel, entries, arguments),
            timeout,
        )

    rows, error = measure(unique)
    errors = []
    if error:
        errors.append(f"{kernel['id']}: {error}")
        rows = []
        for variant in unique:
            alone, error = measure([variant])
            rows += alone
            if error:
                errors.append(f"{kernel['id']} {variant['name']}: {error}")
    return {row["variant"]: row for row in rows}, errors


def merge(kernel, measured, repeat):
    """One row per variant: the manifest's figures and what was measured."""
    for variant in kernel["variants"]:
        row = measured.get(variant.get("same_as", variant["name"]))
        if row is None or "error" in variant:
            continue
        yield {
            **{k: v for k, v in variant.items() if k not in IN_MANIFEST},
            **row,
            "variant": variant["name"],
            "set": kernel["set"],
            "repeat": repeat,
        }


def one_line_a_row(result):
    """JSON text in which each measurement is a line, for search and diff."""
    head = json.dumps({k: v for k, v in result.items() if k != "rows"},
                      indent=1)
    lines = ",\n".join(f"  {json.dumps(row)}" for row in result["rows"])
    return f'{head[:-2]},\n "rows": [\n{lines}\n ]\n}}\n'


def short_table(kernels, rows):
    """Best time of each kind per kernel, in milliseconds."""

    def best(kernel_id, accept):
        times = [
            r["time_ms_median"]
            for r in rows
            if r["kernel"] == kernel_id
            and is_timed(r)
            and accept(r["variant"])
        ]
        return f"{min(times):.4f}" if times else "-"

    lines = [[k["id"]] + [best(k["id"], accept) for accept in KINDS.values()]
             for k in kernels]
    return "\n".join(aligned([["time in ms", *KINDS], *lines],
                             set(range(1, len(KINDS) + 1))))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    folder.add_arguments(parser, __file__)
    parser.add_argument("--reps", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=1,
                        help="full repetitions, to see the spread")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--timeout", type=int, default=300, metavar="SECONDS",
                        help="for one benchmark")
    parser.add_argument("--budget", type=float, metavar="SECONDS",
                        help="start no further benchmark after this time")
    options = parser.parse_args()

    taken = folder.from_arguments(options)

    started = time.monotonic()
    rows, errors = [], []
    for repeat in range(options.repeats):
        # Correctness on all seeds once; later repetitions are for timing.
        seeds = options.seeds if repeat == 0 else 1
        arguments = ["--seeds", str(seeds), "--reps", str(options.reps)]
        arguments += ["--seed", str(options.seed)]
        arguments += ["--quick"] if options.quick else []
        for kernel in taken.kernels:
            spent = time.monotonic() - started
            if options.budget and spent > options.budget:
                errors.append(f"{kernel['id']}: not run, out of time")
                continue
            measured, failed = run_kernel(
                taken.root, kernel, arguments, options.timeout
            )
            errors += failed
            rows += merge(kernel, measured, repeat)
            took = time.monotonic() - started - spent
            print(f"{kernel['id']}: {len(measured)} builds, {took:.1f} s",
                  file=sys.stderr, flush=True)

    wrong = [r for r in rows if not r["correct"]]
    result = {
        **{k: v for k, v in taken.manifest.items() if k != "kernels"},
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(
            timespec="seconds"
        ),
        "gpu": gpu.describe(),
        "device": rows[0]["device"] if rows else "",
        "driver": rows[0]["driver"] if rows else 0,
        "options": {
            "reps": options.reps,
            "seeds": options.seeds,
            "seed": options.seed,
            "repeats": options.repeats,
            "quick": options.quick,
        },
        "seconds": round(time.monotonic() - started, 1),
        "errors": errors,
        "kernels": taken.kernels,
        "rows": rows,
    }
    (taken.out / "results.json").write_text(one_line_a_row(result))
    write_times(taken.out / "times.csv", rows)

    print(short_table(taken.kernels,
                      [r for r in rows if r["repeat"] == 0]))
    for line in errors:
        print(f"error: {line}")
    for row in wrong:
        print(f"wrong: {row['kernel']} {row['variant']}: {row['wrong']} of "
              f"{row['checked']}, max error {row['max_error']}, "
              f"bit equal: {row['bit_equal']}")
    print(f"{len(rows)} rows, {len(wrong)} wrong, {len(errors)} errors, "
          f"{result['seconds']} s; written to {taken.out}")
    sys.exit(1 if wrong or errors else 0)


if __name__ == "__main__":
    main()
