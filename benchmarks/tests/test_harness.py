#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the Python side of the benchmarks; no GPU, no compiler needed."""

import re
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness import catalog, ptx, toolchain
from harness.results import geometric_mean
from harness.variants import Builder, Built
from regdem_common import occupancy
import samples

PTX = """.version 8.8
.target sm_90
.visible .entry first(
\t.param .u64 first_param_0
)
.maxntid 256
{
\tret;
}
.visible .entry second()
{
\tret;
}
"""


class PtxEdits(unittest.TestCase):
    def test_directives_stand_before_every_body(self):
        edited = ptx.edit(PTX, max_registers=40, min_blocks=2)
        self.assertEqual(
            len(re.findall(r"\.minnctapersm 2\n\.maxnreg 40\n\{", edited)), 2
        )

    def test_pragma_opens_every_body(self):
        edited = ptx.edit(PTX, smem_spilling=True)
        self.assertEqual(edited.count("{\n" + ptx.SMEM_SPILLING), 2)

    def test_no_request_changes_nothing(self):
        self.assertEqual(ptx.edit(PTX), PTX)

    def test_stated_minimum_of_blocks_gives_way(self):
        stated = PTX.replace("256\n", "256\n.minnctapersm 4\n")
        edited = ptx.edit(stated, max_registers=40)
        self.assertIn(".maxntid 256\n.maxnreg 40\n{", edited)
        self.assertNotIn(".minnctapersm", edited)
        self.assertIn(".minnctapersm 4", ptx.edit(stated, smem_spilling=True))
        self.assertEqual(ptx.without_minimum(stated), PTX)

    def test_module_without_kernel_is_refused(self):
        with self.assertRaises(ValueError):
            ptx.edit(".version 8.8\n.target sm_90\n")


class Figures(unittest.TestCase):
    TEXT = (
        "    64 bytes stack frame, {} bytes spill stores, {} bytes spill "
        "loads\nptxas info    : Used {} registers, used 1 barriers, "
        "64 bytes cumulative stack size{}\n"
    )

    def test_one_kernel(self):
        text = self.TEXT.format(104, 96, 40, ", 19456 bytes smem")
        self.assertEqual(
            toolchain.parse_figures(text),
            toolchain.Figures(40, 64, 104, 96, 19456),
        )

    def test_kernels_are_summed_up(self):
        text = self.TEXT.format(8, 4, 40, "") + self.TEXT.format(1, 2, 32, "")
        figures = toolchain.parse_figures(text)
        self.assertEqual((figures.regs, figures.spill), (40, 15))

    def test_negative_spills_count_as_none(self):
        text = self.TEXT.format(-8, -8, 48, ", 7680 bytes smem")
        self.assertEqual(toolchain.parse_figures(text).spill, 0)

    def test_spills_to_shared_memory_are_taken_off_the_sum(self):
        text = (self.TEXT.format(-72, -104, 128, ", 9216 bytes smem")
                + self.TEXT.format(160, 192, 128, ""))
        self.assertEqual(toolchain.parse_figures(text).spill, 88 + 88)

    def test_other_text_is_refused(self):
        with self.assertRaises(toolchain.ToolError):
            toolchain.parse_figures("ptxas fatal : no")


class Steps(unittest.TestCase):
    def test_steps_are_the_largest_caps(self):
        self.assertEqual(
            occupancy.register_steps("sm_90", 256, 80), [64, 48, 40, 32]
        )


class Demoting(unittest.TestCase):
    """What RegDem is told where a cap is to be reached."""

    @staticmethod
    def asked(bounds=True, defines=()):
        bench = catalog.Benchmark(
            "id", Path(), defines, "further", "", 192, bounds, (), False
        )
        asked = []

        def compile_ptx(bench, path, options):
            asked.append((bench.defines, options))
            raise toolchain.ToolError("not compiled")

        tools = SimpleNamespace(regdem_ptx=compile_ptx)
        with tempfile.TemporaryDirectory() as folder:
            Builder(tools, bench, Path(folder)).demoting(40)
        return asked[0]

    def test_block_size_is_stated_where_the_kernel_does_not(self):
        self.assertEqual(self.asked(bounds=False)[1]["block-size"], 192)
        self.assertNotIn("block-size", self.asked()[1])

    def test_stated_minimum_of_blocks_gives_way(self):
        defines = ("REAL=float", "BENCH_MIN_BLOCKS=5")
        self.assertEqual(self.asked(defines=defines)[0], ("REAL=float",))


