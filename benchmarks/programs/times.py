# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What KernelTimes.cpp writes, and sums of it. Times are nanoseconds."""

import re

# RegDem's builds of a kernel, which its host code launches in the kernel's
# place, count as the kernel.
BUILD = re.compile(r"\$regdem\d+(_[0-9a-f]*)?$")


def read(text):
    """(launches, lost): a list of {"kernel", "grid", "block", "registers",
    "local", "smem", "launches", "sum", "shortest"}, and how many records CUPTI
    lost."""
    found, lost = [], 0
    for line in text.splitlines():
        columns = line.split("\t")
        if columns[0] == "lost":
            lost = int(columns[1])
            continue
        name, grid, block, *numbers = columns
        keys = ("registers", "local", "smem", "launches", "sum", "shortest")
        found.append({"kernel": name, "grid": grid, "block": block,
                      **dict(zip(keys, map(int, numbers)))})
    return found, lost


def kernel(name):
    return BUILD.sub("", name)


def profile(kernels, multiprocessors):
    """The launches, on a GPU of so many, as REGDEM_PROFILE takes them."""
    return {"version": 1, "launches": [
        {"kernel": each["kernel"], "dynamic_smem": each["smem"],
         "count": each["launches"], "multiprocessors": multiprocessors,
         **{key: [int(n) for n in each[key].split(",")]
            for key in ("block", "grid")}} for each in kernels]}


def total(kernels):
    return sum(k["sum"] for k in kernels)


def by_kernel(kernels):
    """{kernel: (launches, sum)}, builds of a kernel under its name."""
    found = {}
    for each in kernels:
        name = kernel(each["kernel"])
        launches, time = found.get(name, (0, 0))
        found[name] = launches + each["launches"], time + each["sum"]
    return found


def least_total(rounds):
    """Of all kernels, in the fastest round; None without any. Clocks that fall
    with heat and power make rounds slower, never faster."""
    return min((total(r["kernels"]) for r in rounds), default=None)


def least_by_kernel(rounds):
    """{kernel: (launches, nanoseconds of one launch, in its fastest round)}."""
    found = {}
    for each in (by_kernel(r["kernels"]) for r in rounds):
        for name, (launches, time) in each.items():
            known = found.get(name, (launches, time / launches))
            found[name] = known[0], min(known[1], time / launches)
    return found


def summary(entry):
    """One line for a terminal: milliseconds of each variant's kernels."""
    parts = []
    for variant, rounds in entry["rounds"].items():
        if variant in entry["errors"]:
            parts.append(f"{variant} failed ({entry['errors'][variant][:150]})")
        elif rounds:
            parts.append(f"{variant} {least_total(rounds) / 1e6:.3f} ms")
    parts += [f"{v} differs: {d[:150]}" for v, d in entry["differs"].items()]
    return "; ".join(parts)
