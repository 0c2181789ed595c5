#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_advice.py: what regdem-report advises, on a report that was recorded and on
changes of it."""

import re
import sys
import unittest

sys.dont_write_bytecode = True
from recorded import kernel, said
from regdem_report import page


class AdviceTest(unittest.TestCase):
    def test_missing_block_size(self):
        self.assertIn("State __launch_bounds__(threads)", said(kernel("chase")))
        self.assertNotIn("State", said(kernel("chase", block_size_from="maxntid")))
        self.assertIn("State __launch_bounds__(threads), or REGDEM_BLOCK_SIZE=N: ",
                      said(kernel("chase", from_ptx=True)))
        # Builds at launch have block sizes, and may have values in shared memory.
        self.assertNotIn("State", said(kernel("chase", launches=[{"expected_gain": 9.0}])))

    def test_launch_bounds_that_cost(self):
        # Figures are of a minimum of one block, for which ptxas decides otherwise than
        # for none.
        self.assertRegex(said(kernel("crowded")), r"cost 79 % of the time, as predicted: "
                         r"__launch_bounds__\(\d+, 1\) gives \d+ registers, blocks per SM: \d")
        self.assertNotIn("cost", said(kernel("coldstate")))

    def test_arrays(self):
        staying = {"name": "seen", "bytes": 64, "fate": "local", "source": "src/a.cu:9",
                   "reason": "its address goes to 'sum(float*)'",
                   "help": "make that function __forceinline__"}
        self.assertIn("'seen' (a.cu:9, 64 bytes a thread) stays in local memory: its address "
                      "goes to 'sum(float*)'; make that function __forceinline__.",
                      said(kernel("classes", arrays=[staying])))
        self.assertNotIn("'seen'", said(kernel("classes", arrays=[dict(staying,
                                                                       fate="shared")])))
        self.assertNotIn("'seen'", said(kernel("classes", arrays=[staying],
                                               chosen={"frame_bytes": 0})))
        self.assertIn("64 bytes a thread of local memory are arrays, or the stacks of functions",
                      said(kernel("classes")))
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
        risky = said(kernel("chase", block_size_from="maxntid", margin=1.0))
        self.assertIn("__launch_bounds__(256, 6) is expected to gain 5.4 %, at more risk", risky)
        self.assertNotIn("less than the", risky)

    def test_launch_bounds_of_a_build_at_launch(self):
        self.assertIn("Without RegDem, if none of its blocks have more than 256 threads, "
                      "__launch_bounds__(256, 6) is expected to gain 5.4 % in blocks of so many",
                      said(kernel("chase", block_size_from="launch", margin=7.5)))

    def test_moved_frames_are_no_caps_alone(self):
        capped = next(v for v in kernel("chase").variants if v["decision"] == "cap"
                      and v.get("expected_gain", 0) > 1)
        moved = dict(capped, moved_frame_bytes=48, expected_gain=49.5)
        k = kernel("chase", block_size_from="maxntid", margin=7.5,
                   variants=kernel("chase").variants + [moved])
        self.assertNotIn("49.5", said(k))
        self.assertIn("gain 5.4 %", said(k))

    def test_spill_code_that_is_left(self):
        self.assertIn("24 bytes of spill code are left under 32 registers. A build with "
                      "112 registers has none", said(kernel("gauss_jordan")))
        self.assertNotIn("are left", said(kernel("stencil")))
        none_fits = kernel("gauss_jordan")
        for v in none_fits.variants:
            v["blocks_per_sm"] *= v["regs"] == 32
        self.assertIn("are left under 32 registers.", said(none_fits))
        self.assertNotIn("A build with", said(none_fits))

    def test_cap_that_costs(self):
        self.assertIn("The cap of 32 registers costs 56 % of the time, as predicted: raise it to "
                      "40, or state __launch_bounds__(256, 6)",
                      said(kernel("coldstate", chosen={"cycles": 2 * next(
                          v["cycles"] for v in kernel("coldstate").variants
                          if v["decision"] == "stock")})))
        self.assertNotIn("The cap", said(kernel("coldstate")))
        none_fits = kernel("coldstate", chosen={"cycles": 1e9})
        for v in none_fits.variants:
            v["blocks_per_sm"] *= v["regs"] == 32
        self.assertNotIn("The cap", said(none_fits))

    def test_few_registers_to_the_next_block(self):
        k = kernel("chase", block_size_from="maxntid")
        k.stock["regs"] = 43
        self.assertIn("3 registers less (40) would give 6 blocks per SM", said(k))
        k.stock["regs"] = 48
        self.assertNotIn("registers less", said(k))
        # Six blocks have 38912 bytes each, with the driver's 1024.
        k.stock["regs"] = 43
        for shared, is_said in ((37888, True), (37889, False)):
            self.assertEqual("registers less" in said(kernel(
                "chase", block_size_from="maxntid", variants=[k.stock],
                dynamic_smem=shared - k.stock["smem"])), is_said)

    def test_l1_that_is_left(self):
        self.assertIn("leaves 28 KB of L1 instead of 248", said(kernel("coldstate")))
        # 8 blocks of 27648 bytes and the driver's 1024, of 228 KB.
        self.assertIn("cudaFuncAttributePreferredSharedMemoryCarveout, let it be 99",
                      said(kernel("coldstate")))
        self.assertNotIn("L1", said(kernel("tti")))

    def test_carve_outs_have_room_for_dynamic_shared_memory(self):
        built = {"smem": 9216, "blocks_per_sm": 8}
        # 8 blocks of 9216 + 18432 bytes and the driver's 1024, of 228 KB.
        self.assertIn("Carveout, let it be 99", said(kernel("coldstate", chosen=built,
                                                            dynamic_smem=18432)))
        unknown = kernel("coldstate", chosen=built)
        del unknown.raw["dynamic_smem"]
        self.assertIn("Carveout, let it hold 8 blocks of 9216 bytes and of the dynamic shared "
                      "memory of launches, which is not known.", said(unknown))
        # A kernel of which a file sets it has no builds at launch.
        self.assertRegex(said(kernel("coldstate", block_size_from="launch")), "L1 hits[.]$")

    def test_occupancy_with_dynamic_shared_memory(self):
        line = re.compile('class="limit" d="([^"]*)"')
        charts = [line.findall(page.page([kernel("tti", dynamic_smem=n)])) for n in (0, 32768)]
        self.assertEqual(charts[0][0], charts[1][0])  # By registers.
        self.assertNotEqual(charts[0][1], charts[1][1])


if __name__ == "__main__":
    unittest.main()
