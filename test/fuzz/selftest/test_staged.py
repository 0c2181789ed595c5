"""Reads of shared memory at named places: where they are, what is between."""

import os
import re
import tempfile
import unittest

from driver import figures
from kernelgen import unit
from kernelgen.family import Contents
from kernelgen.tree import Stmt, walk

STAGED = Contents(staged=True)


def statements(kernel, kind):
    return [n for n in walk(kernel.body)
            if isinstance(n, Stmt) and n.kind == kind]


class Statements(unittest.TestCase):
    def test_most_kernels_read_many_named_places(self):
        reading = [k for k in unit.generate(range(64), STAGED) if sum(
            bool(re.search(r"\[\d+\];$", s.text()))
            for s in statements(k, "staged_read")) >= 10]
        self.assertGreaterEqual(len(reading), 40)

    def test_places_are_written_again_in_all_ways(self):
        kernels = unit.generate(range(96), STAGED)
        kinds = {kind for k in kernels for kind in k.kinds()}
        self.assertTrue({"loop_staged", "staged_branch", "staged_solo",
                         "staged_roles", "staged_halves",
                         "staged_copy"} <= kinds)
        text = "".join(k.text() for k in kernels)
        for store in ("fz_asm_put(&", "fz_asm_put_shared(&", "fz_put(&",
                      "fz_exchange(&", "fz_atomic_add(&stage",
                      "*(volatile u32 *)&stage"):
            self.assertIn(store, text)

    def test_quiet_code_leaves_shared_memory_alone(self):
        for kernel in unit.generate(range(64), STAGED):
            for quiet in statements(kernel, "quiet"):
                text = quiet.text()
                self.assertNotRegex(text, r"fz_(barrier|asm|shfl|atomic|put)")
                self.assertNotRegex(text, r"(sh|stage|solo)\d+\[[^]]*\] =[^=]")

    def test_default_kernels_have_none(self):
        for kernel in unit.generate(range(32)):
            self.assertNotIn("staged_read", kernel.kinds())


class ReadAgain(unittest.TestCase):
    def test_reads_that_stock_has_not_are_counted_by_place(self):
        head = ".visible .entry k(\n"
        reads = ["\tld.shared.b32 \t%%r%d, [a+%d];\n" % pair
                 for pair in ((1, 4), (2, 8), (3, 4))]
        own = "\tld.shared.b32 \t%r4, [region];\n\tld.shared.b32 %r5, [%rd1];\n"
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in "sr"]
            for path, text in zip(paths, (head + "".join(reads[:2]),
                                          head + "".join(reads) + own)):
                with open(path, "w", encoding="ascii") as file:
                    file.write(text)
            self.assertEqual(figures.read_again(*paths), {"k": 1})


if __name__ == "__main__":
    unittest.main()
