# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compute-sanitizer's command line: finding it, calling it, reading it.

The only file that knows its options and messages.
"""

import re
import shutil
import tempfile
from pathlib import Path

from regdem_common.process import ToolError, run

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
PLACE = "/usr/local/cuda/bin/compute-sanitizer"
# The last line of each tool's report.
SUMMARY = re.compile(
    r"^=+ (?:ERROR SUMMARY: (\d+) errors?"
    r"|RACECHECK SUMMARY: \d+ hazards? displayed "
    r"\((\d+) errors?, (\d+) warnings?\))", re.MULTILINE)


def find(explicit=None):
    """Path of compute-sanitizer, or None."""
    if explicit:
        return shutil.which(explicit)
    return shutil.which("compute-sanitizer") or shutil.which(PLACE)


def findings(report):
    """(number of errors and warnings, first of them or "") of a report.
    Raises ToolError if it has no summary: then the tool did not finish."""
    summary = SUMMARY.search(report)
    lines = [line.lstrip("= ").strip() for line in report.splitlines()]
    lines = [line for line in lines if line
             and not line.startswith("COMPUTE-SANITIZER")]
    if not summary:
        raise ToolError(lines[0] if lines else "no report")
    count = sum(int(number) for number in summary.groups() if number)
    return count, lines[0] if count else ""


def check(program, tool, command, timeout):
    """findings() of a tool's run over `command`, all launches of which are
    checked. Raises ToolError, also if the command itself could not run."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "report"
        code, output, errors = run(
            [program, "--tool", tool, "--log-file", log, *command], timeout)
        report = log.read_text(errors="replace") if log.exists() else ""
    if code not in (0, 1):
        text = (errors or output).strip().splitlines()
        raise ToolError(text[-1] if text else f"exit code {code}")
    return findings(report)
