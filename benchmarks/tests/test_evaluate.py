#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of model/evaluate.py; no compiler, no disassembler needed."""

import sys
import unittest
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCHMARKS / "model"))

import evaluate

FIGURES = {
    "regs": 40,
    "spill_store_bytes": 0,
    "spill_load_bytes": 0,
    "smem": 0,
}


def variant(name, **changes):
    return {
        "name": name,
        "family": "clang",
        "cubin": f"cubins/k/{name}.cubin",
        **FIGURES,
        **changes,
    }


def builds(variants, times):
    known = {("k", n): ((40, 0, 0, 0), t) for n, t in times.items()}
    kernel = {"id": "k", "variants": variants}
    return evaluate.builds_of(kernel, "clang", known, Path("folder"))


class Builds(unittest.TestCase):
    def test_stock_comes_first_and_caps_are_read_from_names(self):
        found, left_out = builds(
            [variant("clang-r40"), variant("clang")],
            {"clang": 2.0, "clang-r40": 1.0},
        )
        self.assertEqual([b["name"] for b in found], ["clang", "clang-r40"])
        self.assertEqual([b["max_regs"] for b in found], [0, 40])
        self.assertEqual(found[1]["time"], 1.0)
        self.assertEqual(left_out, 0)

    def test_builds_other_than_those_measured_are_left_out(self):
        found, left_out = builds(
            [variant("clang"), variant("clang-r40", regs=39)],
            {"clang": 2.0, "clang-r40": 1.0},
        )
        self.assertEqual([b["name"] for b in found], ["clang"])
        self.assertEqual(left_out, 1)

    def test_same_machine_code_counts_once(self):
        found, _ = builds(
            [
                variant("clang", sha256="a"),
                variant("clang-pragma", sha256="a"),
                variant("clang-r40", sha256="b"),
            ],
            {"clang": 2.0, "clang-pragma": 2.0, "clang-r40": 1.0},
        )
        self.assertEqual([b["name"] for b in found], ["clang", "clang-r40"])

    def test_a_report_says_how_a_build_was_made(self):
        made = {
            "max_regs": 0,
            "min_blocks": 1,
            "smem_spilling": True,
            "rewrites": "skip-loop-reduce",
            "pressure_after": 30,
            "variants": [{"rewrites": "", "pressure_after": 60}],
        }
        found, _ = builds(
            [variant("clang"), variant("regdem-auto", regdem=[made])],
            {"clang": 2.0, "regdem-auto": 1.0},
        )
        self.assertEqual([b["pressure_after"] for b in found], [60, 30])
        self.assertEqual(found[1]["rewrites"], "skip-loop-reduce")
        self.assertEqual(found[1]["min_blocks"], 1)
        self.assertTrue(found[1]["smem_spilling"])

    def test_a_name_says_how_a_build_was_made(self):
        found, _ = builds(
            [variant("clang"), variant("clang-r40-pragma", sha256="b")],
            {"clang": 2.0, "clang-r40-pragma": 1.0},
        )
        self.assertEqual([b["max_regs"] for b in found], [0, 40])
        self.assertEqual([b["smem_spilling"] for b in found], [False, True])

    def test_nothing_without_stock(self):
        self.assertEqual(builds([variant("clang-r40")], {}), ([], 0))

    def test_equal_code_counts_once(self):
        found, _ = builds(
            [variant("clang"), variant("clang-pragma", same_as="clang")],
            {"clang": 2.0, "clang-pragma": 2.0},
        )
        self.assertEqual(len(found), 1)


class Ranks(unittest.TestCase):
    def test_equal_values_share_a_rank(self):
        self.assertEqual(evaluate.ranks([3, 1, 3, 2]), [2.5, 0, 2.5, 1])

    def test_correlation(self):
        self.assertEqual(evaluate.spearman([1, 2, 3], [4, 5, 6]), 1)
        self.assertEqual(evaluate.spearman([1, 2, 3], [6, 5, 4]), -1)
        self.assertEqual(evaluate.spearman([1, 2, 3], [1, 3, 2]), 0.5)
        self.assertIsNone(evaluate.spearman([1, 2], [7, 7]))


class Table(unittest.TestCase):
    def test_each_scorer_is_judged_by_its_choice(self):
        kernel = (
            "k",
            [{"name": "clang", "time": 2.0}, {"name": "other", "time": 1.0}],
        )
        answer = {
            "model": [10, 5],
            "paper": [1, 2],
            "chosen_by_model": 1,
        }
        lines = list(evaluate.table([kernel], [answer]))
        self.assertIn("other", lines[0])
        self.assertIn("of the best: mean 1.0000, worst 1.000", lines[1])
        self.assertIn("of stock: mean 0.5000, worst 0.500", lines[1])
        self.assertTrue(lines[2].startswith("paper"))
        self.assertIn("of the best: mean 2.0000", lines[2])


class Cells(unittest.TestCase):
    def test_each_cap_is_judged_by_itself(self):
        built = [
            {"name": "clang", "max_regs": 0, "time": 1.0},
            {"name": "clang-r40", "max_regs": 40, "time": 4.0},
            {"name": "regdem-r40", "max_regs": 40, "time": 2.0},
            {"name": "clang-r32", "max_regs": 32, "time": 4.0},
            {"name": "clang-r32-pragma", "max_regs": 32, "time": 3.0},
        ]
        answer = {"chosen_under_caps": {"40": 2, "32": 3}}
        rows = list(evaluate.cells([("k", built)], [answer]))
        self.assertEqual(rows, [("k@40", 1.0, 2.0), ("k@32", 4 / 3, 0.75)])
        lines = list(evaluate.cell_table(rows))
        self.assertEqual(len(lines), 2)
        self.assertIn("k@32", lines[0])
        self.assertIn("worst 1.333", lines[1])
        self.assertIn("worst 0.750", lines[1])


if __name__ == "__main__":
    unittest.main()
