#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of cache_check.py; no compiler needed."""

import stat
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cache_check


def row(stock, warm, **more):
    return {
        "kernel": "k",
        "same": True,
        "served": True,
        "cpu": 0.5,
        "cpu_ratio": 1.02,
        "instructions": stock,
        "warm_instructions": warm,
        **more,
    }


class Instructions(unittest.TestCase):
    def test_sums_are_compared(self):
        rows = [row(100, 110), row(300, 310)]
        self.assertEqual(cache_check.instructions_over_stock(rows), 1.05)

    def test_all_processes_are_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            counts = Path(folder) / "counts"
            counts.mkdir()
            fake = Path(folder) / "valgrind"
            fake.write_text(
                "#!/bin/sh\n"
                f'for n in 5 37; do echo "summary: $n" > {counts}/callgrind.$n; done\n'
            )
            fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
            found = cache_check.instructions(["clang"], str(counts), str(fake))
        self.assertEqual(found, 42)


class Rows(unittest.TestCase):
    def test_what_is_wrong_is_said(self):
        text = cache_check.cells_of(row(1, 2, same=False, served=False))
        self.assertIn("DIFFERENT", text)
        self.assertIn("NOT SERVED", text)


if __name__ == "__main__":
    unittest.main()
