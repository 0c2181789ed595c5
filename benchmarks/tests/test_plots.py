#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the report's pictures: what is drawn, and the SVG made of it."""

import math
import re
import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from reporting import packages

packages.require(77)  # ctest: skipped

import samples
from harness.results import Results
from reporting import html, plots

SVG = "{http://www.w3.org/2000/svg}"
USED = f".//{SVG}use"


def points(figure):
    """{label: (x, y)} of all marks but rings, which are drawn over others."""
    return {line.get_label(): (line.get_xdata()[0], line.get_ydata()[0])
            for line in plots.marks(figure)
            if line.get_markersize() != plots.CHOSEN["markersize"]}


def registers(results):
    return plots.scatter(results.kernels, "registers", lambda row: row["regs"])


def results(*rows):
    kernels = [{"id": "k", "set": "modern", "description": "", "block": 256}]
    return Results({"arch": "sm_90", "kernels": kernels,
                    "rows": [samples.row("k", *row) for row in rows]})


class Speedups(unittest.TestCase):
    def setUp(self):
        self.figure = plots.speedups(samples.results())

    def test_a_mark_for_each_kind_that_a_kernel_has(self):
        self.assertEqual(points(self.figure), {
            "a, clang (clang): 0.667×": (4 / 6, 0),
            "a, nvcc best cap (nvcc-r40): 2.000×": (2.0, 0),
            "a, RegDem best (regdem-auto): 1.905×": (4 / 2.1, 0),
            "a, RegDem auto (regdem-auto): 1.905×": (4 / 2.1, 0),
            "b, clang (clang): 1.000×": (1.0, 1),
            "b, nvcc best cap (nvcc): 1.000×": (1.0, 1),
            "b, RegDem best (clang): 1.000×": (1.0, 1),
            "b, RegDem auto (regdem-auto): 0.800×": (0.8, 1),
        })

    def test_kernels_are_named_from_the_top(self):
        axes, = self.figure.axes
        self.assertEqual([t.get_text() for t in axes.get_yticklabels()],
                         ["a", "b"])
        bottom, top = axes.get_ylim()
        self.assertGreater(bottom, top)

    def test_legend_has_each_kind_in_its_style(self):
        legend, = self.figure.legends
        self.assertEqual([t.get_text() for t in legend.get_texts()],
                         list(plots.SPEEDUP_MARKS))
        shown = {line.get_label().split(" (")[0].split(", ")[1]:
                 (line.get_marker(), line.get_color())
                 for line in plots.marks(self.figure)}
        for kind, found in shown.items():
            style = plots.SPEEDUP_MARKS[kind]
            self.assertEqual(found, (style["marker"], style["color"]))

    def test_all_marks_are_within_the_axes(self):
        axes, = self.figure.axes
        low, high = axes.get_xlim()
        for x, _ in points(self.figure).values():
            self.assertTrue(low < x < high)


