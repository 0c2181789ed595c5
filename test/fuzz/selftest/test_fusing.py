"""Tests of the generator's products and of the comparison of machine code."""

import unittest

from driver import fusing
from kernelgen import unit
from kernelgen.family import Contents

_HEAD = "//--------------------- .text.k                 -----------------\n"
_STOCK = ["FMUL R5, R0, R5", "FADD R7, R4, R5", "@!P0 FMUL.FTZ R6, R5, 0.5",
          "DFMA R2, R2, R4, R6", "HFMA2.MMA R4, -RZ, RZ, 15, 0"]


def _counts(instructions):
    text = _HEAD + "".join(
        "        /*%04x*/                   %s ;\n" % (16 * i, line)
        for i, line in enumerate(instructions))
    return fusing.counts(text)["k"]


class Counts(unittest.TestCase):
    def test_moves_are_no_arithmetic(self):
        table = _counts(_STOCK)
        self.assertEqual(table, {("product", "F"): 2, ("sum", "F"): 1,
                                 ("fused", "D"): 1})

    def test_halves_multiply_and_add_by_the_fused_instruction(self):
        table = _counts(["HFMA2.MMA R4, R4, R5, -RZ",
                         "HFMA2.MMA R5, R5, 1, 1, R4",
                         "HFMA2.BF16_V2 R0, R0.H0_H0, R5.H0_H0, R4.H0_H0"])
        self.assertEqual(table, {("product", "H"): 1, ("sum", "H"): 1,
                                 ("fused", "H.BF16_V2"): 1})

    def test_another_rounding_is_no_product_of_the_source(self):
        self.assertEqual(_counts(["FMUL.RZ R0, R0, 0.15915494"]), {})


class Verdict(unittest.TestCase):
    def verdict(self, instructions):
        return fusing.verdict(_counts(_STOCK), _counts(instructions))

    def test_same(self):
        self.assertEqual(self.verdict(_STOCK[::-1]), "same")

    def test_fused(self):
        self.assertEqual(self.verdict(
            ["FFMA R7, R0, R5, R4"] + _STOCK[2:]), "fused otherwise")

    def test_scaled(self):
        self.assertEqual(self.verdict(
            ["FMUL.D2 R6, R0, R5"] + _STOCK[1:2] + _STOCK[3:]),
            "fused otherwise")

    def test_repeated(self):
        self.assertEqual(self.verdict(_STOCK + _STOCK[:1]), "recomputed")

    def test_repeated_sum_of_which_one_is_fused(self):
        self.assertEqual(self.verdict(_STOCK + ["FFMA R7, R0, R5, R4"]),
                         "unclear")


class Directives(unittest.TestCase):
    def test_kernel_gets_the_others_bounds(self):
        entry = ".visible .entry %s(\n\t.param .u32 p\n)%s\n{\n\tret;\n}\n"
        stock = entry % ("a", "") + entry % ("ab", "\n.maxntid 64")
        other = entry % ("ab", "\n.maxntid 64\n.maxnreg 32") + entry % ("a", "")
        self.assertEqual(fusing.same_directives(stock, other, "ab"),
                         entry % ("a", "") + entry % (
                             "ab", "\n.maxntid 64\n.maxnreg 32"))


class Generator(unittest.TestCase):
    def test_default_kernels_are_those_of_the_family(self):
        for kernel in unit.generate([3, 40]):
            again, = unit.generate([kernel.seed],
                                   Contents(kernel.family.contract))
            self.assertEqual(kernel.text(), again.text())

    def test_fast_kernels_have_products(self):
        kinds = set()
        for kernel in unit.generate(range(32), Contents("fast")):
            self.assertEqual(kernel.metadata()["contract"], "fast")
            kinds |= set(kernel.kinds())
        self.assertTrue({"product", "sum", "scaled", "sign", "spanning",
                         "chosen", "quotient"} <= kinds)


if __name__ == "__main__":
    unittest.main()
