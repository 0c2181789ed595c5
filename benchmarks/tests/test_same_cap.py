#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the comparisons under the same register cap, and of regdem-nvcc with
nvcc."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness.results import Results
from reporting import nvcc, same_cap


def row(kernel, variant, time, spill=0):
    return {
        "kernel": kernel, "variant": variant, "time_ms_median": time,
        "correct": True, "regs": 40, "smem": 0, "blocks_per_sm": 6,
        "spill_store_bytes": spill, "spill_load_bytes": spill,
    }


def results_of(rows):
    kernels = [{"id": name, "set": "modern", "description": name,
                "block": 256} for name in sorted({r["kernel"] for r in rows})]
    return Results({"arch": "sm_90", "kernels": kernels, "rows": rows})


def results():
    """Two cells: RegDem wins in the first and loses to the pragma in the
    second; under cap 64 clang does not spill."""
    return results_of([
        row("a", "nvcc-r40", 4.0, 8), row("a", "clang-r40", 2.0, 8),
        row("a", "regdem-r40", 1.0),
        row("a", "clang-r64", 1.0), row("a", "regdem-r64", 9.0),
        row("b", "clang-r32", 2.0, 8), row("b", "clang-r32-pragma", 0.5),
        row("b", "regdem-r32", 1.0),
    ])


def results_of_nvcc():
    return results_of([
        row("a", "nvcc", 4.0), row("a", "nvcc-r64", 3.0),
        row("a", "regdem-nvcc", 2.0), row("a", "regdem-nvcc-t256", 1.0),
        row("a", "nvcc-r40", 8.0, 4), row("a", "nvcc-r40-pragma", 2.0),
        row("a", "regdem-nvcc-r40", 4.0), row("a", "regdem-nvcc-r64", 1.0),
    ])


class SameCap(unittest.TestCase):
    def test_cells_are_where_clang_spills(self):
        found = [(k.id, cap) for k, cap in same_cap.cells(results())]
        self.assertEqual(found, [("a", "40"), ("b", "32")])

    def test_ratios_need_both_builds(self):
        self.assertEqual(same_cap.ratios(results(), "nvcc"),
                         {("a", "40"): (4.0, [4.0])})

    def test_rows(self):
        rows = {r[0]: r[1:] for r in same_cap.rows(results())}
        self.assertEqual(rows["clang"],
                         ["2.00", "–", "2 of 2", "a@40 2.00, b@32 2.00"])
        self.assertEqual(rows["clang, pragma"],
                         ["0.50", "–", "0 of 1", "b@32 0.50"])
        self.assertEqual(rows["best of these"][2], "1 of 2")

    def test_spread_is_of_the_mean_over_all_cells(self):
        twice = results()
        for kernel in twice.kernels:
            for variant, times in kernel.times.items():
                slower = 1.21 if variant == "clang-r40" else 1
                times.append(times[0] * slower)
        rows = {r[0]: r[1:] for r in same_cap.rows(twice)}
        # Means of (2, 2) and of (2.42, 2).
        self.assertEqual(rows["clang"][1], "2.000–2.200")
        self.assertEqual(rows["clang, pragma"][1], "0.500–0.500")

    def test_no_cells_no_rows(self):
        self.assertEqual(same_cap.rows(results_of([])), [])


class Nvcc(unittest.TestCase):
    def test_free_builds_meet_all_of_nvcc(self):
        found = nvcc.ratios(results_of_nvcc())
        self.assertEqual(found[False, "nvcc"], {("a", "regdem-nvcc"): 2.0})
        self.assertEqual(found[False, "nvcc, best of all"],
                         {("a", "regdem-nvcc"): 1.0})
        self.assertEqual(found[True, "nvcc"], {("a", "regdem-nvcc-t256"): 4.0})

    def test_capped_builds_meet_the_same_cap_where_nvcc_spills(self):
        found = nvcc.ratios(results_of_nvcc())
        self.assertEqual(found[False, "nvcc, same cap"],
                         {("a", "regdem-nvcc-r40"): 2.0})
        self.assertEqual(found[False, "best, same cap"],
                         {("a", "regdem-nvcc-r40"): 0.5})

    def test_table_names_cells_that_are_not_even(self):
        text = "\n".join(nvcc.table(results_of_nvcc()))
        self.assertIn("over best, same cap: 0.500 (1 cells, 0 at least 0.99)",
                      text)
        self.assertIn("  a regdem-nvcc-r40: 0.500", text)


if __name__ == "__main__":
    unittest.main()
