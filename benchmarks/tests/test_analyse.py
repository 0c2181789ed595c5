#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs analyse.py's main function with a stand-in for ncu (fake_ncu.py)."""

import contextlib
import csv
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import analyse
from harness import gpu
from regdem_common import metrics
from regdem_common.metrics import METRICS, stall_metric

FAKE = Path(__file__).resolve().parent / "fake_ncu.py"
DENIED = "error: ncu may not read the GPU's performance counters"


def named(**values):
    """Values by ncu's names, from the short ones."""
    return {METRICS[short][0]: v for short, v in values.items()}


VALUES = {
    "clang": named(time_ns=2e6, issued=1000, issue_pct=80),
    "clang-r32": {
        **named(time_ns=4e6, issued=2000, issue_pct=70, local_ld=300,
                local_st=100, local_ld_sectors=1200),
        stall_metric("wait"): 1.5, stall_metric("long_scoreboard"): 0.5,
    },
    "regdem-r32": named(time_ns=2.5e6, issued=1200, issue_pct=75,
                        shared_ld=100),
}


def manifest():
    def variant(name, spill=0, **more):
        return {"name": name, "family": "clang", "cubin": f"{name}.cubin",
                "regs": 32, "spill_store_bytes": spill,
                "spill_load_bytes": spill, **more}

    variants = [
        variant("clang"), variant("clang-r32", 64),
        variant("clang-r32-pragma", same_as="clang-r32", spill=64),
        variant("regdem-r32"),
    ]
    return {"revision": "r", "kernels": [
        {"id": name, "program": f"programs/{name}", "variants": variants}
        for name in ("one", "two")
    ]}


class AnalysesFolder(unittest.TestCase):
    def start(self, *more, mode="", unknown="", program=FAKE, present=True):
        """Exit code, printed text, analysis.json's data (None if there is
        none) and analysis.csv's rows."""
        setting = {"FAKE_NCU": mode, "FAKE_UNKNOWN": unknown,
                   "FAKE_VALUES": json.dumps(VALUES)}
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "manifest.json").write_text(json.dumps(manifest()))
            arguments = ["analyse.py", "--folder", name, *more]
            if program:
                arguments += ["--ncu", str(program)]
            text = io.StringIO()
            with mock.patch.object(gpu, "present", return_value=present), \
                    mock.patch.object(sys, "argv", arguments), \
                    mock.patch.dict(os.environ, setting), \
                    contextlib.redirect_stdout(text), \
                    contextlib.redirect_stderr(io.StringIO()), \
                    self.assertRaises(SystemExit) as end:
                analyse.main()
            path = folder / "analysis.json"
            if not path.exists():
                return end.exception.code, text.getvalue(), None, []
            with open(folder / "analysis.csv", newline="") as file:
                rows = list(csv.DictReader(file))
            data = json.loads(path.read_text())
            return end.exception.code, text.getvalue(), data, rows

    def test_a_row_for_each_kernel_and_variant(self):
        code, text, data, rows = self.start()
        self.assertEqual(code, 0, text)
        found = [(r["kernel"], r["variant"]) for r in data["rows"]]
        self.assertEqual(found, [
            (kernel, variant)
            for kernel in ("one", "two")
            for variant in ("clang", "clang-r32", "clang-r32-pragma",
                            "regdem-r32")
        ])
        self.assertEqual(len(rows), 8)
        self.assertEqual(data["ncu"], "2025.3.1.0")
        self.assertEqual(data["unknown_metrics"], [])

    def test_figures_and_verdicts(self):
        _, text, data, rows = self.start("one")
        clang, capped, pragma, demoted = data["rows"]
        self.assertEqual(capped["figures"]["time_ms"], 4.0)
        self.assertEqual(capped["figures"]["local_share"], 0.2)
        self.assertEqual(capped["stalls"][0], ["wait", 0.75])
        self.assertEqual(rows[1]["stall_1"], "wait")
        self.assertIn("one clang-r32: instruction-bound (issue slots 70 %); "
                      "spilling matters (20.0 %)", text)
        self.assertIn("no local memory accesses", clang["verdict"])
        self.assertIn("slots: cost matters little (8.3 %)", demoted["verdict"])
        self.assertTrue(demoted["correct"])
        # Identical machine code is profiled once and reported twice.
        self.assertEqual(pragma["figures"], capped["figures"])

    def test_first_launch_stands_for_all_of_a_run(self):
        _, _, once, _ = self.start("one")
        code, text, data, _ = self.start("one", mode="several")
        self.assertEqual(code, 0, text)
        self.assertEqual(data["rows"], once["rows"])

    def test_unknown_metric_is_a_blank_not_a_failure(self):
        name = METRICS["l2_pct"][0]
        for mode in ("named", "silent", "blank"):
            with self.subTest(mode):
                code, text, data, _ = self.start("one", mode=mode,
                                                 unknown=name)
                self.assertEqual(code, 0, text)
                self.assertIsNone(data["rows"][0]["figures"]["l2_pct"])
                self.assertEqual(data["rows"][0]["figures"]["issue_pct"], 80)
                self.assertEqual(data["unknown_metrics"],
                                 [] if mode == "blank" else [name])

    def test_no_permission_is_one_clear_line(self):
        code, text, data, _ = self.start(mode="denied")
        self.assertTrue(code.startswith(DENIED), code)
        self.assertEqual(len(code.splitlines()), 1)
        self.assertIsNone(data)
        self.assertEqual(text, "")

    def test_missing_launch_is_an_error(self):
        code, text, data, _ = self.start("one", mode="short")
        self.assertEqual(code, 1)
        self.assertIn("error: one: ", text)
        self.assertEqual(data["rows"], [])

    def test_time_limit_ends_ncu_and_its_program(self):
        with tempfile.TemporaryDirectory() as name:
            note = Path(name) / "pid"
            with mock.patch.dict(os.environ, {"FAKE_PID": str(note)}):
                code, text, _, _ = self.start("one", "--timeout", "5",
                                              mode="sleep")
            self.assertEqual(code, 1)
            self.assertIn("error: one: not done after 5 s", text)
            status = Path(f"/proc/{note.read_text()}/stat")
            # Gone, or dead and not yet collected by the system.
            if status.exists():
                self.assertEqual(status.read_text().split()[2], "Z")

    def test_budget_is_kept(self):
        code, text, data, _ = self.start("--budget", "-1")
        self.assertEqual(code, 1)
        self.assertIn("error: two: out of time", text)

    def test_missing_parts_are_named(self):
        for message, more in (
            ("error: no CUDA device on this machine", dict(present=False)),
            ("error: no ncu (Nsight Compute) on this machine",
             dict(program="/no/such/ncu")),
        ):
            self.assertEqual(self.start(**more)[0], message)
        self.assertEqual(self.start("three")[0],
                         "error: no such benchmark in the manifest")

    def test_every_metric_is_asked_for_once(self):
        names = metrics.all_names()
        self.assertEqual(len(names), len(set(names)))
        self.assertIn(METRICS["local_ld"][0], names)


if __name__ == "__main__":
    unittest.main()
