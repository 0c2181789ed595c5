#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of model/leave_one_out.py; no compiler, no disassembler needed."""

import sys
import unittest
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCHMARKS / "model"))

import leave_one_out

CONSTANTS = [{"Margin": 0.01}, {"Margin": 0.05}]


def kernel(name, *times):
    names = ["clang", "other"]
    return (name, [{"name": n, "time": t} for n, t in zip(names, times)])


def answer(*chosen_with):
    return {
        "model": [1, 2],
        "paper": [2, 1],
        "chosen_by_model": chosen_with[0],
        "chosen_with": list(chosen_with),
    }


class Constants(unittest.TestCase):
    def test_own_values_come_first(self):
        grid = {"a": (1, 2), "b": (3, 4)}
        sets = leave_one_out.all_constants(grid)
        self.assertEqual(sets[0], {"a": 1, "b": 3})
        self.assertEqual(len(sets), 4)
        self.assertEqual(len({tuple(s.items()) for s in sets}), 4)

    def test_the_kernel_left_out_has_no_say(self):
        losses = [[0.0, 0.1], [0.0, 0.1], [0.5, 0.0]]
        self.assertEqual(leave_one_out.fit(losses, [2]), 0)
        self.assertEqual(leave_one_out.fit(losses, [0]), 1)
        self.assertEqual(leave_one_out.fit(losses, [0, 1]), 1)

    def test_of_equal_ones_the_first_is_taken(self):
        self.assertEqual(leave_one_out.fit([[0.2, 0.2], [0.0, 9.0]], [1]), 0)


class Groups(unittest.TestCase):
    def test_a_set_is_left_out_as_a_whole(self):
        kernels = [kernel("a", 3.0, 1.0), kernel("b", 4.0, 1.0),
                   kernel("c", 1.0, 1.5)]
        answers = [answer(0, 1)] * 3
        alone = leave_one_out.leave_one_out(kernels, answers)
        self.assertEqual(alone, [1, 1, 1])
        together = leave_one_out.leave_one_out(kernels, answers,
                                               ["x", "x", "y"])
        self.assertEqual(together, [0, 0, 1])

    def test_every_benchmark_has_a_set(self):
        self.assertEqual(leave_one_out.sets_of([("cfd", []), ("lu8", [])]),
                         ["paper", "modern"])


class Table(unittest.TestCase):
    def test_choices_of_the_others_constants_are_judged(self):
        # The first two do best with the second constants, the third with the
        # first: left out, it gets what the others say.
        kernels = [kernel("a", 3.0, 1.0), kernel("b", 4.0, 1.0),
                   kernel("c", 1.0, 2.0)]
        answers = [answer(0, 1), answer(0, 1), answer(0, 1)]
        lines = list(leave_one_out.table(kernels, answers, CONSTANTS))
        self.assertIn("3 kernels left out: Margin 0.05", lines[0])
        self.assertIn("c: other instead of clang, 2.000 of its time", lines)
        model, left_out = lines[4], lines[5]
        self.assertTrue(model.startswith("model"))
        self.assertIn("of the best: mean 2.2894, worst 4.000", model)
        self.assertTrue(left_out.startswith("left out"))
        self.assertIn("of the best: mean 1.2599, worst 2.000", left_out)
        self.assertIn("of stock: mean 0.5503, worst 2.000", left_out)
        self.assertIn("a difference for 3 of 3 kernels", lines[-1])


if __name__ == "__main__":
    unittest.main()
