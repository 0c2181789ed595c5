"""Strided accesses: what they are, and that they stay where they may."""

import random
import re
import unittest

from kernelgen import strided, unit
from kernelgen.family import Contents
from kernelgen.tree import Stmt, walk

STRIDED = Contents(strided=True)


def loads(kernel):
    return [n.text() for n in walk(kernel.body)
            if isinstance(n, Stmt) and n.kind == "strided_load"]


class Statements(unittest.TestCase):
    def test_most_kernels_have_several_accesses_of_one_site(self):
        sharing = 0
        for kernel in unit.generate(range(64), STRIDED):
            sites = re.findall(r"(?:site|at)\d+", " ".join(loads(kernel)))
            sharing += any(sites.count(s) >= 6 for s in sites)
        self.assertGreaterEqual(sharing, 48)

    def test_there_are_loops_stores_and_all_forms_of_an_index(self):
        kernels = unit.generate(range(64), STRIDED)
        kinds = {kind for k in kernels for kind in k.kinds()}
        self.assertTrue({"loop_strided", "strided_store"} <= kinds)
        text = " ".join(t for k in kernels for t in loads(k))
        for form in (r"\(i64\)\(i32\)", r"\(u32\)", r"\(i64\)\(\(i32\)",
                     r"\* \(-\d", r"\(it\d"):
            self.assertRegex(text, form)

    def test_default_kernels_have_none(self):
        for kernel in unit.generate(range(32)):
            self.assertNotIn("strided", kernel.kinds())


class Bounds(unittest.TestCase):
    def test_terms_stay_in_their_room(self):
        rng = random.Random(1)
        for _ in range(2000):
            most, room = rng.choice([1, 31, 127]), rng.choice([3, 300, 3841])
            low, high = rng.choice([(0, most), (1, most + 1), (-most, 0)])
            strides = [strided.Stride("s", "i32", low, high)]
            terms, least = strided._terms(rng, strides, room,
                                          rng.random() < 0.5)
            for row in strided._factors(rng, terms, 8):
                for value in (low, high):
                    index = sum(f * value for f in row) - least
                    self.assertTrue(0 <= index < room, (row, value, index))


if __name__ == "__main__":
    unittest.main()
