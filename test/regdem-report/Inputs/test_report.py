#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_report.py: figures, advice and comparisons of regdem-report, on a report
that was recorded and on changes of it."""

import copy
import json
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
TOOLS = HERE.parents[2] / "tools"
sys.path[:0] = [str(TOOLS / "regdem-report" / "app"), str(TOOLS / "common")]
from regdem_common import (launch_log, measured, measured_file, occupancy, records,
                           words)
from regdem_report import advice, comparison, measurement, page, terminal

ANALYSES = HERE.parents[1] / "regdem-analyse" / "Inputs"
LOG = """{"event":"first","kernel":"_Z5chasePKiPKfPfi","block":[128,1,1],"dynamic_smem":0,\
"build":2,"grid":[99,1,1]}
{"event":"settled","kernel":"_Z5chasePKiPKfPfi","block":[128,1,1],"grid":[99,1,1],"build":2,\
"kernel_ms":2.0,"build_ms":1.5}
{"event":"exit","kernel":"_Z5chasePKiPKfPfi","block":[128,1,1],"dynamic_smem":0,"build":2,\
"launches":2000}
"""
KERNELS = {(k.short, k.arch): k for k in records.read([HERE / "build.jsonl"])}


def kernel(which, arch="sm_90", /, *, chosen=None, **fields):
    """A recorded kernel with other fields, of the build that was chosen, too."""
    raw = copy.deepcopy(KERNELS[which, arch].raw)
    raw.update(fields)
    changed = records.Kernel(raw)
    if chosen:
        changed.chosen.update(chosen)
    return changed


def said(some_kernel):
    return " ".join(advice.advice(some_kernel))


class OccupancyTest(unittest.TestCase):
    def test_blocks_are_those_that_regdem_reports(self):
        builds = 0
        for k in KERNELS.values():
            for v in k.variants:
                got = occupancy.blocks(occupancy.sm_of(k.arch), k.raw["block_size"],
                                       v["regs"], v["smem"])
                self.assertEqual(got, v["blocks_per_sm"], (k.name, k.arch, words.build(v)))
                builds += 1
        self.assertGreater(builds, 60)

    def test_most_registers(self):
        sm = occupancy.sm_of("sm_90a")
        self.assertEqual(occupancy.most_registers(sm, 256, 6), 40)
        self.assertIsNone(occupancy.most_registers(sm, 256, 9))

    def test_unknown_gpu(self):
        self.assertIsNone(occupancy.sm_of("sm_999"))
        self.assertIsNone(occupancy.sm_of("gfx90a"))


class NameTest(unittest.TestCase):
    def test_parameters_are_left_out(self):
        for name, short in (
                ("f(int, float)", "f"), ("f", "f"),
                ("void g<h(int), 3>(float*)", "g<h(int), 3>"),
                ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
                ("a::(anonymous namespace)::f(int)", "a::(anonymous namespace)::f")):
            self.assertEqual(kernel("chase", name=name).short, short)


class AdviceTest(unittest.TestCase):
    def test_missing_block_size(self):
        self.assertIn("State __launch_bounds__(threads)", said(kernel("chase")))
        self.assertNotIn("State", said(kernel("chase", block_size_from="maxntid")))

    def test_launch_bounds_that_cost(self):
        self.assertIn("cost 79 % of the time", said(kernel("crowded")))
        self.assertNotIn("cost", said(kernel("coldstate")))

    def test_arrays(self):
        self.assertIn("64 bytes a thread are arrays", said(kernel("classes")))
        self.assertNotIn("arrays", said(kernel("gauss_jordan")))

    def test_launch_bounds_that_help(self):
        plain = [dict(v, decision="cap", without="", order="", expected_gain=8.5,
                      smem_spilling=False) for v in kernel("tti").variants
                 if v["chosen"]]
        k = kernel("tti", variants=kernel("tti").variants + plain)
        self.assertIn("Without RegDem, __launch_bounds__(256, 6) is expected to gain 8.5 %",
                      said(k))
        plain[0]["expected_gain"] = -1
        k = kernel("tti", variants=[v for v in kernel("tti").variants if v["order"]
                                    or v["decision"] != "cap"] + plain)
        self.assertNotIn("Without RegDem", said(k))

    def test_launch_bounds_for_kernels_that_are_kept(self):
        self.assertIn("If its blocks have 256 threads, __launch_bounds__(256, 6) is expected to "
                      "gain 5.4 %", said(kernel("chase")))
        self.assertIn("__launch_bounds__(256, 6) is expected to gain 5.4 %, less than the 7.5 % "
                      "that RegDem asks for",
                      said(kernel("chase", block_size_from="maxntid", margin=7.5)))

    def test_spill_code_that_is_left(self):
        self.assertIn("24 bytes of spill code are left under 32 registers. A build with "
                      "112 registers has none", said(kernel("gauss_jordan")))
        self.assertNotIn("are left", said(kernel("stencil")))

    def test_cap_that_costs(self):
        self.assertIn("The cap of 32 registers costs 56 % of the time, as predicted: raise it to "
                      "40, or state __launch_bounds__(256, 6)",
                      said(kernel("coldstate", chosen={"cycles": 2 * next(
                          v["cycles"] for v in kernel("coldstate").variants
                          if v["decision"] == "stock")})))
        self.assertNotIn("The cap", said(kernel("coldstate")))

    def test_few_registers_to_the_next_block(self):
        k = kernel("chase", block_size_from="maxntid")
        k.stock["regs"] = 43
        self.assertIn("3 registers less (40) would give 6 blocks per SM", said(k))
        k.stock["regs"] = 48
        self.assertNotIn("registers less", said(k))

    def test_l1_that_is_left(self):
        self.assertIn("leaves 28 KB of L1 instead of 248", said(kernel("coldstate")))
        # 8 blocks of 27648 bytes and the driver's 1024, of 228 KB.
        self.assertIn("cudaFuncAttributePreferredSharedMemoryCarveout, let it be 99",
                      said(kernel("coldstate")))
        self.assertNotIn("L1", said(kernel("tti")))

    def test_missing_tools(self):
        self.assertIn("nvdisasm", said(kernel("chase", from_sass=False)))
        self.assertIn("ptxas", said(kernel("chase", estimated=True, variants=[])))
        self.assertNotIn("nvdisasm", said(kernel("chase")))


def attached(some_kernels, own=(), stock=(), log=""):
    """The kernels with what was measured; what the report lacks."""
    with tempfile.NamedTemporaryFile("w", suffix=".log") as file:
        file.write(log)
        file.flush()
        found = launch_log.read([file.name])
    read = [measured_file.read(ANALYSES / f"{n}.csv") if n else [] for n in (own, stock)]
    return measurement.attach(some_kernels, *read, found)


class MeasuredTest(unittest.TestCase):
    def test_gain_over_stock(self):
        k = kernel("coldstate")
        self.assertIn("void geo::nearest<3>(float const*, float*, int)",
                      attached([k], "regdem", "stock"))
        self.assertAlmostEqual(k.measured.gain, 29.84, 2)
        self.assertIn("0.09597 ms as stock, 0.06733 ms as built (+29.8 %)",
                      Page(page.page([k], "t")).text)
        lines = terminal.table([k])
        self.assertIn("measured", lines[0])
        self.assertIn("+16.9 %   +29.8 %  latency", lines[1])

    def test_one_analysis_is_no_gain(self):
        k = kernel("coldstate")
        attached([k], "regdem")
        self.assertIsNone(k.measured.gain)
        self.assertEqual(k.measured.block_sizes, [256])

    def test_builds_at_launch_against_the_kernel(self):
        k = kernel("chase")
        self.assertEqual(attached([k], log=LOG), [])
        self.assertEqual(k.measured.gain, 25)
        shown = Page(page.page([k], "t")).text
        self.assertIn("launches of 128 threads a block: 2000 of build 2; the build against "
                      "the kernel: +25.0 %", shown)
        self.assertIn("State __launch_bounds__(128), the largest block that was seen", said(k))
        counted = [dict(f, kernel=k.mangled, build=n, time_ms=4 - n) for n, f in
                   enumerate(measured.kernels((ANALYSES / "stock.csv").read_text())[:2])]
        measurement.attach([k], counted, [], {})
        self.assertEqual(k.measured.gain, 25)

    def test_kernels_that_the_report_lacks(self):
        self.assertEqual(attached([kernel("tti")], log=LOG), ["_Z5chasePKiPKfPfi"])

    def test_slower_than_stock(self):
        k = kernel("coldstate")
        attached([k], "stock", "regdem")
        self.assertIn("takes 42.5 % more time than stock's, as measured", said(k))

    def test_arrays_that_were_measured(self):
        k = kernel("classes")
        own = dict(measured.kernels((ANALYSES / "stock.csv").read_text())[0],
                   kernel=k.mangled)
        measurement.attach([k], [own], [], {})
        self.assertIn("As measured, local memory matters (18.7 %)", said(k))

    def test_nothing_measured(self):
        k = kernel("tti")
        attached([k])
        self.assertFalse(k.measured)
        self.assertNotIn("Measured:", page.page([k], "t").partition("<details open>")[2])
        self.assertNotIn("measured", terminal.table([k])[0])


class ComparisonTest(unittest.TestCase):
    def compare(self, old, new, *faults):
        return comparison.compare(old, new, faults)

    def test_nothing(self):
        k = kernel("tti")
        self.assertEqual(self.compare([k], [k], *comparison.FAULTS),
                         (["no kernel has changed"], False))

    def test_each_fault(self):
        for fault, change in (("more-spill", {"spill_load_bytes": 8}),
                              ("more-registers", {"regs": 41}),
                              ("fewer-blocks", {"blocks_per_sm": 5}),
                              ("more-shared", {"smem": 1024})):
            old, new = kernel("tti"), kernel("tti", chosen=change)
            lines, failed = self.compare([old], [new], fault)
            self.assertTrue(failed, fault)
            self.assertIn(f"[{fault}]", lines[0])
            self.assertFalse(self.compare([new], [old], fault)[1], fault)
            self.assertFalse(self.compare([old], [new])[1], fault)

    def test_kernels_of_one_report_only(self):
        lines, failed = self.compare([kernel("tti")], [kernel("chase")],
                                     *comparison.FAULTS)
        self.assertEqual((lines, failed), (["+ chase (sm_90)", "- tti (sm_90)"], False))

    def test_figures_of_one_report_only(self):
        lines, failed = self.compare([kernel("tti")], [kernel("tti", variants=[])],
                                     *comparison.FAULTS)
        self.assertIn("one build only", lines[0])
        self.assertFalse(failed)


class Page(HTMLParser):
    """Tags that are open, and what would be fetched."""

    def __init__(self, text):
        super().__init__()
        self.open, self.outside, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.outside += [v for name, v in attrs if name in ("src", "href")]
        if tag in ("details", "svg", "table", "script", "style"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in ("details", "svg", "table", "script", "style"):
            assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text += data


class PageTest(unittest.TestCase):
    def test_page(self):
        text = page.page(list(KERNELS.values()), "Kernels <of> a build")
        shown = Page(text)
        self.assertEqual((shown.open, shown.outside), ([], []))
        self.assertIn("Kernels <of> a build", shown.text)
        self.assertIn("prefers-color-scheme:dark", text)
        self.assertNotIn("url(", text)
        self.assertNotIn("http", text)
        for k in KERNELS.values():
            self.assertIn(k.name, shown.text)
            self.assertIn(f"{k.short} {k.source.rpartition('/')[2]}", shown.text)
        self.assertEqual(text.count("<details>"), len(KERNELS) - 1)
        self.assertEqual(text.count("<details open>"), 1)
        self.assertEqual(text.count('class="chosen"'), 2 * sum(
            bool(k.chosen) for k in KERNELS.values()))

    def test_columns_and_axes_are_named(self):
        text = page.page([kernel("tti")], "t")
        head = text[text.index("<div class='head"):text.index("<details")]
        summary = text[text.index("<summary>"):text.index("</summary>")]
        self.assertEqual(head.count("<span>"), 6)
        self.assertIn("<span>occupancy</span>", head)
        self.assertIn("4 → 6 blocks/SM", summary)
        self.assertEqual(text.count(">blocks per SM</text>"), 2)

    def test_names_are_text(self):
        text = page.page([kernel("tti", name="f<a & b>(int)", reason="<i>")], "t")
        self.assertIn("f&lt;a &amp; b&gt;", text)
        self.assertNotIn("<i>", text)

    def test_size(self):
        some = [k for k in KERNELS.values() if k.variants]
        attached(some, "regdem", "stock", LOG)
        many = [some[n % len(some)] for n in range(250)]
        self.assertLess(len(page.page(many, "t").encode()), 2_000_000)


class FileTest(unittest.TestCase):
    def test_analyses_in_both_forms(self):
        found = measured_file.read(ANALYSES / "stock.csv")
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write("\n".join(map(json.dumps, found)) + "\n")
            file.flush()
            self.assertEqual(measured_file.read(file.name),
                             json.loads(json.dumps(found)))

    def test_the_last_line_counts(self):
        raw = kernel("tti").raw
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(json.dumps(raw) + "\n\n" + json.dumps(dict(raw, slots=3)) + "\n")
            file.flush()
            self.assertEqual([k.raw["slots"] for k in records.read([file.name])], [3])


if __name__ == "__main__":
    unittest.main()
