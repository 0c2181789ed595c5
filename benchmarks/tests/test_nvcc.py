#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the comparison of regdem-nvcc with nvcc."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness.results import Results
from reporting import nvcc


def row(variant, time, spill=0):
    return {
        "kernel": "a", "variant": variant, "time_ms_median": time,
        "correct": True, "regs": 40, "smem": 0, "blocks_per_sm": 6,
        "spill_store_bytes": spill, "spill_load_bytes": spill,
    }


def results():
    rows = [
        row("nvcc", 4.0), row("nvcc-r64", 3.0), row("regdem-nvcc", 2.0),
        row("regdem-nvcc-t256", 1.0), row("nvcc-r40", 8.0, 4),
        row("nvcc-r40-pragma", 2.0), row("regdem-nvcc-r40", 4.0),
        row("regdem-nvcc-r64", 1.0),
    ]
    kernels = [{"id": "a", "set": "modern", "description": "a", "block": 256}]
    return Results({"arch": "sm_90", "kernels": kernels, "rows": rows})


class Nvcc(unittest.TestCase):
    def test_free_builds_meet_all_of_nvcc(self):
        found = nvcc.ratios(results())
        self.assertEqual(found[False, "nvcc"], {("a", "regdem-nvcc"): 2.0})
        self.assertEqual(found[False, "nvcc, best of all"],
                         {("a", "regdem-nvcc"): 1.0})
        self.assertEqual(found[True, "nvcc"], {("a", "regdem-nvcc-t256"): 4.0})

    def test_capped_builds_meet_the_same_cap_where_nvcc_spills(self):
        found = nvcc.ratios(results())
        self.assertEqual(found[False, "nvcc, same cap"],
                         {("a", "regdem-nvcc-r40"): 2.0})
        self.assertEqual(found[False, "best, same cap"],
                         {("a", "regdem-nvcc-r40"): 0.5})

    def test_table_names_cells_that_are_not_even(self):
        text = "\n".join(nvcc.table(results()))
        self.assertIn("over best, same cap: 0.500 (1 cells, 0 at least 0.99)",
                      text)
        self.assertIn("  a regdem-nvcc-r40: 0.500", text)


if __name__ == "__main__":
    unittest.main()
