# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the user reads while and after tuning."""

import functools
import sys

from regdem_common import columns, names


def progress(text):
    print(f"regdem-tune: {text}", file=sys.stderr, flush=True)


@functools.lru_cache(maxsize=None)
def name_of(kernel):
    """The kernel's name as its source has it."""
    return names.short(names.demangled([kernel.name])[0])


def _figure(figure, unit):
    if unit != "s":
        return f"{figure:.6g}"
    if figure < 1:
        return f"{figure * 1e3:.4g} ms"
    return f"{figure:.4g} s"


def _remark(index, result, winner, variant):
    problem = variant.problem or (result.problem if result else "")
    if problem:
        return "-", "-", problem
    comparison = result.comparison
    if index == winner:
        words = "chosen"
    elif not comparison.is_faster:
        words = "" if comparison.gain < 0 else "within the noise"
    else:
        words = "faster, not chosen"
    noise = f"±{comparison.noise * 100:.1f} %"
    return f"{comparison.speedup:.3f}", noise, words


def print_kernel(kernel, figure, variants, results, winner, unit):
    """One table: each variant's figure, its speedup over the base and the
    noise beyond which that counts."""
    base = "-" if figure is None else _figure(figure, unit)
    rows = [("variant", "figure", "speedup", "noise", ""),
            ("stock", base, "1.000", "", "" if winner is not None else
             "chosen" if results else "")]
    for index, variant in enumerate(variants):
        result = results.get(index)
        shown = _figure(result.figure, unit) if result and \
            not result.problem else "-"
        rows.append((str(variant.choice), shown,
                     *_remark(index, result, winner, variant)))
    print(f"{name_of(kernel)} ({kernel.arch})")
    for line in columns.aligned(rows, {1, 2, 3}):
        print("  " + line)
    print(flush=True)
