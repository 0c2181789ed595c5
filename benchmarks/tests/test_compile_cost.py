#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of compile_cost.py; no compiler needed."""

import sys
import tempfile
import types
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import compile_cost

REPORT = (
    '{"decision": "cap", "reason": "expected gain", "variants": [{}, {}, {}]}'
)


def row(cpu_ratio, wall_ratio, builds=1):
    return {
        "cpu_ratio": cpu_ratio,
        "wall_ratio": wall_ratio,
        "builds": builds,
    }


class FakeTools:
    """A compiler that burns processor time, with the plugin far more."""

    plugin = "RegDem.so"

    def __init__(self):
        self.runs = []

    def clang_cubin_command(self, bench, out, extra=()):
        words = " ".join(extra)
        self.runs.append("told" if "report" in words else bool(extra))
        work = "import sys\nfor i in range(%d): pass\n" % (
            10_000_000 if extra else 10_000
        )
        if "-regdem-report=" in words:
            report = words.split("-regdem-report=")[1]
            work = f"open({report!r}, 'w').write({REPORT!r})"
        return [sys.executable, "-c", work]


class Measure(unittest.TestCase):
    def test_children_are_timed_by_turns_and_the_report_is_read(self):
        tools = FakeTools()
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.jsonl"
            found = compile_cost.measure(
                tools, types.SimpleNamespace(id="k"), 2, [], report
            )
            self.assertFalse(report.exists())
        self.assertEqual(found["kernel"], "k")
        self.assertEqual(found["builds"], 3)
        self.assertEqual(found["decision"], "cap")
        self.assertGreater(found["cpu"], 0)
        self.assertGreater(found["cpu_ratio"], 1)
        self.assertEqual(len(tools.runs), 3)

    def test_least_goes_by_column(self):
        self.assertEqual(compile_cost.least([(3, 1), (2, 5)]), (2, 1))


class Limits(unittest.TestCase):
    def test_summary_has_median_and_most(self):
        text = compile_cost.summary([row(1, 2), row(3, 4, 9), row(8, 6)])
        self.assertIn("cpu 3.00 in the median, 8.00 at most", text)
        self.assertIn("wall 4.00 in the median, 6.00 at most", text)
        self.assertIn("builds 9 at most", text)

    def test_each_limit_counts(self):
        rows = [row(1, 1), row(1, 2), row(1, 7)]
        self.assertFalse(compile_cost.exceeded(rows, None, None))
        self.assertFalse(compile_cost.exceeded(rows, 2, 7))
        self.assertTrue(compile_cost.exceeded(rows, 1.9, None))
        self.assertTrue(compile_cost.exceeded(rows, None, 6.9))


if __name__ == "__main__":
    unittest.main()
