# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches that Nsight Compute has recorded."""

import re

from regdem_common import metrics, ncu
from regdem_common.tool import UserError, read_text

[DYNAMIC] = metrics.METRICS["dynamic_smem"]
SMS = "device__attribute_multiprocessor_count"
HOW = (f"record with `ncu --csv --page raw --print-kernel-base mangled --metrics {DYNAMIC},{SMS} "
       "--log-file FILE PROGRAM`, or with `regdem-analyse --save-csv FILE -- PROGRAM`")


def _three(text, what):
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    if not 1 <= len(numbers) <= 3 or 0 in numbers:
        raise UserError(f"'{text}' is no {what} size")
    return (numbers + [1, 1])[:3]


def launches(path):
    """One object for each profiled launch in ncu's CSV."""
    found = []
    for about, row in ncu.launches(read_text(path)):
        kernel = about.get("Kernel Name", "")
        if not re.fullmatch(r"[\w$.]+", kernel):
            raise UserError(f"'{path}' names a kernel '{kernel}', as people write it and "
                            f"not as linkers do: {HOW}")
        if row.get(DYNAMIC) is None:
            raise UserError(f"'{path}' lacks {DYNAMIC} of '{kernel}': {HOW}")
        found.append({"kernel": kernel, "block": _three(about.get("Block Size", ""), "block"),
                      "grid": _three(about.get("Grid Size", ""), "grid"),
                      "dynamic_smem": int(row[DYNAMIC]), "count": 1,
                      "multiprocessors": int(row.get(SMS) or 0)})
    if not found:
        raise UserError(f"'{path}' has no launch: {HOW}")
    return found
