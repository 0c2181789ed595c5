"""Values that need no slot of the thread's own are read where it matters."""

import unittest

from kernelgen import unit
from kernelgen.tree import Stmt, walk


def kinds_in_loops(kernel):
    loops = [node for node in walk(kernel.body)
             if isinstance(node, Stmt) and node.kind.startswith("loop")]
    return {node.kind for loop in loops for node in walk(loop)
            if isinstance(node, Stmt)}


class HeldTest(unittest.TestCase):
    def test_half_of_the_kernels_read_them_in_loops(self):
        kernels = unit.generate(range(64))
        reading = [k for k in kernels if "held" in kinds_in_loops(k)]
        self.assertGreaterEqual(len(reading), 32)

    def test_seeds_that_documents_name_have_none(self):
        for kernel in unit.generate([401408, 200531, 1002524]):
            self.assertNotIn("held", kernel.kinds())


if __name__ == "__main__":
    unittest.main()
