# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of a report that was recorded, for tests of regdem-report."""

import copy
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
TOOLS = HERE.parents[2] / "tools"
sys.path[:0] = [str(TOOLS / "regdem-report" / "app"), str(TOOLS / "common")]
from regdem_common import records
from regdem_report import advice

KERNELS = {(k.short, k.arch): k for k in records.read([HERE / "build.jsonl"])}


def kernel(which, arch="sm_90", /, *, chosen=None, **fields):
    """A recorded kernel with other fields, of the build that was chosen, too."""
    raw = copy.deepcopy(KERNELS[which, arch].raw)
    raw.update(fields)
    changed = records.Kernel(raw)
    if chosen:
        changed.chosen.update(chosen)
    return changed


def said(some_kernel):
    return " ".join(advice.advice(some_kernel))
