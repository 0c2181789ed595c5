#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_report.py: figures and comparisons of regdem-report, on a report
that was recorded and on changes of it."""

import json
import sys
import tempfile
import unittest
from html.parser import HTMLParser

sys.dont_write_bytecode = True
from recorded import HERE, KERNELS, kernel, said
from regdem_common import (launch_log, measured, measured_file, occupancy, records,
                           tool, words)
from regdem_report import comparison, findings, formats, measurement, page, terminal

ANALYSES = HERE.parents[1] / "regdem-analyse" / "Inputs"
LOG = """{"event":"first","kernel":"_Z5chasePKiPKfPfi","block":[128,1,1],"dynamic_smem":0,\
"build":2,"grid":[99,1,1]}
{"event":"settled","kernel":"_Z5chasePKiPKfPfi","block":[128,1,1],"grid":[99,1,1],"build":2,\
"kernel_ms":2.0,"build_ms":1.5}
{"event":"exit","kernel":"_Z5chasePKiPKfPfi","block":[128,1,1],"dynamic_smem":0,"build":2,\
"launches":2000}
"""


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


    def test_builds_at_launch_have_their_number(self):
        for mangled, short in (("_Z5chasePf$regdem2", "chase (build 2)"),
                               ("_Z5chasePf$regdem3_a1b2", "chase (build 3)"),
                               ("_Z5chasePf", "chase")):
            k = kernel("chase", kernel=mangled)
            self.assertEqual(k.short, short)
            self.assertIn(f"<b>{short}</b>", page.page([k]))
        lines = terminal.table([k, kernel("chase", kernel="_Z5chasePf$regdem2")], False)
        self.assertRegex(lines[2], r"^chase \(build 2\)  chase.cu:12 ")


class WorkTest(unittest.TestCase):
    def test_dearest_come_first(self):
        work = {"tti": 300, "chase": 600, "classes": 100}
        kernels = [kernel(name, work=n) for name, n in work.items()]
        text = "dearest to compile, of all builds: chase 60 %, tti 30 %, classes 10 %"
        self.assertEqual(words.dearest([*kernels, kernel("crowded")]), text)
        self.assertEqual(terminal.table(kernels)[-1], text)
        self.assertIn(text, page.page(kernels))
        self.assertEqual(words.dearest(kernels, most=1),
                         "dearest to compile, of all builds: chase 60 %")

    def test_names_count_together(self):
        twice = [kernel("tti", work=10), kernel("tti", work=20), kernel("chase", work=10)]
        self.assertIn("tti 75 %, chase 25 %", words.dearest(twice))

    def test_one_kernel_is_not_told_of(self):
        self.assertEqual(words.dearest([kernel("tti", work=10), kernel("chase")]), "")


class ChangeTest(unittest.TestCase):
    def test_a_moved_frame_is_a_change(self):
        k = kernel("chase", chosen={"moved_frame_bytes": 48})
        self.assertTrue(k.is_changed)
        self.assertEqual(words.done(k), "stock, frame in shared memory")
        self.assertIn("RegDem changed 1", words.summary([k]))
        k.chosen["frame_bytes"] = 16
        self.assertEqual(words.done(k), "stock, 48 of 64 B of its frame in shared memory")

    def test_builds_for_launches_are_a_change(self):
        k = kernel("chase", launches=[{"expected_gain": 8.0}, {"expected_gain": 20.1}])
        self.assertTrue(k.is_changed)
        self.assertEqual((words.done(k), words.gain(k)),
                         ("stock, and builds for launches", "up to +20.1 %"))

    def test_gains_over_a_cap_say_so(self):
        k = kernel("stencil")
        cap = next(v for v in k.variants if v.get("cycles"))
        cap.update(decision="cap", max_regs=32)
        self.assertRegex(words.gain(k), r"^\+[0-9.]+ % over cap 32$")
        self.assertNotIn("over", words.gain(kernel("tti")))


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
                      Page(page.page([k])).text)
        lines = terminal.table([k])
        self.assertIn("measured", lines[0])
        self.assertIn("+16.9 %    100 %   +29.8 %  latency", lines[1])

    def test_one_analysis_is_no_gain(self):
        k = kernel("coldstate")
        attached([k], "regdem")
        self.assertIsNone(k.measured.gain)
        self.assertEqual(k.measured.block_sizes, [256])

    def test_builds_at_launch_against_the_kernel(self):
        k = kernel("chase")
        self.assertEqual(attached([k], log=LOG), [])
        self.assertEqual(k.measured.gain, 25)
        shown = Page(page.page([k])).text
        self.assertIn("launches of 128 threads a block: 2000 of build 2; the build against "
                      "the kernel: +25.0 %", shown)
        self.assertIn("State __launch_bounds__(128), the largest block that was seen: without "
                      "a block size none of its values go", said(k))
        k = kernel("chase", launches=[{"expected_gain": 9.0}])
        attached([k], log=LOG)
        self.assertIn("State __launch_bounds__(128), the largest block that was seen: one build "
                      "is then made in place, and none chosen at launch.", said(k))
        counted = [dict(f, kernel=k.mangled, build=n, time_ms=4 - n) for n, f in
                   enumerate(measured.kernels((ANALYSES / "stock.csv").read_text())[:2])]
        measurement.attach([k], counted, [], {})
        self.assertEqual(k.measured.gain, 25)

    def test_weights(self):
        launches = [{"kernel": kernel(n).mangled, "block": [128, 1, 1], "grid": [g, 1, 1],
                     "dynamic_smem": 0, "count": c} for n, g, c in
                    (("chase", 10, 3), ("tti", 5, 1), ("tti", 1, 5))]
        some = [kernel("tti"), kernel("chase"), kernel("stencil")]
        self.assertEqual(attached(some, log=json.dumps({"version": 1, "launches": launches},
                                                       indent=1)), [])
        self.assertEqual([k.measured.weight for k in some], [0.25, 0.75, 0])
        shown = page.page(some)
        self.assertIn("75 % of the program", shown)
        self.assertLess(shown.index("<b>chase"), shown.index("<b>tti"))
        self.assertIn("75 %", terminal.table(some)[2])
        some.append(kernel("coldstate"))
        attached(some, "regdem", log=json.dumps({"version": 1, "launches": launches}))
        self.assertGreater(some[-1].measured.weight, 0.5)  # Of time, where it was measured.
        self.assertEqual(some[1].measured.weight, 0)

    def test_launches_of_another_version(self):
        for text in ('{"version": 2, "launches": []}', '{"version": 1, "launches": [{}]}'):
            with self.assertRaises(tool.UserError):
                attached([kernel("tti")], log=text)

    def test_kernels_that_the_report_lacks(self):
        self.assertEqual(attached([kernel("tti")], log=LOG), ["_Z5chasePKiPKfPfi"])

    def test_slower_than_stock(self):
        k = kernel("coldstate")
        attached([k], "stock", "regdem")
        self.assertIn("takes 42.5 % more time than stock's, as measured: keep stock's with "
                      "__attribute__", said(k))
        k = kernel("coldstate", from_ptx=True)
        attached([k], "stock", "regdem")
        self.assertIn("as measured: keep stock's with a REGDEM_KERNELS that does not match its "
                      "name.", said(k))
        self.assertNotIn("regdem-tune", said(k))

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
        self.assertNotIn("Measured:", page.page([k]).partition("<details open")[2])
        self.assertNotIn("measured", terminal.table([k])[0])


class ComparisonTest(unittest.TestCase):
    def compare(self, old, new, *faults):
        lines, found = comparison.compare(old, new, faults)
        return lines, any(f.is_fault for f in found)

    def test_nothing(self):
        k = kernel("tti")
        self.assertEqual(self.compare([k], [k], *findings.FAULTS),
                         (["no kernel has changed"], False))

    def test_each_fault(self):
        for fault, change in (("more-spill", {"spill_load_bytes": 8}),
                              ("more-local", {"frame_bytes": 8}),
                              ("any-spill", {"spill_store_bytes": 4}),
                              ("any-local", {"frame_bytes": 16}),
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
                                     *findings.FAULTS)
        self.assertEqual((lines, failed), (["+ chase (sm_90)", "- tti (sm_90)"], False))
        lines, failed = self.compare([kernel("tti")],
                                     [kernel("tti"), kernel("chase", chosen={"frame_bytes": 8})],
                                     "any-local", "more-local")
        self.assertEqual((lines, failed), (["+ chase (sm_90)  [any-local]"], True))

    def test_figures_of_one_report_only(self):
        lines, failed = self.compare([kernel("tti")], [kernel("tti", variants=[])],
                                     *findings.FAULTS)
        self.assertRegex(lines[0], r"^! tti .*one build only  \[unknown-figures\]$")
        self.assertTrue(failed)
        old, new = [kernel("tti", variants=[])], [kernel("tti")]
        self.assertTrue(self.compare(old, new, "more-spill")[1])
        self.assertFalse(self.compare(old, new, "any-spill", "any-local")[1])
        self.assertFalse(self.compare(new, old)[1])

    def test_kernels_of_one_name_in_several_files(self):
        some = [kernel("tti", source="a.cu:1"), kernel("tti", source="b.cu:1",
                                                       chosen={"regs": 39})]
        self.assertEqual(comparison.compare(some, some, findings.FAULTS),
                         (["no kernel has changed"], []))
        _, found = comparison.compare(some, [some[0], kernel("tti", source="b.cu:1")],
                                      findings.FAULTS)
        self.assertEqual([(f.rule, f.kernel.source) for f in found],
                         [("more-registers", "b.cu:1")])


class FindingTest(unittest.TestCase):
    def test_without_another_report_stock_is_the_base(self):
        k = kernel("tti", chosen={"frame_bytes": 8, "spill_load_bytes": 8})
        found = findings.of_report([k], ["more-spill", "any-local", "fewer-blocks"])
        self.assertEqual([(f.rule, f.is_fault) for f in found],
                         [("more-spill", True), ("any-local", True)])

    def test_local_memory_is_noted(self):
        found = findings.of_report([kernel("classes"), kernel("tti")], ["more-local"])
        self.assertEqual([(f.rule, f.is_fault, f.kernel.short) for f in found],
                         [("local-memory", False, "classes")])

    def test_faults_that_cannot_be_judged(self):
        named = ["any-spill", "more-local"]
        left = kernel("transpose", reason="builds of it were not compared")
        found = findings.of_report([left], named)
        self.assertEqual([(f.rule, f.is_fault) for f in found], [("unknown-figures", True)])
        self.assertRegex(found[0].text, r"not known, so that any-spill cannot be "
                         r"judged: transpose \(sm_90\)\..* RegDem: kept; builds of it")
        self.assertEqual(findings.of_report([left], ["more-local"]), [])
        # It is as before if its code is; ptxas need not be asked of all kernels.
        self.assertEqual(comparison.compare([left], [left], ["more-local"])[1], [])
        self.assertEqual(findings.of_report([kernel("transpose")], named), [])
        self.assertEqual(findings.of_report([kernel("chase")], named), [])  # Kept as stock.
        self.assertTrue(words.summary([kernel("chase"), left]).endswith(
            "; 1 unknown: no figures of ptxas"))
        self.assertNotIn("unknown", words.summary([kernel("chase")]))

    def test_github(self):
        k = kernel("tti", source="src/a,b.cu:7", chosen={"frame_bytes": 8})
        self.assertRegex(formats.github(findings.of_report([k], ["any-local"]))[0],
                         r"^::error file=src/a%2Cb.cu,line=7,title=RegDem%3A any-local::"
                         r"local memory: tti \(sm_90\): 40 registers, 0 bytes of spill code, "
                         r"8 bytes a thread in local memory, 6 blocks/SM; RegDem: cap 40")
        k = kernel("tti", source="a.cu", chosen={"frame_bytes": 8})
        self.assertRegex(formats.github(findings.of_report([k], []))[0],
                         "^::notice file=a.cu,title=RegDem%3A local-memory::tti")

    def test_sarif(self):
        k = kernel("tti", source="src/a.cu:7", chosen={"frame_bytes": 8})
        run = json.loads("\n".join(formats.sarif(findings.of_report([k], ["any-local"]),
                                                 "1.2.3")))["runs"][0]
        self.assertEqual(run["tool"]["driver"]["version"], "1.2.3")
        result = run["results"][0]
        self.assertIn(result["ruleId"], [r["id"] for r in run["tool"]["driver"]["rules"]])
        self.assertEqual((result["level"], result["locations"][0]["physicalLocation"]),
                         ("error", {"artifactLocation": {"uri": "src/a.cu"},
                                    "region": {"startLine": 7}}))

    def test_sarif_names_files_by_uri(self):
        k = kernel("tti", source="my src/é#1?50%.cu:7", chosen={"frame_bytes": 8})
        run = json.loads("\n".join(formats.sarif(findings.of_report([k], []), "1")))["runs"][0]
        place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
        self.assertEqual(place["uri"], "my%20src/%C3%A9%231%3F50%25.cu")


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
        text = page.page(list(KERNELS.values()))
        shown = Page(text)
        self.assertEqual(shown.open, [])
        self.assertTrue(shown.outside)
        for link in shown.outside:  # To kernels of the page.
            self.assertIn(f"id={link[1:]}>", text)
        self.assertIn("prefers-color-scheme:dark", text)
        self.assertNotIn("url(", text)
        self.assertNotIn("http", text)
        for k in KERNELS.values():
            self.assertIn(k.name, shown.text)
            self.assertIn(f"{k.short} {k.source.rpartition('/')[2]}", shown.text)
        self.assertEqual(text.count("<details "), len(KERNELS))
        self.assertEqual(text.count("<details open "), 1)
        self.assertEqual(text.count('class="chosen"'), 2 * sum(
            bool(k.chosen) for k in KERNELS.values()))

    def test_columns_and_axes_are_named(self):
        text = page.page([kernel("tti")])
        head = text[text.index("<div class='head"):text.index("<details")]
        summary = text[text.index("<summary>"):text.index("</summary>")]
        self.assertEqual(head.count("<span>"), 6)
        self.assertIn("<span>local memory</span>", head)
        self.assertIn("4 → 6 blocks/SM, +9.0 %", Page(summary).text)
        self.assertEqual(text.count(">blocks per SM</text>"), 2)

    def test_architectures_are_told_apart(self):
        other = kernel("tti", arch="sm_80")
        text = Page(page.page([kernel("tti"), other])).text
        self.assertRegex(text, r"tti kernel.cu:\d+ sm_80")
        self.assertRegex(text, r"tti kernel.cu:\d+ sm_90")

    def test_next_steps(self):
        text = page.page([kernel("tti"), kernel("crowded")])
        self.assertRegex(text, "<a href='#k[01]'>crowded</a>: The blocks per SM")
        self.assertNotIn("What to do next", page.page([kernel("tti")]))
        noted = page.page([kernel("coldstate")])  # Which is nothing to do.
        self.assertIn("of L1 instead of", noted)
        self.assertNotIn("What to do next", noted)

    def test_largest_gains_come_first(self):
        text = page.page([kernel("tti"), kernel("coldstate")])
        self.assertLess(text.index("<b>coldstate"), text.index("<b>tti"))

    def test_names_are_text(self):
        text = page.page([kernel("tti", name="f<a & b>(int)", reason="<i>")])
        self.assertIn("f&lt;a &amp; b&gt;", text)
        self.assertNotIn("<i>", text)

    def test_size(self):
        some = [k for k in KERNELS.values() if k.variants]
        attached(some, "regdem", "stock", LOG)
        many = [some[n % len(some)] for n in range(250)]
        self.assertLess(len(page.page(many).encode()), 2_000_000)


class FileTest(unittest.TestCase):
    def test_analyses_in_both_forms(self):
        found = measured_file.read(ANALYSES / "stock.csv")
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write("\n".join(map(json.dumps, found)) + "\n")
            file.flush()
            self.assertEqual(measured_file.read(file.name),
                             json.loads(json.dumps(found)))

    def test_frames_of_regdem_finish(self):
        raw = kernel("tti").raw
        frame = {"kernel": raw["kernel"], "arch": "sm_90", "moved": True, "at_end": False,
                 "reason": "", "frame_bytes": 96, "moved_bytes": 64, "stride": 72,
                 "shared_before": 0, "shared_after": 18432, "blocks_per_sm_before": 8,
                 "blocks_per_sm_after": 7, "expected_gain": 12.5}
        stays = dict(frame, kernel="_Z4stayi", moved=False, reason="<b> is called")
        end = dict(frame, kernel="_Z4stayi$regdem2", at_end=True, shared_after=0)
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            for line in (frame, raw, stays, end):
                file.write(json.dumps(line) + "\n")
            file.flush()
            kernels, frames = records.read_all([file.name])
            self.assertEqual(len(records.read([file.name])), 1)
        lines = terminal.frame_table(frames, kernels)
        self.assertEqual(len(lines), 4)
        self.assertRegex(lines[3], r"^tti +sm_90 +96 +64 +0 → 18432 +8 → 7 +\+12.5 %  moved to "
                         "shared memory$")
        self.assertRegex(lines[1], "sm_90 +96 +0 +stays: <b> is called$")
        self.assertRegex(lines[2], r"\(build 2\) .* launches add 72 bytes a thread$")
        shown = page.page(kernels, frames)
        self.assertIn("stays: &lt;b&gt; is called", shown)
        self.assertEqual(Page(shown).open, [])
        self.assertNotIn("regdem-finish", page.page(kernels))
        with self.assertRaisesRegex(tool.UserError, "'reason' is missing"):
            records.Frame({k: v for k, v in frame.items() if k != "reason"})

    def test_the_last_line_counts(self):
        raw = kernel("tti").raw
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(json.dumps(raw) + "\n\n" + json.dumps(dict(raw, slots=3)) + "\n")
            file.flush()
            self.assertEqual([k.raw["slots"] for k in records.read([file.name])], [3])


if __name__ == "__main__":
    unittest.main()
