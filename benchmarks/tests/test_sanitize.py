#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs sanitize.py's main function with a stand-in for compute-sanitizer."""

import contextlib
import csv
import io
import json
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import sanitize
from harness import gpu, sanitizer
from regdem_common.process import ToolError

# Reports three errors for each tool named in a build's name, one for clang.
STAND_IN = """\
    #!/usr/bin/env python3
    import sys
    words = sys.argv[1:]
    tool = words[words.index("--tool") + 1]
    names = [w.partition("=")[0] for w in words if ":" in w]
    if any("crash" in n for n in names):
        sys.exit("error: the program could not run")
    count = sum(3 * (tool in n) for n in names)
    count += sum(n == "clang:clang" for n in names)
    with open(words[words.index("--log-file") + 1], "w") as log:
        log.write("========= COMPUTE-SANITIZER\\n")
        log.write("========= Invalid access\\n" * bool(count))
        if tool == "racecheck":
            log.write(f"========= RACECHECK SUMMARY: {count} hazards displayed"
                      f" ({count} errors, 0 warnings)\\n")
        elif not any("silent" in n for n in names):
            log.write(f"========= ERROR SUMMARY: {count} errors\\n")
"""


def manifest(*names):
    variants = [
        {"name": n, "family": "clang", "cubin": f"{n}.cubin"}
        for n in ("clang", "clang-r32", *names)
    ]
    variants.append({"name": "regdem-same", "same_as": "clang-r32"})
    variants.append({"name": "regdem-failed", "error": "no such luck"})
    return {"kernels": [{"id": "one", "program": "programs/one",
                         "variants": variants}]}


class ChecksFolder(unittest.TestCase):
    def start(self, names, *more, present=True):
        """Exit code, printed text and sanitizer.csv's rows."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "manifest.json").write_text(json.dumps(manifest(*names)))
            tool = folder / "stand-in"
            tool.write_text(textwrap.dedent(STAND_IN))
            tool.chmod(0o755)
            arguments = ["sanitize.py", "--folder", name,
                         "--compute-sanitizer", str(tool), *more]
            text = io.StringIO()
            with mock.patch.object(gpu, "present", return_value=present), \
                    mock.patch.object(sys, "argv", arguments), \
                    contextlib.redirect_stdout(text), \
                    self.assertRaises(SystemExit) as end:
                sanitize.main()
            rows, path = [], folder / "sanitizer.csv"
            if path.exists():
                with open(path, newline="") as file:
                    rows = list(csv.DictReader(file))
            return end.exception.code, text.getvalue(), rows

    def test_clean_builds_end_well(self):
        code, text, rows = self.start(["regdem-r32"])
        self.assertEqual(code, 0, text)
        self.assertEqual([r["tool"] for r in rows], list(sanitizer.TOOLS))
        # regdem-same is clang-r32's machine code and runs as such.
        self.assertEqual({r["builds"] for r in rows}, {"2"})
        self.assertIn("racecheck: 1 kernels, 2 builds, 0 findings", text)

    def test_findings_are_counted_and_stock_is_tried(self):
        for tool in ("memcheck", "racecheck"):
            code, text, rows = self.start([f"regdem-{tool}"])
            self.assertEqual(code, 1)
            self.assertIn(f"one {tool}: 3 findings in 2 builds, 1 in stock "
                          "clang's; Invalid access", text)
            self.assertEqual([r["findings"] for r in rows if r["tool"] != tool],
                             ["0"] * 3)

    def test_a_report_without_summary_is_an_error(self):
        code, text, rows = self.start(["regdem-silent"])
        self.assertEqual(code, 1)
        self.assertIn("error: one memcheck: no report", text)
        self.assertEqual([r["tool"] for r in rows], ["racecheck"])

    def test_a_program_that_ends_early_is_an_error(self):
        code, text, rows = self.start(["regdem-crash"], "--tools", "memcheck")
        # The stand-in's exit code 1 is also that of a wrong result.
        self.assertEqual(code, 1)
        self.assertIn("error: one memcheck: no report", text)

    def test_budget_and_device(self):
        code, text, _ = self.start(["regdem-r32"], "--budget", "-1")
        self.assertEqual(code, 1)
        self.assertIn("out of time", text)
        code, _, _ = self.start([], present=False)
        self.assertEqual(code, "error: no CUDA device on this machine")

    def test_wrong_summaries(self):
        self.assertEqual(sanitizer.findings(
            "========= RACECHECK SUMMARY: 2 hazards displayed "
            "(1 error, 1 warning)")[0], 2)
        with self.assertRaises(ToolError):
            sanitizer.findings("========= Target application terminated")


if __name__ == "__main__":
    unittest.main()
