#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_analyse.py: ncu's forms of CSV, launches that count as one, and which
kernel of a report a measured one is."""

import copy
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
TOOLS = HERE.parents[2] / "tools"
sys.path[:0] = [str(TOOLS / "regdem-analyse" / "app"), str(TOOLS / "common")]
from regdem_analyse import outlook, table
from regdem_common import joining, measured, names, ncu, records

REPORT = records.read([HERE.parents[1] / "regdem-report" / "Inputs" / "build.jsonl"])
STOCK = {f["name"]: f for f in measured.kernels((HERE / "stock.csv").read_text())}
FEW = '''==PROF== Disconnected from process 1
"ID","Process ID","Kernel Name","Block Size","CC","gpu__time_duration.sum",\
"launch__shared_mem_per_block_static"
"","","","","","us","Kbyte/block"
"0","1","f(const float *)","(8, 8, 2)","9.0","1,234.50","2.05"
"1","1","g","(32, 1, 1)","9.0","n/a",""
'''


class CsvTest(unittest.TestCase):
    def test_units_and_what_is_not_known(self):
        f, g = measured.kernels(FEW)
        self.assertEqual((f["name"], f["arch"], f["block_size"], f["time_ms"]),
                         ("f(const float *)", "sm_90", 128, 1.2345))
        self.assertEqual(f["static_smem"], 2050)
        self.assertIsNone(g["time_ms"])
        self.assertEqual(f["verdict"], "limit unknown: counters are missing")

    def test_missing_counters_are_told(self):
        f = outlook.join(measured.kernels(FEW)[0], [])
        self.assertIn("Counters are missing", " ".join(outlook.advice(f, False)))
        self.assertIn("unknown", table.lines([f], False)[1])


class CombinedTest(unittest.TestCase):
    def test_counts_are_added_and_ratios_weighed_by_time(self):
        both = measured.combined([
            {measured.TIME: 1.0, "a.sum": 2, "b.pct": 10, "c.sum": None},
            {measured.TIME: 3.0, "a.sum": 4, "b.pct": 30, "c.sum": 5}])
        self.assertEqual(both, {measured.TIME: 4.0, "a.sum": 6, "b.pct": 25, "c.sum": 10})

    def test_launches_of_one_kernel_count_as_one(self):
        self.assertEqual(STOCK["coldstate"]["launches"], 2)
        self.assertAlmostEqual(STOCK["coldstate"]["time_ms"], 0.095968)
        self.assertAlmostEqual(sum(f["time_share"] for f in STOCK.values()), 1)


class HoldsTest(unittest.TestCase):
    def test_by_the_counter(self):
        launch = type("L", (), {"sum": lambda *_: 100})()
        for spills, found in ((100, "spills"), (5, "arrays"), (50, "both"), (None, "")):
            self.assertEqual(measured.holds(launch, spills), found)

    def test_by_the_report_without_it(self):
        text = (HERE / "stock.csv").read_text().replace("register_spilling", "none")
        figures = next(f for f in measured.kernels(text) if f["kernel"] == "crowded")
        self.assertIn("(spills or arrays) matters", figures["verdict"])
        joined = outlook.join(figures, REPORT)
        self.assertEqual((joined["holds"], joined["regdem"]["ran"]), ("spills", "stock"))
        self.assertIn("; spilling matters", joined["verdict"])
        alone = outlook.join(figures, [])
        self.assertIn("is not known: give", " ".join(outlook.advice(alone, False)))
        self.assertEqual(outlook.expected(alone), "at most 75 %")


class NameTest(unittest.TestCase):
    def test_spelling_of_demanglers(self):
        for llvm, nvidia in (
                ("f(float const*, int)", "f(const float *, int)"),
                ("void g<3>(float*)", "void g<(int)3>(float *)"),
                ("void g<3u, true>()", "void g<(unsigned int)3, (bool)1>()"),
                ("(anonymous namespace)::f()", "<unnamed>::f()")):
            self.assertEqual(names.spelling(llvm), names.spelling(nvidia))
        self.assertNotEqual(names.spelling("f(float*)"), names.spelling("f(int*)"))

    def test_function(self):
        for name, found in (("void a::g<b::h, 3>(float*)", "g"), ("f", "f"),
                            ("(anonymous namespace)::k(int)", "k")):
            self.assertEqual(names.function(name), found)

    def test_builds_for_launches(self):
        self.assertEqual(names.base("_Z1fPf$regdem2"), ("_Z1fPf", 2))
        self.assertEqual(names.base("f"), ("f", 0))


class JoinTest(unittest.TestCase):
    def figures(self, **fields):
        return dict(STOCK["coldstate"], **fields)

    def test_names(self):
        stencil = "stencil(const float *, float *, const float *, int, int, int)"
        for kernel, arch, found in (
                (stencil, "sm_86", ("_Z7stencilPKfPfS0_iii", "sm_86")),
                ("stencil", "sm_90", ("_Z7stencilPKfPfS0_iii", "sm_90")),
                ("stencil", "sm_80", None), ("other", "sm_90", None)):
            got = joining.match(REPORT, self.figures(kernel=kernel, name=kernel, arch=arch))
            self.assertEqual(got and got.key, found)

    def test_a_name_of_two_kernels_is_none(self):
        two = [k for k in REPORT if k.short == "tti"]
        two.append(records.Kernel(dict(copy.deepcopy(two[0].raw), kernel="_Z3ttif",
                                       name="tti(float)")))
        self.assertIsNone(joining.match(two, self.figures(kernel="a::tti", name="a::tti")))

    def test_which_build_ran(self):
        kernel = next(k for k in REPORT if k.short == "coldstate")
        for regs, smem, build, found in ((64, 0, 0, "stock"), (32, 27648, 0, "chosen"),
                                         (48, 0, 0, ""), (32, 0, 1, "chosen")):
            got = joining.ran(kernel, self.figures(registers=regs, static_smem=smem,
                                                   build=build))
            self.assertEqual(got, found)


if __name__ == "__main__":
    unittest.main()