class Catalog(unittest.TestCase):
    def test_sets_are_complete(self):
        known = catalog.load()
        self.assertEqual(len({b.id for b in known}), len(known))
        self.assertGreaterEqual(len(known), 24)
        paper = {b.id for b in known if b.set == "paper"}
        self.assertEqual(
            paper,
            {"cfd", "qtc", "md5hash", "md", "gaussian", "conv", "nn", "pc",
             "vp"},
        )

    def test_block_size_is_that_of_the_source(self):
        for bench in catalog.load():
            text = (bench.folder / "params.h").read_text()
            found = re.search(r"BlockSize = (\d+)", text)
            if found:
                self.assertEqual(int(found.group(1)), bench.block, bench.id)

    def test_unknown_name_ends_the_program(self):
        with self.assertRaises(SystemExit):
            catalog.select(catalog.load(), ["no-such-benchmark"])


class Ratios(unittest.TestCase):
    def setUp(self):
        self.results = samples.results()
        self.a, self.b = self.results.kernels

    def test_best_of_a_sweep(self):
        self.assertEqual(self.a.fastest("nvcc best cap"), "nvcc-r40")
        self.assertEqual(self.a.speedup("nvcc best cap", "nvcc"), 2.0)
        self.assertIsNone(self.a.speedup("nvcc best pragma", "nvcc"))

    def test_wrong_results_never_count_as_fast(self):
        self.assertEqual(self.b.fastest("RegDem best"), "clang")
        self.assertEqual(len(self.results.wrong), 2)

    def test_spread_over_repetitions(self):
        low, high = self.a.spread("RegDem auto", "clang")
        self.assertAlmostEqual(low, 6 / 2.2)
        self.assertAlmostEqual(high, 3.0)

    def test_register_limited(self):
        self.assertTrue(self.a.register_limited("sm_90"))
        self.assertFalse(self.b.register_limited("sm_90"))

    def test_losses_are_named(self):
        found = self.results.losses("RegDem auto", "clang")
        self.assertEqual([(k.id, r) for k, r in found], [("b", 0.8)])

    def test_over_best_may_ask_for_the_blocks_that_the_source_states(self):
        self.assertAlmostEqual(self.b.over_best("RegDem auto"), 1.25)
        self.assertAlmostEqual(self.a.over_best("clang"), 6 / 2.1)
        # With 64 registers fewer blocks fit than with 40.
        self.a.min_blocks = 5
        self.assertAlmostEqual(self.a.over_best("clang", True), 6 / 2.1)
        self.a.rows["regdem-auto"]["blocks_per_sm"] = 4
        self.assertAlmostEqual(self.a.over_best("clang", True), 2.0)
        self.assertIsNone(self.a.over_best("nvcc best pragma"))

    def test_stated_blocks_are_read_from_the_defines(self):
        stated = {b.id: b.min_blocks for b in catalog.load()}
        self.assertEqual(stated["quadrupole"], 5)
        self.assertEqual(stated["chemistry"], 0)

    def test_geometric_mean(self):
        self.assertAlmostEqual(geometric_mean([2.0, 8.0]), 4.0)
        self.assertIsNone(geometric_mean([]))


class Builds(unittest.TestCase):
    def test_failed_build_is_reported_as_such(self):
        built = Built("clang-r16", "clang", error="ptxas failed: no")
        self.assertEqual(built.as_json(None)["error"], "ptxas failed: no")


if __name__ == "__main__":
    unittest.main()
