"""Moved frames: edits of the PTX, the comparison of the machine code, and
what becomes of programs that a tool fails on or the checker refuses."""

import json
import os
import re
import tempfile
import unittest

from driver import capping, moved_code
from driver.moving import Mover
from driver.toolchain import Outcome
from kernelgen.kernel import Kernel

PTX = """.version 8.8
.func helper()
{
	ret;
}
	// .globl	fuzz_%(a)d
.visible .entry fuzz_%(a)d(
	.param .u64 .ptr .global .align 1 fuzz_%(a)d_param_0
)                                       // @fuzz_%(a)d
{
	ret;
}
.visible .entry fuzz_%(b)d(
	.param .u32 fuzz_%(b)d_param_0
)
.maxntid 256
.minnctapersm 2                         // @fuzz_%(b)d
{
	{
	call.uni helper, ();
	}
	ret;
}
"""


def small_seeds(count):
    """Seeds of one family whose kernels are launched in blocks that Mover
    takes."""
    seeds = [s for s in range(16)
             if Kernel(s).shape.threads <= capping.MOST_THREADS]
    return seeds[:count]


class EditTest(unittest.TestCase):
    def test_build_is_a_function_of_seed_and_number(self):
        kernel = Kernel(3)
        names = set()
        for number in range(20):
            build, again = (capping.Build(kernel, number) for _ in "ab")
            self.assertEqual((build.bounds, build.block, build.name),
                             (again.bounds, again.block, again.name))
            x, y, z = build.block
            self.assertEqual(x * y * z, kernel.shape.threads)
            names.add(build.name)
        self.assertEqual(len(names), 20)

    def test_entries_are_replaced_left_out_and_repeated(self):
        a, b = small_seeds(2)
        builds = [capping.Build(Kernel(b), n) for n in (0, 1)]
        text = capping.edit(PTX % {"a": a, "b": b}, builds)
        self.assertEqual(re.findall(r"\.entry (\w+)\(", text),
                         [build.name for build in builds])
        self.assertNotIn("minnctapersm", text)
        self.assertNotIn(".maxntid 256\n.min", text)
        for build in builds:
            self.assertIn("%s\n.maxnreg %d\n{" % (build.bounds, build.cap),
                          text)
        self.assertIn(".func helper()", text)
        self.assertEqual(text.count("call.uni helper"), 2)
        self.assertTrue(text.rstrip().endswith("}"))


BEFORE = [".L_x_1:", "LDC R1, c[0x0][0x28]", "IADD3 R1, R1, -0x10, RZ",
          "@P0 BRA `(.L_x_7)", 'STL.64 [R1+0x8], R2    (*"SpillRefill"*)',
          ".L_x_7:", "LDL.LU R5, [R1+0xc]", "EXIT", ".L_x_8:",
          "BRA `(.L_x_8)", "NOP", "NOP"]
AFTER = ["BRA `(.L_x_20)", ".L_x_21:", "IADD3 R1, R1, -0x10, RZ",
         "@P0 BRA `(.L_x_3)", "STS.64 [R1+0x8], R2", ".L_x_3:",
         "LDS R5, [R1+0xc]", "EXIT", ".L_x_9:", "BRA `(.L_x_9)", ".L_x_20:",
         "S2R R1, SR_TID.X", "IMAD R1, R1, 0x14, RZ", "BRA `(.L_x_21)", "NOP"]


def listing(lines, registers=32):
    text = ["	//----- nvinfo : EIATTR_REGCOUNT", "	.align		4", ".L_0:",
            "        /*0004*/ 	.word	index@(k)",
            "        /*0008*/ 	.word	%#010x" % registers, "",
            '	.section	.text.k,"ax",@progbits', "k:", ".text.k:"]
    at = 0
    for line in lines:
        if line.endswith(":"):
            text.append(line)
        else:
            text.append("        /*%04x*/                   %s ;" % (at, line))
            at += 16
    return "\n".join(text + ['	.section	.nv.constant0.k,"a",@progbits',
                             "        /*0000*/                   STL ;"])


