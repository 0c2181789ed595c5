#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of regdem_triton without Triton: its hook gets stages as Triton's, and
LLVM IR as Triton makes it. Needs REGDEM_LLC and PYTHONPATH."""

import os
import re
import stat
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path
from types import SimpleNamespace

from regdem_triton import Hook, RegDemWarning, Settings, ir, programs

LLIR = Path(__file__).with_name("triton.llir").read_text()
OWN = ".version 9.4\n.target sm_90a\n.visible .entry softmax(\n"
DEMOTE = ("-regdem-build=cap=24 demote=belady:20",)


class Constants(unittest.TestCase):
    """Constants as LLVM 23 and as LLVM 22 write them."""

    def test_bits_by_type(self):
        for newer, older in (
            ("splat (float f0x3FB8AA3B)", "splat (float 0x3FF7154760000000)"),
            ("fmul half %1, f0x3ECD", "fmul half %1, 0xH3ECD"),
            ("fmul bfloat %1, f0x3FDA", "fmul bfloat %1, 0xR3FDA"),
            ("ret double f0x7E37E43C8800759C", "ret double 0x7E37E43C8800759C"),
            ("float f0x7FC00000", "float 0x7FF8000000000000"),
            ("float f0xFF800001", "float 0xFFF0000020000000"),
            ("float f0x00000001", "float 0x36A0000000000000"),
        ):
            self.assertEqual(ir.for_llvm22(newer), older)

    def test_decimals_get_exact(self):
        for newer, older in (
            ("fcmp ogt float %31, 1.000000e-01", "fcmp ogt float %31, 0x3FB99999A0000000"),
            ("fmul half %14, 1.700200e+00", "fmul half %14, 0xH3ECD"),
            ("fmul bfloat %20, 1.703130e+00", "fmul bfloat %20, 0xR3FDA"),
            ("fmul float %1, -2.500000e+00", "fmul float %1, 0xC004000000000000"),
            ("fmul double %1, 1.000000e-01", "fmul double %1, 1.000000e-01"),
        ):
            self.assertEqual(ir.for_llvm22(newer), older)

    def test_infinities(self):
        for kind, bits in (
            ("half", "0xHFC00"),
            ("bfloat", "0xRFF80"),
            ("float", "0xFFF0000000000000"),
            ("double", "0xFFF0000000000000"),
        ):
            self.assertEqual(ir.for_llvm22(f"ret {kind} -inf"), f"ret {kind} {bits}")
        self.assertEqual(ir.for_llvm22("half +inf"), "half 0xH7C00")

    def test_names_and_strings_stay(self):
        for line in (
            'attributes #0 = { "no-infs-fp-math"="false" "float"="1.5" }\n',
            "  %float.1 = add i32 %half, 12\n",
            'call void asm "mov.f32 $0, 0f3FB8AA3B; 1.5", "=f"()\n',
            "!3 = !{i32 4, !\"nvvm\", i32 1}\n",
        ):
            self.assertEqual(ir.for_llvm22(line), line)

    def test_unknown_types_are_refused(self):
        for line in ("i32 f0x3FB8AA3B", "float f0x3FB8", "-inf"):
            with self.assertRaises(ValueError):
                ir.for_llvm22(line)


class Stages(unittest.TestCase):
    """The hook on stages of a backend."""

    def setUp(self):
        original = programs.Tools.of
        self.addCleanup(setattr, programs.Tools, "of", original)
        programs.Tools.of = lambda settings, *_: programs.Tools(settings)

    def compile(self, source=LLIR, shared=16, **settings):
        """The result of the stage `ptx`, and what was warned of."""

        def own(_source, metadata):
            metadata["name"] = "softmax"
            return OWN

        stages = {"ptx": own, "cubin": lambda source, metadata: b""}
        Hook(Settings(**settings))(None, stages, SimpleNamespace(
            enable_fp_fusion=True, ptx_options=None), None, 90)
        metadata = {"shared": shared}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            text = stages["ptx"](source, metadata)
        return text, [str(warning.message) for warning in caught
                      if warning.category is RegDemWarning]

    def test_slots_lie_beside_dynamic_memory(self):
        text, said = self.compile(flags=DEMOTE)
        self.assertEqual(said, [])
        self.assertIn(".maxnreg 24", text)
        size = re.search(r"__regdem_slots_softmax\[(\d+)\]", text)
        # A multiple of 1 KB, so that Triton's own memory stays aligned.
        self.assertEqual(int(size[1]) % 1024, 0)
        self.assertIn(".extern .shared .align 16 .b8 global_smem[]", text)
        self.assertIn(".version 9.4\n", text)
        self.assertIn(".target sm_90a\n", text)

    def test_no_slots_over_48_kb_with_them(self):
        text, said = self.compile(flags=DEMOTE, shared=48 * 1024 - 512)
        self.assertEqual(said, [])
        self.assertNotIn("__regdem_slots", text)

    def test_what_is_left_alone_stays_triton_s(self):
        text, said = self.compile(flags=["-regdem-mode=off"])
        self.assertEqual((text, said), (OWN, []))

    def test_unreadable_ir_falls_back(self):
        text, said = self.compile(source=LLIR.replace("ret void", "return"))
        self.assertEqual(text, OWN)
        self.assertEqual(len(said), 1)
        self.assertRegex(said[0], "^'softmax' is as Triton makes it: .*error: ")

    def test_missing_program_falls_back(self):
        text, said = self.compile(llc="/nowhere/regdem-llc")
        self.assertEqual(text, OWN)
        self.assertRegex(said[0], "No such file")

    def test_option_that_is_none_falls_back(self):
        text, said = self.compile(flags=["-regdem-max-regs=1"])
        self.assertEqual(text, OWN)
        self.assertRegex(said[0], "'1' is not a number from 16 to 255")

    def test_output_of_another_kernel_falls_back(self):
        text, said = self.compile(source=LLIR.replace("@softmax(", "@other("),
                                  flags=DEMOTE)
        self.assertEqual(text, OWN)
        self.assertRegex(said[0], "has left the kernel out")

    def test_frames_move_without_regdem_llc(self):
        # As pip installs it: regdem-finish on the search path, and no regdem-llc.
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "regdem-finish"
            program.write_text("#!/bin/sh\necho finished > \"$4\"\n")
            program.chmod(0o755)
            kept = {name: os.environ[name] for name in ("PATH", "REGDEM_LLC")}
            self.addCleanup(os.environ.update, kept)
            os.environ["PATH"] = f"{folder}:/usr/bin:/bin"
            del os.environ["REGDEM_LLC"]
            ptx, cubin = (lambda *_: OWN), (lambda *_: b"cubin")
            stages = {"ptx": ptx, "cubin": cubin}
            Hook(Settings(frames="auto"))(None, stages, None, None, 90)
            self.assertIs(stages["ptx"], ptx)
            self.assertEqual(stages["cubin"]("", {"shared": 0}), b"finished\n")

    def test_other_backends_are_left_alone(self):
        stages = {"amdgcn": len, "hsaco": len}
        Hook(Settings())(None, stages, None, None, None)
        self.assertEqual(stages, {"amdgcn": len, "hsaco": len})

    def test_earlier_hook_is_called(self):
        calls = []

        def before(*arguments):
            calls.append(arguments)
            return None if arguments else ("mine", "mine")

        hook = Hook(Settings(), before)
        hook("backend", {}, "options", "language", 90)
        self.assertEqual(calls, [("backend", {}, "options", "language", 90)])
        self.assertTrue(hook()[0].startswith("mine"))

    def test_ptxas_gets_triton_s_flags(self):
        options = SimpleNamespace(enable_fp_fusion=False, ptx_options="-O2 -warn-spills")
        with tempfile.TemporaryDirectory(prefix="with blanks ") as folder:
            fake = Path(folder) / "ptxas"
            fake.write_text("#!/bin/sh\necho $@\n")
            fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
            tools = programs.Tools(Settings(), str(fake),
                                   ptxas_flags=tuple(programs._ptxas_flags(options)))
            os.mkdir(f"{folder}/out")
            program = tools._ptxas_in(f"{folder}/out")
            said = subprocess.check_output([program, "-v", "a b"], text=True)
        self.assertEqual(said, "--regAllocOptLevel=2 --fmad=false -O2 -warn-spills -v a b\n")


class Keys(unittest.TestCase):
    """What Triton's caches know of the hook."""

    def test_settings_and_environment_matter(self):
        keys = {Hook(Settings())()[0], Hook(Settings(flags=DEMOTE))()[0],
                Hook(Settings(frames="on"))()[0]}
        os.environ["REGDEM_LLC_FLAGS"] = "-regdem-mode=off"
        self.addCleanup(os.environ.pop, "REGDEM_LLC_FLAGS")
        keys.add(Hook(Settings())()[0])
        self.assertEqual(len(keys), 4)

    def test_same_settings_same_key(self):
        self.assertEqual(Hook(Settings())(), Hook(Settings())())

    def test_settings_are_checked(self):
        for bad in ({"frames": "yes"}, {"flags": "-regdem-mode=off"}):
            with self.assertRaises((TypeError, ValueError)):
                Settings(**bad)


if __name__ == "__main__":
    unittest.main()
