#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_tidy.py CLANG-TIDY: tidy.py finds faults in sources that compile
together and in those that do not, and reads again what has changed."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import tidy

HERE = Path(__file__).resolve().parent
CONFIG = """Checks: '-*,readability-identifier-naming'
WarningsAsErrors: '*'
HeaderFilterRegex: 'lib/'
CheckOptions:
  readability-identifier-naming.VariableCase: CamelCase
"""
GOOD = "int good() {\n  int Right = 1;\n  return Right;\n}\n"
BAD = "int bad() {\n  int wrong = 1;\n  return wrong;\n}\n"
OWN = "namespace {\nint own() { return 1; }\n} // namespace\n"
PROGRAM = sys.argv.pop()


class TidyTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name).resolve() / "a project"
        (self.root / "lib").mkdir(parents=True)
        (self.root / ".clang-tidy").write_text(CONFIG)

    def run_tidy(self, *options, **sources):
        for name, text in sources.items():
            (self.root / "lib" / f"{name}.cpp").write_text(text)
        (self.root / "compile_commands.json").write_text(json.dumps([
            {"directory": str(self.root), "file": str(path),
             "command": f"c++ -std=c++17 -o x.o -c '{path}'"}
            for path in (self.root / "lib").glob("*.cpp")]))
        return subprocess.run(
            [sys.executable, HERE / "tidy.py", PROGRAM, self.root, self.root,
             self.root / "lib", *options], capture_output=True, text=True)

    def test_no_fault(self):
        run = self.run_tidy(a=GOOD, b="int other();\n")
        self.assertEqual((run.returncode, run.stdout), (0, ""))

    def test_fault_of_one_of_several(self):
        run = self.run_tidy(a=GOOD, b=BAD)
        self.assertEqual(run.returncode, 1)
        self.assertIn("b.cpp:2:7: error: invalid case style", run.stdout)

    def test_sources_that_do_not_compile_together(self):
        run = self.run_tidy(a=OWN, b=GOOD, c=OWN + BAD)
        self.assertEqual(run.returncode, 1)
        self.assertIn("c.cpp:5:7: error: invalid case style", run.stdout)
        self.assertNotIn("redefinition", run.stdout)

    def test_source_that_does_not_compile(self):
        run = self.run_tidy(a=GOOD, b="int f() { return undeclared; }\n")
        self.assertEqual(run.returncode, 1)
        self.assertIn("undeclared identifier", run.stdout)

    def test_changed_source(self):
        self.assertEqual(self.run_tidy(a=GOOD, b="int other();\n").returncode, 0)
        self.assertEqual(self.run_tidy(a=GOOD, b=BAD).returncode, 1)

    def test_changed_header(self):
        sources = {"a": '#include "h.h"\n', "b": GOOD}
        header = self.root / "lib" / "h.h"
        header.write_text(GOOD.replace("int good", "inline int inHeader"))
        self.assertEqual(self.run_tidy(**sources).returncode, 0)
        header.write_text(BAD.replace("int bad", "inline int inHeader"))
        self.assertEqual(self.run_tidy(**sources).returncode, 1)

    def test_changed_header_of_a_header(self):
        (self.root / "lib" / "h.h").write_text('#include "../lib/other.h"\n')
        header = self.root / "lib" / "other.h"
        header.write_text(GOOD.replace("int good", "inline int inHeader"))
        self.assertEqual(self.run_tidy(a='#include "h.h"\n').returncode, 0)
        header.write_text(BAD.replace("int bad", "inline int inHeader"))
        self.assertEqual(self.run_tidy(a='#include "h.h"\n').returncode, 1)

    def test_what_is_not_included_may_change(self):
        self.assertEqual(self.run_tidy(a=GOOD).returncode, 0)
        read = set((self.root / "tidy").iterdir())
        (self.root / "lib" / "h.h").write_text(GOOD)
        self.assertEqual(self.run_tidy(a=GOOD).returncode, 0)
        self.assertEqual(set((self.root / "tidy").iterdir()), read)

    def test_sources_with_a_name_in_common_are_read_apart(self):
        texts = {"a": "static const llvm::Twine &own(int X);\nusing namespace llvm;\n",
                 "b": "using namespace llvm;\nconstexpr unsigned Own[] = {1};\n",
                 "c": "struct Own {\n", "d": "static int own() {\n"}
        for name, text in texts.items():
            (self.root / "lib" / name).write_text(text)
        groups = tidy.apart([self.root / "lib" / name for name in texts])
        self.assertEqual([[s.name for s in group] for group in groups], [["a", "b"], ["c", "d"]])

    def test_each_by_itself(self):
        self.assertEqual(self.run_tidy("--single", a=GOOD, b=OWN).returncode, 0)
        self.assertEqual(self.run_tidy("--single", a=GOOD, b=BAD).returncode, 1)


if __name__ == "__main__":
    unittest.main()
