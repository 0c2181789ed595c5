# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Made-up data for the tests: small enough to know every ratio of it."""

from harness.results import Results
from regdem_common import occupancy


def row(kernel, variant, time, repeat=0, correct=True, regs=64):
    return {
        "kernel": kernel, "set": "modern", "variant": variant,
        "time_ms_median": time, "repeat": repeat, "correct": correct,
        "regs": regs, "smem": 0, "spill_store_bytes": 0, "spill_load_bytes": 0,
        "blocks_per_sm": occupancy.blocks_per_sm("sm_90", 256, regs, 0),
    }


def results():
    """Two kernels, two repetitions; the second has a wrong build."""
    rows = []
    for repeat, factor in ((0, 1.0), (1, 1.1)):
        rows += [
            row("a", "nvcc", 4.0, repeat),
            row("a", "nvcc-r40", 2.0, repeat, regs=40),
            row("a", "clang", 6.0, repeat),
            row("a", "clang-r40-pragma", 3.0, repeat, regs=40),
            row("a", "regdem-auto", 2.0 * factor, repeat, regs=40),
            row("b", "nvcc", 1.0, repeat, regs=32),
            row("b", "clang", 1.0, repeat, regs=32),
            row("b", "regdem-auto", 1.25, repeat, regs=32),
            row("b", "regdem-r24", 0.1, repeat, correct=False, regs=24),
        ]
    kernels = [
        {"id": name, "set": "modern", "description": name, "block": 256}
        for name in ("a", "b")
    ]
    return Results({
        "arch": "sm_90", "kernels": kernels, "rows": rows, "tools": {},
        "device": "none", "driver": 0, "date": "", "revision": "",
        "options": {"repeats": 2},
    })
