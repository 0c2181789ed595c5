# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what was measured of kernels: ncu's CSV, or what regdem-analyse made of
it (--json)."""

import json

from . import measured, ncu
from .records import ReportError

FIELDS = {"kernel", "name", "arch", "build", "block_size", "launches", "time_ms",
          "limit", "spilling", "verdict"}


def _objects(path, text):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            figures = json.loads(line) if line.strip() else None
        except ValueError:
            figures = {}
        if figures is not None:
            if not isinstance(figures, dict) or not FIELDS <= figures.keys():
                raise ReportError(f"{path}:{number}: no object of regdem-analyse --json")
            found.append(figures)
    return found


def read(path):
    """Objects of measured.kernels(). Raises ReportError."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError as error:
        raise ReportError(f"cannot read '{path}': {error.strerror}") from None
    if text.lstrip().startswith("{"):
        return _objects(path, text)
    if not any(row for _, row in ncu.launches(text)):
        raise ReportError(f"'{path}' is neither CSV of ncu with counters nor an analysis: "
                          "make one with regdem-analyse --json FILE -- PROGRAM")
    return measured.kernels(text)
