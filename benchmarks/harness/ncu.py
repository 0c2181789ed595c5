# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nsight Compute's command line: finding it, calling it, reading its CSV.

The only file that knows ncu's options and messages. What the counters mean is
in metrics.py.
"""

import csv
import glob
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .process import ToolError, run

# Where installers put ncu if it is not in PATH; the last match is the newest.
PLACES = (
    "/usr/local/cuda/bin/ncu",
    "/opt/nvidia/nsight-compute/*/ncu",
    "/usr/local/cuda/nsight-compute*/ncu",
)
PERMISSION = (
    "ncu may not read the GPU's performance counters (ERR_NVGPUCTRPERM): run "
    "it as root, or load the NVIDIA kernel module with "
    "NVreg_RestrictProfilingToAdminUsers=0"
)
# Factor to nanoseconds, in the spellings of older and newer versions.
TIME_UNITS = {
    "ns": 1, "nsecond": 1, "us": 1e3, "usecond": 1e3,
    "ms": 1e6, "msecond": 1e6, "s": 1e9, "second": 1e9,
}


class NoPermission(ToolError):
    """No use in trying again: every run would fail alike."""


def find(explicit=None):
    """Path of ncu, or None."""
    if explicit:
        return shutil.which(explicit)
    found = shutil.which("ncu")
    for place in PLACES:
        found = found or next(iter(sorted(glob.glob(place))[::-1]), None)
    return found


def version(ncu):
    done = subprocess.run([ncu, "--version"], capture_output=True, text=True)
    match = re.search(r"Version\s+(\S+)", done.stdout)
    return match.group(1) if match else "unknown"


def number(text):
    """A value as ncu prints it, with commas between thousands; None for
    blanks, "n/a", "nan" and other text."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return None if value != value or abs(value) == float("inf") else value


def parse(text):
    """One dictionary (metric name -> number or None) per profiled launch, in
    the order of the launches, from the output of `--csv --page raw`.

    That output may open with ==PROF== and other messages; then come a header
    line, a line of units and a line per launch. Times are converted to
    nanoseconds. Returns [] if there is no header, as after an error.
    """
    lines = [l for l in text.splitlines() if l.lstrip().startswith('"')]
    table = list(csv.reader(lines))
    start = next((i for i, r in enumerate(table) if r[0] == "ID"), None)
    if start is None or start + 1 >= len(table):
        return []
    header, units = table[start], table[start + 1]
    rows = []
    for cells in table[start + 2:]:
        if len(cells) != len(header) or not cells[0].strip().isdigit():
            continue
        row = {}
        for name, unit, cell in zip(header, units, cells):
            if "__" not in name:  # "Kernel Name" and other descriptions
                continue
            value = number(cell)
            if value is not None and unit in TIME_UNITS:
                value *= TIME_UNITS[unit]
            row[name] = value
        rows.append(row)
    return rows


def complaints(text):
    """ncu's messages without their marks, errors before warnings."""
    found = [
        line.strip()
        for kind in ("ERROR", "WARNING")
        for line in re.findall(rf"^=={kind}==(.*)$", text, re.MULTILINE)
    ]
    return [line for line in found if line]


def profile(ncu, metrics, command, timeout):
    """Profiles every launch of `command`; returns (rows, messages, output):
    see parse() and complaints(), and what the program itself printed.

    ncu runs a launch several times, as not all counters fit into one pass,
    and restores the memory that the kernel wrote before each, so the program
    still finds the right results. Clocks are left alone and caches warm, as
    in an ordinary run. Raises ToolError if ncu cannot work at all.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "ncu.log"
        options = ["--csv", "--page", "raw", "--print-units", "base"]
        options += ["--clock-control", "none", "--cache-control", "none"]
        options += ["--log-file", str(log), "--metrics", ",".join(metrics)]
        code, output, errors = run([ncu, *options, *command], timeout)
        text = log.read_text(errors="replace") if log.exists() else ""
    messages = complaints("\n".join((text, output, errors)))
    if any("ERR_NVGPUCTRPERM" in line for line in messages):
        raise NoPermission(PERMISSION)
    if not messages and code not in (0, 1):
        messages = errors.strip().splitlines()[-1:]
    return parse(text), messages, output


def known_metrics(ncu, metrics, command, timeout):
    """Those of `metrics` that this ncu knows on this GPU, found by trying them
    on a short `command`; the first must exist everywhere.

    Versions answer an unknown metric with a blank cell, a warning, or an
    error that ends the run. The last may name the metric; if not, halves of
    the list are tried until it is found.
    """

    def accepted(names):
        rows, messages, _ = profile(ncu, names, command, timeout)
        if rows:
            return [n for n in names if n in rows[0]]
        words = set(re.findall(r"\w+__[\w.]*\w", " ".join(messages)))
        named = [n for n in names if n in words]
        if named and len(named) < len(names):
            return accepted([n for n in names if n not in named])
        if len(names) == 1:
            return []
        half = len(names) // 2
        return accepted(names[:half]) + accepted(names[half:])

    rows, messages, _ = profile(ncu, metrics[:1], command, timeout)
    if not rows:
        raise ToolError(messages[0] if messages else "no launch was profiled")
    return accepted(list(metrics))
