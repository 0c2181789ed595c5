#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs run.py's main function on an emulator instead of a GPU program.

usage: test_run.py EMULATOR BENCHMARK-ID
"""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import run
from harness import gpu

EMULATOR, BENCHMARK = "", ""


def manifest(program):
    variant = {
        "cubin": "none", "sha256": "0", "blocks_per_sm": 8, "regs": 32,
        "stack": 0, "spill_store_bytes": 0, "spill_load_bytes": 0, "smem": 0,
    }
    return {
        "format": 1, "arch": "sm_90", "tools": {}, "regdem": False,
        "revision": "", "built": "",
        "kernels": [{
            "id": BENCHMARK, "set": "modern", "description": "", "block": 256,
            "program": program,
            "variants": [
                {"name": "clang", "family": "clang", **variant},
                {"name": "clang-r40", "family": "clang", "same_as": "clang",
                 **variant},
                {"name": "clang-r32", "family": "clang", **variant},
                {"name": "clang-r8", "family": "clang", "error": "refused"},
            ],
        }],
    }


class RunsFolder(unittest.TestCase):
    def start(self, program, present=True):
        """Exit code and text of run.py on a folder with that program, and the
        results that it wrote (None if it wrote none)."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            text = json.dumps(manifest(program))
            (folder / "manifest.json").write_text(text)
            output = io.StringIO()
            arguments = ["run.py", "--folder", name, "--quick", "--reps", "2"]
            with mock.patch.object(gpu, "present", return_value=present), \
                    mock.patch.object(sys, "argv", arguments), \
                    contextlib.redirect_stdout(output), \
                    contextlib.redirect_stderr(io.StringIO()), \
                    self.assertRaises(SystemExit) as end:
                run.main()
            path = folder / "results.json"
            results = json.loads(path.read_text()) if path.exists() else None
            return end.exception.code, output.getvalue(), results

    def test_every_variant_gets_a_row(self):
        code, text, results = self.start(EMULATOR)
        self.assertEqual(code, 0, text)
        names = [r["variant"] for r in results["rows"]]
        self.assertEqual(names, ["clang", "clang-r40", "clang-r32"])
        self.assertTrue(all(r["correct"] for r in results["rows"]))
        self.assertEqual(len(results["rows"][0]["times_ms"]), 2)

    def test_table_has_the_best_time_of_each_kind(self):
        _, text, results = self.start(EMULATOR)
        header, row = text.splitlines()[:2]
        self.assertEqual(len(header), len(row))
        times = [r["time_ms_median"] for r in results["rows"]]
        best = f"{min(times):.4f}"
        self.assertEqual(row.split(), [
            BENCHMARK, "-", "-", "-", f"{times[0]:.4f}", best, "-", "-", "-",
            best])

    def test_program_that_fails_is_an_error(self):
        code, text, results = self.start("/bin/false")
        self.assertEqual(code, 1)
        self.assertIn(f"error: {BENCHMARK}", text)
        self.assertEqual(results["rows"], [])

    def test_no_gpu_is_one_clear_line(self):
        code, _, results = self.start(EMULATOR, present=False)
        self.assertEqual(code, "error: no CUDA device on this machine")
        self.assertIsNone(results)


if __name__ == "__main__":
    EMULATOR, BENCHMARK = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
