#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of calibration/measure.py; no compiler needed."""

import sys
import types
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "calibration")]

import measure


class Needed(unittest.TestCase):
    """The bisection, with an assembler that needs a known number."""

    def needed(self, true, used):
        meter = types.SimpleNamespace(
            spills=lambda text, cap, name: (cap, cap < true)
        )
        return measure.Meter.needed(meter, "", used, "")

    def test_lowest_cap_without_spill_is_found(self):
        for true in range(25, 101):
            self.assertEqual(self.needed(true, 100), true)

    def test_no_fewer_than_ptxas_can_be_told(self):
        self.assertEqual(self.needed(10, 40), measure.LOWEST)


if __name__ == "__main__":
    unittest.main()
