#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of compile_cost.py; no compiler needed."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import compile_cost
from harness import catalog

REPORT = (
    '{"decision": "cap", "reason": "expected gain", "variants": ['
    '{"chosen": false, "cycles": 9}, {"chosen": true, "cycles": 7}, '
    '{"chosen": false}]}\n'
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
        self.runs = []  # what each compilation was given
        self.assembled = []  # PTX texts

    def clang_cubin_command(self, bench, out, extra=()):
        words = " ".join(extra)
        self.runs.append(words)
        work = "import sys\nfor i in range(%d): pass\n" % (
            10_000_000 if extra else 10_000
        )
        if "-regdem-report=" in words:
            report = words.split("-regdem-report=")[1].split()[0]
            work += f"open({report!r}, 'a').write({REPORT!r})"
        return [sys.executable, "-c", work]

    def clang_ptx(self, bench, out):
        self.runs.append("ptx " + " ".join(bench.defines))
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        Path(out).write_text(".visible .entry k()\n.maxntid 64\n{\nret;\n}\n")

    def assemble(self, text, cubin):
        self.assembled.append(Path(text).read_text())


def benchmark(bounds=True):
    return catalog.Benchmark(
        id="k",
        folder=Path("k"),
        defines=("N=8", "BENCH_MIN_BLOCKS=5"),
        set="modern",
        description="",
        block=64,
        bounds=bounds,
        caps=(),
        demo=False,
    )


class Measure(unittest.TestCase):
    def measure(self, tools, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            found = compile_cost.measure(
                tools, *arguments[:1], 2, [], Path(folder), *arguments[1:]
            )
            self.assertFalse((Path(folder) / "report.jsonl").exists())
        return found

    def test_children_are_timed_by_turns_and_the_report_is_read(self):
        tools = FakeTools()
        found = self.measure(tools, benchmark())
        self.assertEqual(found["kernel"], "k")
        self.assertEqual(found["builds"], 3)
        self.assertEqual(found["decision"], "cap")
        self.assertEqual(found["cycles"], 7)
        self.assertGreater(found["cpu"], 0)
        self.assertGreater(found["cpu_ratio"], 1)
        # RegDem's command is made once, without and with a report, stock's
        # for each of its runs.
        self.assertIn("-fpass-plugin=RegDem.so", tools.runs[0])
        self.assertNotIn("max-regs", tools.runs[0])
        self.assertNotIn("report", tools.runs[0])
        self.assertTrue(tools.runs[1].startswith(tools.runs[0]))
        self.assertEqual(tools.runs[2:], ["", ""])

    def test_under_a_cap_stock_is_its_ptx_with_the_cap(self):
        tools = FakeTools()
        found = self.measure(tools, benchmark(), 40)
        self.assertEqual(found["kernel"], "k@40")
        self.assertIn("-regdem-mode=demote", tools.runs[0])
        self.assertIn("-regdem-max-regs=40", tools.runs[0])
        self.assertEqual(tools.runs[2:], ["ptx N=8", "ptx N=8"])
        self.assertEqual(len(tools.assembled), 2)
        self.assertIn(".maxntid 64\n.maxnreg 40\n", tools.assembled[0])

    def test_a_block_size_that_the_source_lacks_is_stated(self):
        tools = FakeTools()
        self.measure(tools, benchmark(bounds=False), 40)
        self.assertIn("-regdem-block-size=64", tools.runs[0])

    def test_names_may_have_caps(self):
        self.assertEqual(compile_cost.parse_cell("lu8@64"), ("lu8", 64))
        self.assertEqual(compile_cost.parse_cell("lu8"), ("lu8", None))
        with self.assertRaisesRegex(SystemExit, "lu8@x"):
            compile_cost.parse_cell("lu8@x")

    def test_without_names_all_benchmarks_are_meant(self):
        every = compile_cost.cells([])
        known = [bench.id for bench in catalog.load()]
        self.assertEqual([bench.id for bench, _ in every], known)
        self.assertEqual({cap for _, cap in every}, {None})
        chosen = compile_cost.cells(["lu8@64", "cfd"])
        self.assertEqual(
            [(b.id, cap) for b, cap in chosen], [("lu8", 64), ("cfd", None)]
        )

    def test_least_goes_by_column(self):
        self.assertEqual(compile_cost.least([(3, 1), (2, 5)]), (2, 1))


class Limits(unittest.TestCase):
    def test_summary_has_median_and_most(self):
        text = compile_cost.summary([row(1, 2), row(3, 4, 9), row(8, 6)])
        self.assertIn("cpu 3.00 in the median, 8.00 at most", text)
        self.assertIn("wall 4.00 in the median, 6.00 at most", text)
        self.assertIn("builds 1 in the median, 9 at most", text)

    def test_each_limit_counts(self):
        rows = [row(1, 1), row(1, 2), row(1, 7)]
        self.assertFalse(compile_cost.exceeded(rows, None, None))
        self.assertFalse(compile_cost.exceeded(rows, 2, 7))
        self.assertTrue(compile_cost.exceeded(rows, 1.9, None))
        self.assertTrue(compile_cost.exceeded(rows, None, 6.9))


if __name__ == "__main__":
    unittest.main()
