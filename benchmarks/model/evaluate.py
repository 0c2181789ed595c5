#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How good the cost model's choices are, by times that were measured.

Takes the folder of build_variants.py and the times.csv of its run on a GPU,
or what is recorded of both, has regdem-predict choose among each kernel's
builds, and prints a table. Needs no GPU.
Then the same under each register cap, where the cap alone spills. Builds with
the same machine code count once; builds whose figures differ
between the two are left out and counted.
"""

import argparse
import contextlib
import csv
import json
import math
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# What was measured last, with the builds themselves.
RECORDED = ROOT / "benchmarks/results/nvidia-h200"

sys.path.insert(0, str(ROOT / "benchmarks"))
from harness.results import FIGURES  # noqa: E402

# Rewrites that were measured once and are not made any more.
DROPPED = ("chain-addresses", "fold-copies")

# With fewer builds a rank correlation says nothing.
FEWEST_TO_RANK = 5


def read_times(path):
    """(kernel, variant) -> (figures, time), from a times.csv of run.py."""
    with open(path, newline="") as file:
        return {
            (row["kernel"], row["variant"]): (
                tuple(int(row[name]) for name in FIGURES),
                float(row["time_ms"]),
            )
            for row in csv.DictReader(file)
        }


def recipe_of(variant):
    """What a build's name says of it, or what RegDem reported."""
    if variant.get("regdem"):
        report = variant["regdem"][0]
        return {
            name: report[name]
            for name in ("max_regs", "min_blocks", "smem_spilling",
                         "rewrites", "pressure_after")
        }
    cap = re.search(r"-r(\d+)", variant["name"])
    lifted = re.search(r"-b(\d+)", variant["name"])
    return {
        "max_regs": int(cap.group(1)) if cap else 0,
        "min_blocks": int(lifted.group(1)) if lifted else 0,
        "smem_spilling": variant["name"].endswith("-pragma"),
    }


def stock_pressure(kernel):
    """Register words of stock clang's code, by RegDem's report; 0 if none."""
    for variant in kernel["variants"]:
        for report in variant.get("regdem", []):
            for built in report.get("variants", []):
                if not built["rewrites"]:
                    return built["pressure_after"]
    return 0


def builds_of(kernel, family, times, folder):
    """The different builds of a family, stock first, and how many were left
    out."""
    builds, left_out, seen = [], 0, set()
    for variant in kernel["variants"]:
        name = variant["name"]
        if variant["family"] != family or "same_as" in variant:
            continue
        known = times.get((kernel["id"], name))
        if "error" in variant or not known:
            continue
        if known[0] != tuple(variant[f] for f in FIGURES):
            left_out += 1
            continue
        recipe = recipe_of(variant)
        code = variant.get("sha256", name)
        if code in seen or any(
            dropped in recipe.get("rewrites", "") for dropped in DROPPED
        ):
            continue
        seen.add(code)
        builds.append(
            {
                "name": name,
                "time": known[1],
                "cubin": str(folder / variant["cubin"]),
                **recipe,
                **{f: variant[f] for f in FIGURES},
                "frame_bytes": variant.get("stack", 0),
            }
        )
        if name == family:
            builds[-1]["pressure_after"] = stock_pressure(kernel)
    builds.sort(key=lambda build: build["name"] != family)
    if not builds or builds[0]["name"] != family:
        return [], left_out
    return builds, left_out


def kernel_name(kernel):
    """The kernel's name in the machine code; empty: it is the only one."""
    for variant in kernel["variants"]:
        for report in variant.get("regdem", []):
            return report.get("kernel", "")
    return ""


def ranks(values):
    """Ranks from 0; equal values share the mean of theirs."""
    order = sorted(values)
    return [order.index(v) + (order.count(v) - 1) / 2 for v in values]


def spearman(a, b):
    """Rank correlation; None where one of the two does not vary."""
    a, b = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    spread_a = sum((x - mean) ** 2 for x in a)
    spread_b = sum((x - mean) ** 2 for x in b)
    if not spread_a or not spread_b:
        return None
    joint = sum((x - mean) * (y - mean) for x, y in zip(a, b))
    return joint / math.sqrt(spread_a * spread_b)


def choices(answer):
    """Scorer -> index of the build that it chooses."""
    paper = answer["paper"]
    return {
        "model": answer["chosen_by_model"],
        "paper": paper.index(min(paper)),
        "stock": 0,
    }


def summary(pairs):
    """Text on times over the best build's and over stock's."""
    best, stock = zip(*pairs)
    return (
        f"of the best: mean {statistics.geometric_mean(best):.4f}, worst "
        f"{max(best):.3f}; of stock: mean "
        f"{statistics.geometric_mean(stock):.4f}, worst {max(stock):.3f}"
    )


