#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How well `auto` chooses for kernels that nothing was set by: makes every
build whose time it predicted for a real kernel without a cap, by a profile,
into one folder that run.py can run. With --results, which run.py has written,
makes nothing and prints what `auto` chose over the best of them and over stock
clang. Kernels of which it predicted stock's build alone are left out.
"""

import json
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import catalog
from build import BENCHMARKS, Programs
from build_variants import describe, git_revision
from harness import folder as gpu_folder
from harness import toolchain
from harness.results import geometric_mean
from harness.variants import Builder

# What a profile may say of a build.
RECIPE = ("decision", "strategy", "rewrites", "order", "max_regs",
          "min_blocks", "target", "volatile_slots", "smem_spilling")
SHOWN = 1.01  # choices that take so much of the best build's time


class ComparedBuilder(Builder):
    def predicted(self, report):
        """What was predicted besides stock's."""
        for number, variant in enumerate(report["variants"][1:], 1):
            if not variant["cycles"]:
                continue
            entry = {key: report[key] for key in ("kernel", "arch", "hash")}
            entry.update({k: variant[k] for k in RECIPE if variant[k]})
            profile = self.folder / f"{number}.profile.json"
            profile.write_text(json.dumps({"version": 1, "entries": [entry]}))
            yield self.regdem_variant(f"regdem-{number}",
                                      {"mode": "auto", "profile": profile})

    def all(self):
        stock = self.stock_variant("clang")
        auto = self.regdem_variant("regdem-auto", {"mode": "auto"})
        for built in (stock, auto):
            if built.error:
                raise toolchain.ToolError(built.error)
        reports = [r for r in auto.report if len(r["variants"]) > 1]
        return [stock, auto], [built for report in reports
                               for built in self.predicted(report)]


def build(tools, programs, out, bench):
    folder = out / "cubins" / bench.id
    shutil.rmtree(folder, ignore_errors=True)
    first, predicted = ComparedBuilder(tools, bench, folder).all()
    if not predicted:
        return None
    programs.build(bench)
    entry = describe(bench, first + predicted, out)
    entry.update(library=bench.library, licence=bench.licence)
    print(f"{bench.id}: {len(predicted)} builds", flush=True)
    return entry


def build_all(options):
    tools = catalog.RealToolchain.from_arguments(options)
    programs = Programs(tools, options.out)
    programs.common()

    def attempt(bench):
        try:
            return build(tools, programs, options.out, bench)
        except toolchain.ToolError as error:
            print(f"{bench.id}: {str(error)[:300]}", flush=True)
            return None

    with ThreadPoolExecutor(options.jobs) as pool:
        entries = list(pool.map(attempt, catalog.load(options.names)))
    manifest = gpu_folder.manifest_of(tools, git_revision(),
                                      [entry for entry in entries if entry])
    gpu_folder.write(options.out, manifest, BENCHMARKS,
                     [BENCHMARKS / "run.py"])


def choices(data):
    """(kernel, time of what was chosen over the best build's, over stock's,
    name of the best) of each kernel whose builds were all measured."""
    times = {}
    for row in data["rows"]:
        if row["bit_equal"] and "time_ms_median" in row:
            times.setdefault((row["kernel"], row["variant"]), []).append(
                row["time_ms_median"])
    for kernel in data["kernels"]:
        same = {v["name"]: v.get("same_as", v["name"])
                for v in kernel["variants"]}
        found = {name: times.get((kernel["id"], code))
                 for name, code in same.items()}
        if not all(found.values()):
            continue
        mean = {name: geometric_mean(t) for name, t in found.items()}
        best = min(mean, key=mean.get)
        yield (kernel["id"], mean["regdem-auto"] / mean[best],
               mean["regdem-auto"] / mean["clang"], best)


def table(rows):
    """Lines of text: the kernels with the worst choices, then all of them."""
    for name, over_best, over_stock, best in sorted(rows, key=lambda r: -r[1]):
        if over_best >= SHOWN:
            yield (f"{name:20} {over_best:.3f} of the best ({best}), "
                   f"{over_stock:.3f} of stock")
    _, best, stock, _ = zip(*rows)
    yield (f"{len(rows)} kernels: of the best: mean {geometric_mean(best):.4f}, "
           f"worst {max(best):.3f}; of stock: mean {geometric_mean(stock):.4f}, "
           f"worst {max(stock):.3f}")


def main():
    options = catalog.arguments(
        __doc__, lambda parser: parser.add_argument("--results", type=Path))
    try:
        if not options.results:
            build_all(options)
            return
        rows = list(choices(json.loads(options.results.read_text())))
    except (toolchain.ToolError, OSError) as error:
        sys.exit(f"error: {error}")
    if not rows:
        sys.exit("error: nothing was measured")
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
