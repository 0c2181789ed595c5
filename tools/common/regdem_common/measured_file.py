# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what was measured of kernels: ncu's CSV, or what regdem-analyse made of
it (--json)."""

from . import measured, ncu
from .records import objects
from .tool import UserError, read_text

FIELDS = {"kernel", "name", "arch", "build", "block_size", "launches", "time_ms",
          "limit", "spilling", "verdict"}


def _checked(figures):
    if not FIELDS <= figures.keys():
        raise ValueError
    return figures


def read(path):
    """Objects of measured.kernels(). Raises UserError."""
    text = read_text(path)
    if text.lstrip().startswith("{"):
        return objects(path, text, _checked, "no object of regdem-analyse --json")
    if not any(row for _, row in ncu.launches(text)):
        raise UserError(f"'{path}' is neither CSV of ncu with counters nor an analysis: "
                        "make one with regdem-analyse --json FILE -- PROGRAM")
    return measured.kernels(text)
