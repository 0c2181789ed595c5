#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the real kernels' list and of their report."""

import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "real"), str(HERE.parent)]

import catalog
import compared
import report
from harness.results import Results


def variant(name, stack, smem=0):
    return {"name": name, "stack": stack, "smem": smem, "regs": 40,
            "spill_store_bytes": 0, "spill_load_bytes": 0,
            "frame_stays": "an address is stored (ST at 0x10)"}


def kernel(stock, unmoved, moved, block=128):
    """One cell, at 40 registers: bytes of local memory of three builds."""
    return {
        "id": "k", "domain": "d", "library": "l", "block": block, "caps": [40],
        "variants": [variant("clang", 8), variant("clang-r40", stock),
                     variant("regdem-r40-unmoved", unmoved),
                     variant("regdem-r40", moved)],
    }


def cell(entry, times=()):
    return report.Cell(entry, 40, "sm_90", dict(times))


class Catalog(unittest.TestCase):
    def test_names_are_unique(self):
        names = [bench.id for bench in catalog.load()]
        self.assertEqual(len(names), len(set(names)))

    def test_a_kernel_is_found_by_its_folder_and_by_its_name(self):
        self.assertEqual([b.id for b in catalog.load(["sgp4"])], ["sgp4"])
        self.assertTrue(all(b.folder.name == "cub"
                            for b in catalog.load(["cub"])))

    def test_arrays_have_a_size_that_a_run_can_copy(self):
        few = {"ins": 1, "outs": 1, "type": "float"}
        many = {"ins": 1000, "outs": 1000, "type": "double"}
        self.assertEqual(catalog.threads(few), 1 << 20)
        self.assertEqual(catalog.threads(many), 1 << 17)


class Report(unittest.TestCase):
    def test_a_frame_fits_up_to_what_a_block_may_have(self):
        # 227 KB for 128 threads: 454 words, the largest odd count is 453.
        self.assertTrue(cell(kernel(4 * 453, 0, 0)).fits)
        self.assertFalse(cell(kernel(4 * 454, 0, 0)).fits)

    def test_own_shared_memory_takes_room(self):
        entry = kernel(4 * 453, 0, 0)
        entry["variants"][1]["smem"] = 1024
        self.assertFalse(cell(entry).fits)

    def test_freed_cells_have_no_local_memory_left(self):
        cells = [cell(kernel(64, 8, 0)), cell(kernel(64, 8, 8)),
                 cell(kernel(4000, 0, 0))]
        self.assertEqual(report.freed_columns(cells), [2, "0", "1"])

    def test_reasons_are_those_of_cells_that_fit_and_keep_local_memory(self):
        cells = [cell(kernel(64, 8, 0)), cell(kernel(64, 8, 8)),
                 cell(kernel(4000, 8, 8))]
        self.assertEqual(report.reasons(cells), [["an address is stored (arrays)", 1]])

    def test_the_fastest_rival_counts(self):
        one = cell(kernel(64, 8, 0), {("k", "clang-r40"): 3.0,
                                      ("k", "nvcc-r40-pragma"): 2.0,
                                      ("k", "regdem-r40"): 1.0})
        self.assertEqual(one.ratio("regdem-r{}"), 2.0)
        self.assertIsNone(one.ratio("regdem-r{}-unmoved"))


class Compared(unittest.TestCase):
    @staticmethod
    def results(**times):
        """What run.py writes of one kernel."""
        names = {name.replace("_", "-"): time for name, time in times.items()}
        rows = [{"kernel": "k", "variant": name, "correct": True,
                 "time_ms_median": time} for name, time in names.items()]
        entry = {"id": "k", "set": "real", "description": "", "block": 128,
                 "variants": [{"name": name} for name in names]}
        return {"arch": "sm_90", "kernels": [entry], "rows": rows}

    @staticmethod
    def choices(data):
        return list(compared.choices(Results(data)))

    def test_choice_is_compared_with_the_best_build_and_with_stock(self):
        rows = self.choices(
            self.results(clang=4.0, regdem_auto=3.0, regdem_1=2.0))
        (name, over_best, over_stock, best), = rows
        self.assertEqual((name, best), ("k", "regdem-1"))
        self.assertAlmostEqual(over_best, 1.5)
        self.assertAlmostEqual(over_stock, 0.75)
        lines = list(compared.table(rows))
        self.assertIn("1.500 of the best (regdem-1)", lines[0])
        self.assertIn("1 kernels: of the best: mean 1.5000", lines[1])

    def test_kernel_with_a_build_that_was_not_measured_is_left_out(self):
        data = self.results(clang=4.0, regdem_auto=3.0, regdem_1=2.0)
        data["rows"].pop()
        self.assertEqual(self.choices(data), [])

    def test_wrong_results_do_not_count(self):
        data = self.results(clang=4.0, regdem_auto=3.0, regdem_1=2.0)
        data["rows"][-1]["correct"] = False
        self.assertEqual(self.choices(data), [])

if __name__ == "__main__":
    unittest.main()
