"""The translation of PTX: right results, and no guess."""

import os
import tempfile
import unittest

from driver import cpu_run
from kernelgen import unit
from kernelgen.family import Family
from ptx import translate

from . import support

_HEAD = """
.version 8.8
.target sm_90
.address_size 64
.visible .entry k(
  .param .u64 .ptr .align 1 k_param_0,
  .param .u64 .ptr .align 1 k_param_1,
  .param .u32 k_param_2
)
{
  .reg .pred %p<3>;
  .reg .b16 %rs<3>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  .shared .align 4 .b8 s[256];
  mov.u32 %r1, %tid.x;
  ld.param.b64 %rd1, [k_param_1];
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.b64 %rd4, s;
  add.s64 %rd4, %rd4, %rd2;
"""
_TAIL = "  st.global.b32 [%rd3], %r2;\n  ret;\n}\n"


class PtxTest(unittest.TestCase):
    def run_ptx(self, body, head=_HEAD):
        with tempfile.TemporaryDirectory() as folder:
            outcome, texts = cpu_run.outputs(
                support.tools(), head + body + _TAIL,
                [support.HandWritten("")], folder)
        return outcome, texts.get("k")

    def assert_same(self, left, right):
        results = [self.run_ptx(body) for body in (left, right)]
        for outcome, text in results:
            self.assertTrue(outcome.ok and text, outcome.text)
        self.assertEqual(results[0][1], results[1][1])

    def assert_value(self, body, value):
        """body leaves the value in %r2."""
        self.assert_same(body, "  mov.b32 %%r2, %d;\n" % value)

    def test_pairs_of_halves_are_compared_one_by_one(self):
        self.assert_value("  mov.b32 %r3, 0x3C004000;\n  mov.b32 %r4, 0x3C003C00;\n"
                          "  setp.gt.f16x2 %p1|%p2, %r3, %r4;\n"
                          "  selp.b32 %r5, 1, 0, %p1;\n  selp.b32 %r6, 2, 0, %p2;\n"
                          "  or.b32 %r2, %r5, %r6;\n", 1)

    def test_words_of_the_output(self):
        kernel = support.HandWritten("")
        with tempfile.TemporaryDirectory() as folder:
            cpu_run.outputs(support.tools(), _HEAD + "  mad.lo.s32 %r2, %r1, "
                            "3, 7;\n" + _TAIL, [kernel], folder)
            words = [cpu_run.output_word(folder, kernel, i) for i in (0, 5)]
        self.assertEqual(words, [7, 22])

    def test_slot_of_shared_memory(self):
        self.assert_same("""
          mad.lo.s32 %r2, %r1, %r1, 7;
          st.shared.b32 [%rd4], %r2;
          mov.b32 %r2, 0;
          ld.shared.b32 %r2, [%rd4];
        """, "  mad.lo.s32 %r2, %r1, %r1, 7;\n")

    def test_slot_that_was_not_stored(self):
        outcome, _ = self.run_ptx("  ld.shared.b32 %r2, [%rd4];\n")
        self.assertIn("nobody wrote", outcome.text)

    def test_word_of_the_block_that_all_threads_store_alike(self):
        self.assert_value("""
          mov.b64 %rd5, s;
          mov.b32 %r3, 7;
          st.shared.b32 [%rd5], %r3;
          ld.shared.b32 %r2, [%rd5];
        """, 7)

    def test_word_of_the_block_that_threads_store_differently(self):
        outcome, _ = self.run_ptx("""
          mov.b64 %rd5, s;
          st.shared.b32 [%rd5], %r1;
          ld.shared.b32 %r2, [%rd5];
        """)
        self.assertIn("a race", outcome.text)

    def test_register_that_was_not_written(self):
        outcome, _ = self.run_ptx("  mov.b32 %r2, %r5;\n")
        self.assertIn("nobody wrote", outcome.text)

    def test_other_value_gives_another_hash(self):
        results = [self.run_ptx("  add.s32 %%r2, %%r1, %d;\n" % n)[1]
                   for n in (1, 2)]
        self.assertNotEqual(*results)

    def test_shift_counts_clamp(self):
        self.assert_value("  mov.b32 %r3, 40;\n  shl.b32 %r2, %r1, %r3;\n", 0)
        self.assert_value("""
          mov.b32 %r3, -5;
          shr.s32 %r2, %r3, 99;
          neg.s32 %r2, %r2;
        """, 1)

    def test_carry_across_two_instructions(self):
        self.assert_value("""
          mov.b32 %r3, -1;
          add.cc.u32 %r4, %r3, 2;
          addc.u32 %r2, %r4, 10;
        """, 12)

    def test_high_half_of_a_product(self):
        self.assert_value("  mov.b32 %r3, -1;\n  mul.hi.u32 %r2, %r3, 5;\n", 4)
        self.assert_value("""
          mov.b32 %r3, -1;
          cvt.u64.u32 %rd5, %r3;
          mul.lo.s64 %rd5, %rd5, %rd5;
          mov.b64 {_, %r2}, %rd5;
          add.s32 %r2, %r2, 2;
        """, 0)

    def test_narrow_conversion_extends_the_sign(self):
        self.assert_value("  mov.b32 %r3, 511;\n  cvt.s32.s8 %r2, %r3;\n"
                          "  add.s32 %r2, %r2, 8;\n", 7)

    def test_branch_table(self):
        self.assert_value("""
          mov.b32 %r3, 1;
          $L_brx_0: .branchtargets $L1, $L2;
          brx.idx %r3, $L_brx_0;
          $L1:
          mov.b32 %r2, 3;
          bra.uni $L3;
          $L2:
          mov.b32 %r2, 4;
          $L3:
        """, 4)

    def test_comparison_with_nan(self):
        self.assert_value("""
          mov.b32 %r3, 0f7FC00000;
          setp.lt.f32 %p1, %r3, 0f3F800000;
          setp.neu.f32 %p2, %r3, %r3;
          selp.b32 %r4, 1, 0, %p1;
          selp.b32 %r2, 2, 0, %p2;
          add.s32 %r2, %r2, %r4;
        """, 2)

    def test_unknown_instruction_is_refused(self):
        outcome, text = self.run_ptx("  tanh.approx.f32 %r2, %r1;\n")
        self.assertIsNone(text)
        self.assertIn("unknown PTX: tanh.approx.f32", outcome.text)

    def test_most_generated_kernels_agree_with_their_source(self):
        seeds = [s for s in range(200) if Family(s).contract == "off"][:16]
        kernels = unit.generate(seeds)
        tools = support.tools()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "k")
            with open(path + ".cu", "w", encoding="ascii") as file:
                file.write(unit.source(kernels))
            self.assertTrue(tools.stock(kernels[0].family, path + ".cu",
                                        path + ".ptx").ok)
            with open(path + ".ptx", encoding="utf-8") as file:
                text = file.read()
            outcome, found = cpu_run.outputs(tools, text, kernels, folder)
            self.assertTrue(outcome.ok, outcome.text)
            expected, built = cpu_run.source_outputs(tools, kernels, folder)
            self.assertTrue(expected.ok, expected.text)
        # The host's compiler computes some floating-point bits differently.
        same = [name for name in found if found[name] == built.get(name)]
        self.assertEqual(len(found), 16)
        self.assertGreaterEqual(len(same), 13, (found, built))
        self.assertTrue(translate.translate(text))


if __name__ == "__main__":
    unittest.main()
