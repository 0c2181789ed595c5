#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of report.py: its tables, its pages, what it says of bad input."""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import report
import samples
from harness.results import Results
from reporting import markdown, tables

# Of samples.results(): the columns from "kernel" to "auto/clang, spread".
KERNELS = [
    ["a", "yes", "4.000", "2.00", "–", "0.67", "0.67", "1.33", "1.90", "–",
     "1.90", "regdem-auto", "2.727–3.000"],
    ["b", "no", "1.000", "1.00", "–", "1.00", "1.00", "–", "0.80", "–",
     "1.00", "clang", "0.800–0.800"],
]


def markdown_cells(text):
    """Header and rows of a Markdown table; checks the line between them."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")]
             for line in text.splitlines() if line.startswith("|")]
    if any(set(cell) - set(":-") for cell in lines[1]):
        raise ValueError(f"no rule below the header: {lines[1]}")
    return [lines[0]] + lines[2:]


class Tables(unittest.TestCase):
    def test_plain_has_columns_and_lines(self):
        text = tables.plain(["name", "time"], [["a", "1.50"], None, ["bcd", 2]],
                            left=(0,))
        lines = [line.split() for line in text.splitlines()]
        self.assertEqual([lines[i] for i in (0, 2, 4)],
                         [["name", "time"], ["a", "1.50"], ["bcd", "2"]])
        self.assertEqual({c for line in (lines[1], lines[3])
                          for cell in line for c in cell}, {"-"})
        ends = {len(text.splitlines()[i].rstrip()) for i in (0, 2, 4)}
        self.assertEqual(len(ends), 1)  # the second column to the right

    def test_no_rows_leave_the_header(self):
        self.assertEqual(markdown_cells(tables.markdown(["a", "b"], [])),
                         [["a", "b"]])

    def test_markdown_aligns_all_but_the_first_column_to_the_right(self):
        rule = tables.markdown(["a", "b"], [["c", "d"]]).splitlines()[1]
        self.assertRegex(rule, r"^\| :-+ \| -+: \|$")


class Markdown(unittest.TestCase):
    def test_kernels(self):
        table = markdown_cells(markdown.kernel_table(samples.results()))
        self.assertEqual(table[1:], KERNELS)
        self.assertEqual(len(table[0]), len(KERNELS[0]))

    def test_summary_has_each_group_three_times(self):
        rows = markdown_cells(markdown.summary(samples.results()))[1:]
        # a: 6 / 2.1 over clang; b: 1 / 1.25.
        self.assertIn(["all (2), RegDem auto", "1.51", "1.51", "1.23", "0.87",
                       "–"], rows)
        self.assertIn(["modern, register-limited, clang", "1.00", "–", "0.67",
                       "–", "–"], rows)
        self.assertEqual(len(rows), 4 * 3)

    def test_losses_are_named(self):
        text = markdown.document(samples.results())
        self.assertIn("RegDem auto slower than clang by more than 2 %: b 0.80",
                      text)
        self.assertIn("2 wrong results", text)
        self.assertIn("RegDem auto's time over RegDem best's: mean 1.1180; "
                      "above 1.05: b 1.250", text)

    def test_same_cap_is_left_out_without_cells(self):
        none = Results({"arch": "sm_90", "kernels": [], "rows": []})
        self.assertEqual(markdown.same_cap_table(none), "")

    def test_same_cap_names_the_worst_cell(self):
        rows = [{**samples.row("a", variant, time), "spill_load_bytes": 8}
                for variant, time in (("clang-r40", 1.0), ("regdem-r40", 2.0))]
        kernels = [{"id": "a", "set": "modern", "description": "",
                    "block": 256}]
        text = markdown.same_cap_table(
            Results({"arch": "sm_90", "kernels": kernels, "rows": rows}))
        self.assertIn(["clang", "0.50", "–", "0 of 1", "a@40 0.50"],
                      markdown_cells(text))


class Script(unittest.TestCase):
    def start(self, folder):
        arguments = ["report.py", str(folder / "results.json")]
        with mock.patch.object(sys, "argv", arguments), \
                contextlib.redirect_stdout(io.StringIO()):
            report.main()

    def test_report_is_beside_the_results(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "results.json").write_text(
                json.dumps(samples.results().data))
            self.start(folder)
            self.assertEqual((folder / "report.md").read_text(),
                             markdown.document(samples.results()))
            (folder / "results.json").write_text("{}")
            with self.assertRaises(SystemExit) as end:
                self.start(folder)
            self.assertIn("results.json", end.exception.code)


if __name__ == "__main__":
    unittest.main()