class CodeTest(unittest.TestCase):
    def difference(self, after, registers=32):
        return moved_code.difference(
            moved_code.read(listing(BEFORE))["k"],
            moved_code.read(listing(after, registers)).get("k"))

    def test_moved_code_is_right(self):
        self.assertIsNone(self.difference(AFTER))

    def test_faults_are_found(self):
        def changed(old, new):
            self.assertIn(old, AFTER)
            return [new if line == old else line for line in AFTER]

        for text, code in {
                "LDL R5": changed("LDS R5, [R1+0xc]", "LDL R5, [R1+0xc]"),
                "[R1+0x10]": changed("LDS R5, [R1+0xc]", "LDS R5, [R1+0x10]"),
                "'STS [R1+0x8], R2'": changed("STS.64 [R1+0x8], R2",
                                              "STS [R1+0x8], R2"),
                "'EXIT', before": AFTER[:6] + AFTER[7:],
                "'@P0 BRA `(0x60)'": changed(".L_x_9:", ".L_x_3:"),
                "not a branch to 0x70": changed("BRA `(.L_x_20)",
                                                "BRA `(.L_x_21)"),
                "not a branch to 0x10": changed("BRA `(.L_x_21)",
                                                "BRA `(.L_x_3)"),
                "STL [R1], R2": changed("S2R R1, SR_TID.X", "STL [R1], R2"),
                "7 instructions, before 7": AFTER[:10]}.items():
            with self.subTest(text):
                self.assertIn(text, self.difference(code) or "no difference")
        self.assertIn("33 registers, before 32", self.difference(AFTER, 33))

    def test_addresses_become_those_of_shared_memory(self):
        for old, new in (
                ("R2UR UR6, R1", ["R2UR UR6, RZ"]),
                ("R2UR UR6, R1.reuse", ["R2UR UR6, RZ"]),
                ("R2UR UR6, R10", ["R2UR UR6, R10"]),
                ("ULDC UR4, c[0x0][0x20]", ["UMOV UR4, URZ"]),
                ("ULDC UR4, c[0x0][0x24]", ["UMOV UR4, UR62"]),
                ("ULDC UR4, c[0x0][0x208]", ["ULDC UR4, c[0x0][0x208]"]),
                ("MOV R2, UR6", ["MOV R2, UR6", "IADD3 R2, R1, UR6, RZ"]),
                ("IMAD.U32 R2, RZ, RZ, UR6",
                 ["IMAD.U32 R2, RZ, RZ, UR6", "VIADD R2, R1, UR6"]),
                ("LEA R2, R3.reuse, UR6, 0x3",
                 ["LEA R2, R3.reuse, UR6, 0x3", "LEA R2, R3.reuse, R1, 0x3"]),
                ("IMAD R2, R3, R4, UR6",
                 ["IMAD R2, R3, R4, UR6", "IMAD R2, R3, R4, R1"]),
                ("STL [UR6+0x8], R2", ["STS [R1+UR6+0x8], R2"])):
            with self.subTest(old):
                self.assertEqual(moved_code.may_become(old), new)

    def test_offsets_change_where_a_sum_has_changed(self):
        for before, after, right in (
                ("LDL.LU R2, [R3+0x8]", "LDS R2, [R3+0x58]", True),
                ("STL [R3], R2", "STS [R3+0x50], R2", True),
                ("STL [R3+0x50], R2", "STS [R3], R2", True),
                ("STL [R3], R2", "STS [R4+0x50], R2", False),
                ("STL [R3], R2", "STS [R3+0x50], R4", False),
                ("STL [R1], R2", "STS [R1+0x50], R2", False),
                ("LDG.E R2, desc[UR4][R6.64]", "LDG.E R2, desc[UR4][R6.64]",
                 False)):
            with self.subTest(before=before, after=after):
                self.assertEqual(moved_code.is_shifted(before, after), right)
        sums = [(["BRA `(L)", "LEA R3, R4, UR6, 0x3", "STL [R3], R2"],
                 ["BRA `(0x30)", "LEA R3, R4, %s, 0x3", "STS [R3+0x50], R2",
                  "NOP", "BRA `(0x10)"])]
        for before, after in sums:
            for register, right in (("R1", True), ("UR6", False)):
                code = [text.replace("%s", register) for text in after]
                found = moved_code.difference(moved_code.Code(32, before),
                                              moved_code.Code(32, code))
                self.assertEqual(found is None, right)

    def test_places_of_a_part_are_told_apart(self):
        part = moved_code.Part()
        for before, after, right in (
                ("IADD3 R1, R1, -0xd0, RZ", "IADD3 R1, R1, -0x1c, RZ", True),
                ("IADD3 R1, R1, -0xd0, RZ", "IADD3 R1, R2, -0x1c, RZ", False),
                ("STL.64 [R1+0x8], R2", "STS.64 [R1], R2", True),
                ("LDL.LU.64 R4, [R1+0x8]", "LDS.64 R4, [R1]", True),
                ("LDL R4, [R1+0x8]", "LDS R4, [R1+0x4]", False),
                ("LDL R4, [R1+0x8]", "LDL R4, [UR62+0x8]", False),
                ("LDL R4, [R1+0x18]", "LDS R4, [R1]", False),
                ("LDL R4, [R1+0x10]", "LDL R4, [UR62+0x10]", True),
                ("LDL R4, [R1+0x14]", "LDL R4, [UR62+0x10]", False),
                ("LDL R4, [R1+0x20]", "LDL R4, [R1+0x20]", False),
                ("EXIT", "NOP", False)):
            with self.subTest(before=before, after=after):
                self.assertEqual(part.accepts(before, after), right)

    def test_missing_kernel_is_a_fault(self):
        self.assertIsNotNone(moved_code.difference(
            moved_code.read(listing(BEFORE))["k"], None))


