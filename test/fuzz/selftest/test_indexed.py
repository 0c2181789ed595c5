"""Local arrays: what indexes them, and what is done with them as a whole."""

import unittest

from kernelgen import indexed, unit
from kernelgen.family import Contents
from kernelgen.tree import walk

ARRAYS = Contents(arrays=True)


class Statements(unittest.TestCase):
    def test_arrays_are_indexed_in_all_ways(self):
        kinds = {k for kernel in unit.generate(range(64), ARRAYS)
                 for k in kernel.kinds()}
        self.assertTrue({
            "indexed_access", "indexed_guard", "loop_indexed", "loop_triangle",
            "indexed_insert", "indexed_swap", "indexed_choice", "loop_pointer",
            "indexed_copy", "indexed_clear", "indexed_push", "indexed_pop",
            "indexed_part"} <= kinds)

    def test_elements_are_of_all_types(self):
        text = "".join(k.text() for k in unit.generate(range(128), ARRAYS))
        for type_ in list(indexed._SCALARS) + list(indexed._STRUCTS):
            self.assertRegex(text, r"\b%s (loc\d+|e)\[" % type_)

    def test_parameters_are_arrays(self):
        kernels = unit.generate(range(32), ARRAYS)
        some = [k for k in kernels if k.by_value]
        self.assertLess(len(some), len(kernels))
        text = "".join(k.text() for k in some)
        for name in ("bytes", "words", "longs", "reals"):
            self.assertRegex(text, r"args\.%s\[.*\]( =|;)" % name)

    def test_a_number_is_an_element(self):
        array = indexed.Array("a", "u32", [3, 5])
        self.assertEqual([array.element(n) for n in (0, 4, 5, 14)],
                         ["a[0u][0u]", "a[0u][4u]", "a[1u][0u]", "a[2u][4u]"])

    def test_default_kernels_have_none(self):
        for kernel in unit.generate(range(32)):
            self.assertFalse(any(
                getattr(node, "kind", "").startswith("indexed")
                for node in walk(kernel)))


if __name__ == "__main__":
    unittest.main()
