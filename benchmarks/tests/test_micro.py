#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the microbenchmarks' script, with programs that need no GPU."""

import contextlib
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
FAKE = ROOT / "tests" / "fake_ncu.py"

# benchmarks/run.py has the same name.
spec = importlib.util.spec_from_file_location("micro_run", ROOT / "micro/run.py")
run = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run)

ONCE = "64: 1x8 loads\n64: 1x8 stores\n"
LOADS, STORES = run.CONFLICTS["load conflicts"], run.CONFLICTS["store conflicts"]


class ConflictTable(unittest.TestCase):
    def test_a_line_for_each_launch(self):
        rows = [{LOADS: 1024.0, STORES: 0.0}, {LOADS: 0.0, STORES: None}]
        lines = run.conflict_table(ONCE, rows).splitlines()
        self.assertEqual(lines[1].split(), ["64:", "1x8", "loads", "1024", "0"])
        self.assertEqual(lines[2].split(), ["64:", "1x8", "stores", "0"])

    def test_launches_must_match(self):
        with self.assertRaises(run.ToolError):
            run.conflict_table(ONCE, [{}])


class Script(unittest.TestCase):
    def start(self, programs, *more, present=True):
        """Exit code, what was printed, and the files that were written."""
        with tempfile.TemporaryDirectory() as name:
            folder, out = Path(name) / "programs", Path(name) / "out"
            folder.mkdir()
            for program, text in programs.items():
                (folder / program).write_text(f"#!/bin/sh\n{text}\n")
                (folder / program).chmod(0o755)
            arguments = ["run.py", "--out", str(out), "--programs",
                         str(folder), *more]
            printed = io.StringIO()
            with mock.patch.object(run.gpu, "present", return_value=present), \
                    mock.patch.object(sys, "argv", arguments), \
                    mock.patch.dict(os.environ, {
                        "FAKE_NCU": "denied", "FAKE_VALUES": json.dumps({}),
                    }), contextlib.redirect_stdout(printed), \
                    self.assertRaises(SystemExit) as end:
                run.main()
            files = {p.name: p.read_text() for p in out.glob("*")}
            return end.exception.code, printed.getvalue(), files

    def test_output_is_kept_and_printed(self):
        code, text, files = self.start(
            {"latencies": "echo shared 29", "slot_width": "echo 64: 1x8",
             "code_size": "echo 32 KB 1.03",
             "constant_turns": "echo 8 words"}, "--ncu", "/no/such/ncu")
        self.assertEqual(code, 0)
        self.assertEqual(files, {"latencies.txt": "shared 29\n",
                                 "slot_width.txt": "64: 1x8\n",
                                 "code_size.txt": "32 KB 1.03\n",
                                 "constant_turns.txt": "8 words\n"})
        self.assertIn("shared 29", text)
        self.assertIn("note: no ncu", text)

    def test_failure_is_one_line_and_the_others_run(self):
        code, text, files = self.start(
            {"latencies": "echo error: launch: bad >&2; exit 2",
             "slot_width": "echo 64: 1x8", "code_size": "exit 1",
             "constant_turns": "exit 1"},
            "--ncu", "/no/such/ncu")
        self.assertEqual(code, 1)
        self.assertIn("error: latencies: error: launch: bad", text)
        self.assertEqual(list(files), ["slot_width.txt"])

    def test_no_permission_leaves_the_times(self):
        code, text, files = self.start(
            {"latencies": "echo a", "slot_width": "echo b",
             "code_size": "echo c", "constant_turns": "echo d"},
            "--ncu", str(FAKE))
        self.assertEqual(code, 1)
        self.assertIn("error: ncu may not read", text)
        self.assertEqual(sorted(files), ["code_size.txt", "constant_turns.txt",
                                         "latencies.txt", "slot_width.txt"])

    def test_no_gpu_is_one_clear_line(self):
        code, _, files = self.start({}, present=False)
        self.assertEqual(code, "error: no CUDA device on this machine")
        self.assertEqual(files, {})


if __name__ == "__main__":
    unittest.main()