def table(kernels, answers):
    """Lines of text: one per kernel, then one per scorer."""
    ratios = {}
    correlation = {}
    for (name, builds), answer in zip(kernels, answers):
        times = [b["time"] for b in builds]
        for scorer, index in choices(answer).items():
            over_best = times[index] / min(times)
            over_stock = times[index] / times[0]
            ratios.setdefault(scorer, []).append((over_best, over_stock))
            if scorer == "model":
                yield (
                    f"{name:13} {builds[index]['name']:17} {over_best:.3f} of "
                    f"the best, {over_stock:.3f} of stock"
                )
        for scorer in ("model", "paper"):
            if len(builds) < FEWEST_TO_RANK:
                continue
            rho = spearman(times, answer[scorer])
            if rho is not None:
                correlation.setdefault(scorer, []).append(rho)
    for scorer, pairs in ratios.items():
        line = f"{scorer:8} {summary(pairs)}"
        if scorer in correlation:
            line += f"; rank {statistics.fmean(correlation[scorer]):.2f}"
        yield line


def cells(kernels, answers):
    """(kernel and cap, time over the best build's under that cap, speed over
    the best without RegDem) of each cap under which the kernel spills."""
    for (name, builds), answer in zip(kernels, answers):
        for cap, index in answer["chosen_under_caps"].items():
            under = [b for b in builds if b["max_regs"] == int(cap)]
            time = builds[index]["time"]
            rivals = [
                b["time"] for b in under if not b["name"].startswith("regdem")
            ]
            yield (
                f"{name}@{cap}",
                time / min(b["time"] for b in under),
                min(rivals) / time,
            )


def cell_table(rows):
    """Lines of text on what cells() gives."""
    rows = list(rows)
    for name, over_best, _ in rows:
        if over_best > 1.02:
            yield f"{name:20} {over_best:.3f} of the best"
    _, best, speed = zip(*rows)
    yield (
        f"{len(rows)} caps: of the best: mean {statistics.geometric_mean(best):.4f}, "
        f"worst {max(best):.3f}; speed over the best without RegDem: mean "
        f"{statistics.geometric_mean(speed):.3f}, worst {min(speed):.3f}"
    )


def add_arguments(parser):
    parser.add_argument(
        "--variants",
        default=RECORDED / "builds.tar.xz",
        type=Path,
        help="folder of build_variants.py, or what pack.py has made of one "
        "(default: what is recorded)",
    )
    parser.add_argument(
        "--times",
        type=Path,
        help="times.csv of the same builds (default: what pack.py has "
        "packed with them, or else what is recorded)",
    )
    parser.add_argument(
        "--predict",
        default=ROOT / "build/bin/regdem-predict",
        help="regdem-predict",
    )
    parser.add_argument("--family", default="clang", help="clang or nvcc")


@contextlib.contextmanager
def folder_of(variants):
    """The folder `variants`, or one with what it holds if it is packed."""
    if variants.is_dir():
        yield variants.resolve()
        return
    # Older versions of Python know no filters.
    safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(variants) as archive:
            archive.extractall(folder, **safe)
        yield Path(folder)


def ask(options, constants=()):
    """((kernel, builds) of each kernel, answers of regdem-predict in the same
    order, builds left out). constants: as regdem-predict takes them."""
    with folder_of(options.variants) as folder:
        return ask_of(folder, options, constants)


def ask_of(folder, options, constants):
    """As ask(), of the builds in `folder`."""
    manifest = json.loads((folder / "manifest.json").read_text())
    arch = int(manifest["arch"].removeprefix("sm_"))
    packed = folder / "times.csv"
    recorded = packed if packed.exists() else RECORDED / "times.csv"
    times = read_times(options.times or recorded)
    kernels, request, left_out = [], "", 0
    for kernel in manifest["kernels"]:
        builds, missing = builds_of(kernel, options.family, times, folder)
        left_out += missing
        if not builds:
            continue
        kernels.append((kernel["id"], builds))
        question = {
            "arch": arch,
            "threads": kernel["block"],
            "kernel": kernel_name(kernel),
            "variants": builds,
            "constants": list(constants),
        }
        request += json.dumps(question) + "\n"
    done = subprocess.run(
        [options.predict], input=request, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(done.stderr.strip() or f"{options.predict} failed")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return kernels, answers, left_out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    kernels, answers, left_out = ask(parser.parse_args())
    for line in table(kernels, answers):
        print(line)
    for line in cell_table(cells(kernels, answers)):
        print(line)
    print(f"{sum(len(b) for _, b in kernels)} builds")
    if left_out:
        print(f"{left_out} builds differ from those measured: left out")


if __name__ == "__main__":
    main()
