# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""regdem-nvcc against what nvcc's users have without it, of builds that
`build_variants.py --nvcc` made."""

import re

from harness.results import geometric_mean
from regdem_common.records import spill

OWN = re.compile(r"regdem-nvcc(-t\d+)?(-r(\d+))?$")


def rivals(name):
    """The names of nvcc's builds that the build of this name is compared with,
    by kind: those that keep to the same cap."""
    cap = OWN.match(name).group(3)
    if cap:
        return {"nvcc, same cap": [f"nvcc-r{cap}"],
                "best, same cap": [f"nvcc-r{cap}", f"nvcc-r{cap}-pragma"]}
    return {"nvcc": ["nvcc"], "nvcc, best of all": None}


def cells(results):
    """(kernel, name of regdem-nvcc's build) in order; of builds under a cap
    those under which nvcc's spills."""
    for kernel in results.kernels:
        for name in sorted(kernel.times):
            found = OWN.match(name)
            if not found:
                continue
            if not found.group(3):
                yield kernel, name
                continue
            row = kernel.rows.get(f"nvcc-r{found.group(3)}")
            if spill(row):
                yield kernel, name


def ratios(results):
    """{(with threads stated, kind): {(kernel id, name): ratio}}, above 1 where
    regdem-nvcc's build is faster."""
    found = {}
    for kernel, name in cells(results):
        for kind, names in rivals(name).items():
            if names is None:
                names = [v for v in kernel.times if v.startswith("nvcc")]
            times = [kernel.time(v) for v in names if v in kernel.times]
            if times:
                key = bool(OWN.match(name).group(1)), kind
                found.setdefault(key, {})[kernel.id, name] = (
                    min(times) / kernel.time(name))
    return found


def table(results):
    """Lines: each kind with its geometric mean, and all cells that are not
    even, the slowest first."""
    lines = []
    for (is_told, kind), cell in sorted(ratios(results).items()):
        told = ", threads stated" if is_told else ""
        even = sum(ratio >= 0.99 for ratio in cell.values())
        lines.append(f"over {kind}{told}: {geometric_mean(cell.values()):.3f}"
                     f" ({len(cell)} cells, {even} at least 0.99)")
        for (kernel, name), ratio in sorted(cell.items(), key=lambda c: c[1]):
            if abs(ratio - 1) > 0.01:
                lines.append(f"  {kernel} {name}: {ratio:.3f}")
    return lines