class Scatter(unittest.TestCase):
    def test_every_build_stands_at_its_registers(self):
        first, second = registers(samples.results()).axes
        self.assertEqual(first.get_title(loc="left"), "a")
        self.assertEqual(second.get_title(loc="left"), "b")
        found = points(registers(samples.results()))
        self.assertEqual(found["nvcc: 64 registers, 4.0000 ms"], (64, 1.0))
        self.assertEqual(found["nvcc-r40: 40 registers, 2.0000 ms"], (40, 0.5))
        self.assertEqual(found["clang-r40-pragma: 40 registers, 3.0000 ms"],
                         (40, 0.75))
        self.assertEqual(found["regdem-auto: 32 registers, 1.2500 ms"],
                         (32, 1.25))
        self.assertEqual(len(found), 8)

    def test_a_ring_marks_the_choice(self):
        figure = registers(samples.results())
        rings = [line for line in plots.marks(figure)
                 if line.get_markersize() == plots.CHOSEN["markersize"]]
        self.assertEqual([line.get_label() for line in rings],
                         ["regdem-auto: 40 registers, 2.1000 ms",
                          "regdem-auto: 32 registers, 1.2500 ms"])

    def test_slow_builds_stand_at_the_upper_edge(self):
        figure = registers(results(
            ("nvcc", 1.0), ("nvcc-r32", 50.0), ("clang", 2.0)))
        found = points(figure)
        self.assertEqual(found["nvcc-r32: 64 registers, 50.0000 ms"][1], 3.0)
        self.assertEqual(found["clang: 64 registers, 2.0000 ms"][1], 2.0)
        self.assertLess(figure.axes[0].get_ylim()[1], 4)

    def test_a_line_joins_the_fastest_at_each_step(self):
        figure = plots.scatter(
            results(("nvcc", 2.0), ("nvcc-r32", 1.0, 0, True, 32),
                    ("clang", 3.0), ("clang-r32", 9.0, 0, True, 32)).kernels,
            "blocks per SM", lambda row: row["blocks_per_sm"], step=True)
        line, = [l for l in figure.axes[0].lines if l.get_linewidth() == 2]
        self.assertEqual(list(zip(*line.get_data())), [(4, 1.0), (8, 0.5)])

    def test_without_nvcc_clang_is_the_measure(self):
        found = points(registers(results(("clang", 2.0), ("regdem-r32", 1.0))))
        self.assertEqual(found["regdem-r32: 64 registers, 1.0000 ms"][1], 0.5)

    def test_kernels_without_a_stock_build_are_left_out(self):
        self.assertEqual(registers(results(("nvcc-r32", 1.0))).axes, [])


class Text(unittest.TestCase):
    def test_marks_have_their_labels_as_tooltips(self):
        figure = registers(samples.results())
        root = ElementTree.fromstring(plots.svg(figure, "a"))
        titles = [g.find(f"{SVG}title").text for g in root.iter(f"{SVG}g")
                  if g.find(f"{SVG}title") is not None]
        self.assertEqual(sorted(titles), sorted(
            line.get_label() for line in plots.marks(figure)))

    def test_marks_stand_in_proportion_to_the_logarithm(self):
        figure = plots.speedups(samples.results())
        root = ElementTree.fromstring(plots.svg(figure, "a"))
        place = {}
        for group in root.iter(f"{SVG}g"):
            title = group.find(f"{SVG}title")
            if title is not None:
                use = group.find(USED)
                place[title.text] = float(use.get("x")), float(use.get("y"))
        half = place["b, RegDem auto (regdem-auto): 0.800×"]
        one = place["b, clang (clang): 1.000×"]
        two = place["a, nvcc best cap (nvcc-r40): 2.000×"]
        self.assertAlmostEqual((two[0] - one[0]) / (one[0] - half[0]),
                               math.log(2) / math.log(1.25), places=3)
        self.assertEqual(one[1], half[1])
        self.assertLess(two[1], one[1])

    def test_labels_are_text(self):
        text = plots.svg(plots.speedups(samples.results()), "a")
        words = {t.text for t in
                 ElementTree.fromstring(text).iter(f"{SVG}text")}
        self.assertLessEqual({"a", "b", "1×", "2×", "RegDem auto"}, words)

    def test_text_is_the_same_each_time_and_names_no_place_or_date(self):
        texts = [plots.svg(plots.speedups(samples.results()), "a")
                 for _ in range(2)]
        self.assertEqual(*texts)
        for word in ("<metadata", "Date", "Matplotlib", "/tmp", "/home",
                     str(Path(plots.matplotlib.__file__).parent)):
            self.assertNotIn(word, texts[0])

    def test_references_on_the_page_are_unambiguous(self):
        page = html.page(samples.results())
        known = re.findall(r'\bid="([^"]*)"', page)
        self.assertEqual(len(known), len(set(known)))
        used = set(re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', page))
        self.assertTrue(used)
        self.assertLessEqual({a or b for a, b in used}, set(known))


if __name__ == "__main__":
    unittest.main()
