# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each rule finds figures that break it, and takes those that keep it."""

import random
import unittest
from dataclasses import replace

import kernels
from cubin import Figures, Unreadable
from kernels import Kernel
from occupancy import ARCHITECTURES, blocks_per_sm
from promises import Said, promise_of
from rules import TEXTS, broken_program, difference
from tools import check_reader

STOCK = Figures(registers=64, shared=0, frame=160, most_threads=256, code=b"a")
BOUND = Kernel("k", threads=256, blocks=3)
FREE = Kernel("k")
ANY_SIZE = replace(STOCK, most_threads=0)
ROW = {"threads": 256, "most_dynamic_smem": 0, "thread_bytes": 100,
       "cycles": {"blocks_per_sm": 4}}


def plugin(**options):
    return Said(by_plugin=True,
                options={name.replace("_", "-"): v for name, v in options.items()})


def annotated(kernel, **annotation):
    return replace(kernel, annotation=plugin(**annotation).options)


class Case(unittest.TestCase):
    tried = set()

    def broken(self, kernel, said, stock=STOCK, builds=None, rows=(), **changes):
        finished = {"k": replace(stock, **changes), **(builds or {})}
        return {rule for rule, _, _ in broken_program(
            {"k": promise_of(kernel, said)}, {"k": stock}, finished, rows)}

    def check(self, rule, *arguments, **changes):
        self.tried.add(rule)
        self.assertEqual(self.broken(*arguments, **changes), {rule})

    def keeps(self, *arguments, **changes):
        self.assertEqual(self.broken(*arguments, **changes), set())

    def test_blocks(self):
        self.check("blocks", BOUND, Said(), shared=80000)
        self.check("blocks", BOUND, Said(), registers=96)
        self.keeps(BOUND, Said(), shared=70000)
        # What stock does not have is not promised by bounds, but by options.
        self.keeps(BOUND, Said(), stock=replace(STOCK, registers=96))
        self.check("blocks", replace(BOUND, blocks=0), plugin(min_blocks=8))
        self.check("blocks", annotated(FREE, block_size=256, min_blocks=8),
                   plugin(), stock=ANY_SIZE)
        self.keeps(FREE, plugin(min_blocks=8), stock=ANY_SIZE)
        entry = {"k": {"decision": "cap", "min_blocks": 8}}
        self.check("blocks", BOUND, Said(by_plugin=True, entries=entry))
        # Beside the kernel's own shared memory so many cannot be.
        self.keeps(BOUND, plugin(min_blocks=8), shared=40000,
                   stock=replace(STOCK, shared=40000))

    def test_grid(self):
        grid = Kernel("k", threads=256, barrier="grid")
        self.check("grid", grid, Said(), shared=40000, frame=0)
        self.check("grid", grid, Said(), registers=72)
        self.keeps(grid, Said(), registers=40, shared=5000)
        self.keeps(replace(grid, barrier="atomic"), Said(), shared=40000)

    def test_opt_out(self):
        moved = {"shared": 40000, "frame": 0, "code": b"b"}
        for kernel, said in (
                (annotated(FREE, mode="off"), plugin()),
                (FREE, plugin(mode="off")), (FREE, plugin(kernels="other")),
                (FREE, plugin(mode="demote")),
                (FREE, Said(by_environment=True, options={"mode": "off"})),
                (FREE, Said(by_plugin=True, unoptimized=True)),
                (FREE, Said(by_plugin=True,
                            entries={"k": {"decision": "stock"}}))):
            self.check("opt-out", kernel, said, **moved)
            self.check("opt-out", kernel, said, code=b"b")
            self.check("opt-out", kernel, said, builds={"k$regdem1": ANY_SIZE})
            self.keeps(kernel, said)
        self.keeps(FREE, plugin(), **moved)
        self.keeps(BOUND, plugin(mode="demote"), code=b"b")
        self.keeps(annotated(FREE, mode="auto"), plugin(mode="off"), **moved)

    def test_dynamic(self):
        kernel = annotated(Kernel("k", threads=256, dynamic=True),
                           dynamic_smem=20000)
        self.check("dynamic", kernel, plugin(dynamic_smem=0), shared=30000)
        self.check("dynamic", FREE, plugin(dynamic_smem=16384), shared=86000)
        self.check("dynamic", FREE, Said(dynamic=16384), shared=86000)
        told_less = replace(plugin(), dynamic=0)
        self.check("dynamic", kernel, told_less, shared=30000)
        self.keeps(kernel, plugin(), shared=29000)
        # The launch has opted in.
        self.keeps(FREE, plugin(dynamic_smem=65536), shared=86000)
        self.keeps(FREE, plugin(dynamic_smem=0), shared=86000)
        unknown = Kernel("k", threads=256, dynamic=True)
        self.check("unknown-dynamic", unknown, plugin(), shared=4)
        self.keeps(unknown, plugin())

    def test_cap(self):
        self.check("cap", BOUND, plugin(max_regs=40))
        self.check("cap", annotated(BOUND, max_regs=40), plugin(max_regs=96))
        self.check("cap", FREE, Said(register_cap=40))
        self.keeps(BOUND, Said(register_cap=40))
        self.keeps(BOUND, plugin(max_regs=16), registers=24)
        self.keeps(annotated(BOUND, mode="off"), plugin(max_regs=40))
        entry = Said(by_plugin=True,
                     entries={"k": {"decision": "cap", "max_regs": 40}})
        self.check("cap", BOUND, entry)
        self.keeps(FREE, entry)  # Its block size is not known.

    def test_sizes(self):
        self.check("sizes", FREE, Said(), stock=ANY_SIZE, registers=80)
        self.check("sizes", FREE, Said(), stock=ANY_SIZE, most_threads=512)
        self.keeps(FREE, plugin(block_size=512), stock=ANY_SIZE,
                   most_threads=512)

    def test_builds(self):
        builds = {"k$regdem1": replace(ANY_SIZE, code=b"b")}
        case = {"stock": ANY_SIZE, "builds": builds}
        self.keeps(FREE, plugin(), rows=[("k$regdem1", ROW)], **case)
        self.check("itself", FREE, plugin(), code=b"c", **case)
        self.check("row", FREE, plugin(), rows=[("k$regdem2", ROW)], **case)
        for key, value in (("thread_bytes", 300), ("most_dynamic_smem", 40000)):
            self.check("row", FREE, plugin(), **case,
                       rows=[("k$regdem1", {**ROW, key: value})])
        self.check("kernels", BOUND, plugin(), builds={"other": STOCK})

    def test_names(self):
        self.assertEqual(difference(STOCK, STOCK), "")
        self.assertIn("frame 160 -> 0", difference(STOCK, replace(STOCK, frame=0)))

    @classmethod
    def tearDownClass(cls):
        # Of these two doors.py and run.py know.
        assert cls.tried == set(TEXTS) - {"cached", "tool"}, cls.tried


