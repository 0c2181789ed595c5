#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How well `auto` chooses for kernels that nothing was set by: makes every
build whose time it predicted for a real kernel without a cap, by a profile,
into one folder that run.py can run. With --results, which run.py has written,
makes nothing and prints what `auto` chose over the best of them and over stock
clang. Kernels of which it predicted stock's build alone are left out.
"""

import shutil
import sys
from pathlib import Path

import catalog
from build import Programs, write
from build_variants import describe
from harness import toolchain
from harness.results import Results, geometric_mean
from harness.variants import Builder

sys.path.append(str(catalog.HERE.parents[1] / "tools/regdem-tune/app"))

from regdem_tune.choice import Choice, Kernel  # noqa: E402
from regdem_tune.files import entry, write_profile  # noqa: E402

SHOWN = 1.01  # choices that take so much of the best build's time


class ComparedBuilder(Builder):
    def predicted(self, report):
        """What was predicted besides stock's."""
        for number, variant in enumerate(report["variants"][1:], 1):
            if not variant["cycles"]:
                continue
            profile = self.folder / f"{number}.profile.json"
            write_profile(profile,
                          [entry(Kernel.of(report), Choice.of(variant))])
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
    print(f"{bench.id}: {len(predicted)} builds", flush=True)
    return {**describe(bench, first + predicted, out),
            "library": bench.library, "licence": bench.licence}


def build_all(options):
    tools = catalog.RealToolchain.from_arguments(options)
    programs = Programs(tools, options.out)
    programs.common()
    write(tools, options.out, catalog.attempt_each(
        catalog.load(options.names), options.jobs,
        lambda bench: build(tools, programs, options.out, bench)))


def choices(results):
    """(kernel, time of what was chosen over the best build's, over stock's,
    name of the best) of each kernel whose builds were all measured."""
    built = {k["id"]: k["variants"] for k in results.data["kernels"]}
    for kernel in results.kernels:
        if len(kernel.times) == len(built[kernel.id]):
            yield (kernel.id, kernel.over_best("RegDem auto"),
                   1 / kernel.speedup("RegDem auto", "clang"),
                   kernel.fastest("RegDem best"))


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
        rows = list(choices(Results.read(options.results)))
    except (toolchain.ToolError, OSError) as error:
        sys.exit(f"error: {error}")
    if not rows:
        sys.exit("error: nothing was measured")
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
