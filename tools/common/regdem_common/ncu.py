# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nsight Compute's command line: finding it, calling it, reading its CSV.

The only file that knows ncu's options and messages. What the counters mean is
in metrics.py.
"""

import csv
import glob
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .process import ToolError, run
from .tool import UserError

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
# Factor to nanoseconds and bytes, in the spellings of older and newer versions.
UNITS = {
    "ns": 1, "nsecond": 1, "us": 1e3, "usecond": 1e3,
    "ms": 1e6, "msecond": 1e6, "s": 1e9, "second": 1e9,
    "byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9,
}


def find(explicit=None):
    """Path of ncu, or None."""
    if explicit:
        return shutil.which(explicit)
    found = shutil.which("ncu")
    for place in PLACES:
        found = found or next(iter(sorted(glob.glob(place))[::-1]), None)
    return found


def number(text):
    """A value as ncu prints it, with commas between thousands; None for
    blanks, "n/a", "nan" and other text."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return None if value != value or abs(value) == float("inf") else value


def table(text):
    """(header, rows of cells) of the CSV in ncu's output, which may open with
    ==PROF== and other messages; ([], []) if there is none, as after an error."""
    lines = [l for l in text.splitlines() if l.lstrip().startswith('"')]
    found = list(csv.reader(lines))
    start = next((i for i, r in enumerate(found) if r[0] == "ID"), None)
    if start is None:
        return [], []
    header = found[start]
    return header, [r for r in found[start + 1:] if len(r) == len(header)]


def scaled(cell, unit):
    """A value in nanoseconds, bytes or what else the unit names."""
    value = number(cell)
    return None if value is None else value * UNITS.get(unit.partition("/")[0], 1)


def launches(text):
    """(what describes it, metrics) of each profiled launch in order, both by
    ncu's names. Takes `--csv --page raw`, which has a line of units and then a
    line per launch."""
    header, rows = table(text)
    found = []
    units = rows[0] if rows else []
    for cells in rows[1:]:
        if not cells[0].strip().isdigit():
            continue
        about = {n: c for n, c in zip(header, cells) if "__" not in n}
        found.append((about, {
            name: scaled(cell, unit)
            for name, unit, cell in zip(header, units, cells) if "__" in name}))
    return found


def complaints(text):
    """ncu's messages without their marks, errors before warnings."""
    found = [
        line.strip()
        for kind in ("ERROR", "WARNING")
        for line in re.findall(rf"^=={kind}==(.*)$", text, re.MULTILINE)
    ]
    return [line for line in found if line]


@dataclass(frozen=True)
class Run:
    """What came of a program under ncu."""
    text: str  # ncu's log
    messages: list  # see complaints()
    output: str  # what the program wrote
    errors: str
    code: int


def collect(ncu, metrics, command, timeout, options=()):
    """Profiles launches of `command`, all without further options of ncu.

    ncu runs a launch several times, as not all counters fit into one pass,
    and restores the memory that the kernel wrote before each, so the program
    still finds the right results. Clocks are left alone and caches warm, as
    in an ordinary run. Raises ToolError if ncu cannot work at all, UserError if
    it never may.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "ncu.log"
        fixed = ["--csv", "--page", "raw", "--print-units", "base"]
        fixed += ["--clock-control", "none", "--cache-control", "none"]
        fixed += ["--log-file", str(log), "--metrics", ",".join(metrics)]
        code, output, errors = run([ncu, *fixed, *options, *command], timeout)
        text = log.read_text(errors="replace") if log.exists() else ""
    messages = complaints("\n".join((text, output, errors)))
    if any("ERR_NVGPUCTRPERM" in line for line in messages):
        raise UserError(PERMISSION)
    if not messages and code not in (0, 1):
        messages = errors.strip().splitlines()[-1:]
    return Run(text, messages, output, errors, code)


def known_metrics(ncu, metrics, command, timeout, options=()):
    """Those of `metrics` that this ncu knows on this GPU, found by trying them
    on a short `command`; the first must exist everywhere.

    Versions answer an unknown metric with a blank cell, a warning, or an
    error that ends the run. The last may name the metric; if not, halves of
    the list are tried until it is found.
    """

    def tried(names):
        done = collect(ncu, names, command, timeout, options)
        return [row for _, row in launches(done.text)], done.messages

    def accepted(names):
        rows, messages = tried(names)
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

    rows, messages = tried(metrics[:1])
    if not rows:
        raise ToolError(messages[0] if messages else "no launch was profiled")
    return accepted(list(metrics))