class Figured(unittest.TestCase):
    def test_occupancy(self):
        """As cuda_occupancy.h of CUDA 13.0 computes."""
        of = ARCHITECTURES["sm_90"]
        self.assertEqual(blocks_per_sm(of, 128, 22, 0), 16)
        self.assertEqual(blocks_per_sm(of, 128, 22, 21520), 10)
        self.assertEqual(blocks_per_sm(of, 1024, 64, 0), 1)
        self.assertEqual(blocks_per_sm(of, 1024, 65, 0), 0)
        self.assertEqual(blocks_per_sm(of, 32, 255, 0), 8)
        self.assertEqual(blocks_per_sm(of, 64, 16, 227 * 1024), 1)
        self.assertEqual(blocks_per_sm(of, 64, 16, 227 * 1024 + 1), 0)

    def test_reader_is_checked(self):
        said = ("Compiling entry function 'k' for 'sm_90'\n"
                "Function properties for k\n    160 bytes stack frame, 0 bytes\n"
                "Used 64 registers, used 1 barriers, 8 bytes smem\n")
        check_reader({"k": replace(STOCK, shared=8)}, said)
        with self.assertRaises(Unreadable):
            check_reader({"k": STOCK}, said)
        with self.assertRaises(Unreadable):
            check_reader({}, said)

    def test_seed_decides(self):
        texts = [kernels.text(kernels.random_program(random.Random(seed)), False)
                 for seed in (1, 1, 2)]
        self.assertEqual(texts[0], texts[1])
        self.assertNotEqual(texts[0], texts[2])


if __name__ == "__main__":
    unittest.main()
