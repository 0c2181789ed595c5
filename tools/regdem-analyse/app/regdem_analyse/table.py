# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table for the terminal."""

from regdem_common import columns, names, spilling

from . import outlook

HEADER = ("kernel", "arch", "block", "launches", "ms", "of time", "limit",
          "local instr", "local of L2", "spilling", "RegDem", "expected")
RIGHT = {2, 3, 4, 5, 7, 8, 11}


def _limit(figures):
    if not figures["limit"]:
        return "unknown"
    return f"{figures['limit']}: {figures['resource']} {figures['use']:.0f} %"


def _cells(figures):
    time = figures["time_ms"]
    name = names.short(figures["name"])
    regdem = figures["regdem"]
    return (name if not figures["build"] else f"{name} (build {figures['build']})",
            figures["arch"], str(figures["block_size"] or ""), str(figures["launches"]),
            "" if time is None else f"{time:.4g}", spilling.percent(figures["time_share"]),
            _limit(figures), spilling.percent(figures["local_instructions"]),
            spilling.percent(figures["local_traffic"]), figures["spilling"],
            regdem["does"] if regdem else "", outlook.expected(figures))


def summary(kernels):
    def count(word):
        return sum(f["spilling"] == word for f in kernels)

    return (f"{len(kernels)} kernels: spilling or local arrays matter in "
            f"{count('matters')}, a little in {count('matters little')}, do not in "
            f"{count('does not matter') + count('none')}")


def lines(kernels, any_report, with_advice=True):
    header, *rows = columns.aligned(
        [HEADER, *(_cells(f) for f in kernels)], RIGHT)
    found = [header]
    for figures, row in zip(kernels, rows):
        found.append(row)
        if with_advice:
            found.append(f"    {figures['verdict']}")
            found += [f"    * {text}" for text in outlook.advice(figures, any_report)]
    return [*found, "", summary(kernels)]
