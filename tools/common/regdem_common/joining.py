# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which kernel of RegDem's report a measured one is, and which of its builds
ran."""

from . import names
from .records import arrays, spill


def _same_arch(kernel, figures):
    # ncu knows the GPU, not whether code is for sm_90 or sm_90a.
    return not figures["arch"] or kernel.arch.rstrip("af") == figures["arch"]


def match(kernels, figures):
    """The Kernel that `figures` (an object of measured.kernels()) are of, or
    None: by mangled name, else by the name as written, else by a function's name
    that one kernel alone has."""
    near = [k for k in kernels if _same_arch(k, figures)]
    rules = (
        lambda k: k.mangled == figures["kernel"],
        lambda k: names.spelling(k.name) == names.spelling(figures["name"]),
        lambda k: names.function(k.name) == names.function(figures["name"]),
    )
    for rule in rules:
        found = [k for k in near if rule(k)]
        if found:
            sized = [k for k in found if k.raw["block_size"] == figures["block_size"]]
            found = sized or found
            same = len({k.mangled for k in found}) == 1
            return found[-1] if same else None
    return None


def _fits(variant, figures):
    smem = figures["static_smem"]
    return (variant["regs"] == figures["registers"] and
            (smem is None or abs(variant["smem"] - smem) <= 0.01 * variant["smem"]))


def ran(kernel, figures):
    """`chosen` or `stock`: the build that ran, by its registers and shared
    memory; '' if they do not tell."""
    if figures["build"]:
        return "chosen"
    chosen = kernel.chosen and _fits(kernel.chosen, figures)
    stock = kernel.stock and _fits(kernel.stock, figures)
    if bool(chosen) == bool(stock):
        return "stock" if chosen and not kernel.is_changed else ""
    return "chosen" if chosen else "stock"


def held(kernel, build):
    """What local memory holds, a key of spilling.HOLDS, by the report."""
    variant = kernel.chosen if build == "chosen" else kernel.stock
    if variant is None:
        return ""
    spills, frame = bool(spill(variant)), bool(arrays(kernel))
    return {(True, True): "both", (True, False): "spills",
            (False, True): "arrays"}.get((spills, frame), "")