class FakeTools:
    """Tools that fail on the entries named: ptxas on 'crashing', regdem-finish
    on 'failing'; 'refused': for which the checker refuses programs."""

    ptxas = "ptxas"

    def __init__(self, crashing="", failing="", refused=""):
        self.crashing, self.failing = crashing, failing
        self.refused = refused
        self.entries = []

    def stock(self, _family, source, output):
        with open(source, encoding="ascii") as file:
            names = re.findall(r"__global__[^(]*(?:\([^)]*\))? void (\w+)\(",
                               file.read())
        with open(output, "w", encoding="utf-8") as file:
            for name in names:
                file.write(".visible .entry %s()\n{\n}\n" % name)
        return Outcome(0, "")

    def assemble(self, ptx, cubin):
        with open(ptx, encoding="utf-8") as file:
            self.entries = re.findall(r"\.entry (\w+)\(", file.read())
        with open(cubin, "w", encoding="ascii"):
            pass
        return Outcome(-6 if self.crashing in self.entries else 0, "")

    def run(self, command):
        report = [w for w in command if w.startswith("--report=")][0][9:]
        if self.failing in self.entries:
            return Outcome(1, "error: no")
        why = ("the checker refused: kernel '%s': no" % self.refused
               if self.refused in self.entries else "")
        with open(report, "w", encoding="utf-8") as file:
            for name in self.entries:
                json.dump({"kernel": name, "moved": not why, "reason": why},
                          file)
                file.write("\n")
        return Outcome(0, "")


class MoverTest(unittest.TestCase):
    def setUp(self):
        self.seeds = small_seeds(5)
        self.names = [capping.Build(Kernel(s), 0).name for s in self.seeds]
        self.culprit = self.names[2]
        self.others = set(self.names) - {self.culprit}

    def check(self, **faults):
        """(Result, names of moved kernels)"""
        result = Mover(FakeTools(**faults), "finisher", "nvdisasm").check(
            self.seeds)
        return result, {n for n, r in result.reports.items() if r["moved"]}

    def test_all_are_moved(self):
        result, moved = self.check()
        self.assertEqual(moved, set(self.names))
        self.assertEqual(result.failures + result.skipped, [])

    def test_a_crash_of_ptxas_costs_one_kernel(self):
        result, moved = self.check(crashing=self.culprit)
        self.assertEqual(moved, self.others)
        self.assertEqual([seed for seed, _ in result.skipped],
                         [self.seeds[2]])
        self.assertEqual(result.failures, [])

    def test_a_failure_of_the_finisher_is_one(self):
        result, moved = self.check(failing=self.culprit)
        self.assertEqual(moved, self.others)
        self.assertEqual([f[:2] for f in result.failures],
                         [(self.seeds[2], "regdem-finish")])

    def test_a_kernel_that_the_checker_refuses_stays_alone(self):
        result, moved = self.check(refused=self.culprit)
        self.assertEqual(moved, self.others)
        self.assertIn("refused", result.reports[self.culprit]["reason"])
        self.assertEqual(result.failures, [])

    def test_further_builds_are_of_kernels_that_move(self):
        with tempfile.TemporaryDirectory() as folder:
            mover = Mover(FakeTools(refused=self.culprit), "finisher",
                          "nvdisasm", builds=3, gpu=folder)
            tools = mover.tools
            original = tools.run

            def run(command):
                with open(command[3], "w", encoding="ascii"):
                    pass
                return original(command)

            tools.run = run
            result = mover.check(self.seeds)
            self.assertEqual(len(result.metadata), 5 + 4 * 2)
            self.assertEqual(sum(len(n) for _, n in result.pairs), 4 * 3)
            for stem, _ in result.pairs:
                self.assertTrue(os.path.exists(os.path.join(
                    folder, stem + ".regdem.cubin")))


if __name__ == "__main__":
    unittest.main()
