# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was done and what it costs, in few words."""

from .records import spill


def build(variant, raw=None):
    """A variant's recipe: `cap 40, skip-slsr`. `raw` is its kernel's object,
    for the words of a demotion that was chosen."""
    parts = {"stock": "stock", "rewrite": "stock", "cap": "cap",
             "pragma": "ptxas spills to shared", "demote": "demotion"}
    text = parts[variant["decision"]]
    if variant["decision"] != "stock" and variant["max_regs"]:
        text += f" {variant['max_regs']}" if text == "cap" else f", cap {variant['max_regs']}"
    elif text == "cap":
        text = f".minnctapersm {variant['min_blocks']}"
    if raw and variant["decision"] == "demote":
        text += f", {raw['slots']} words"
    if variant["decision"] == "demote" and variant["smem_spilling"]:
        text += ", ptxas spills the rest to shared"
    if variant["rewrites"]:
        text += ", " + variant["rewrites"].replace(",", ", ")
    if variant["order"]:
        text += f", order {variant['order']}"
    return text


def done(kernel):
    """What RegDem did."""
    if not kernel.is_changed:
        return "kept"
    return build(kernel.chosen or kernel.raw, kernel.raw)


def percent(value):
    return "" if value is None else f"{value:+.1f} %"


def figures(kernel):
    """(registers, bytes of spill code, blocks per SM) as text, each before and
    after where they differ."""
    def pair(before, after):
        if before is None or after is None:
            return "?" if after is None else str(after)
        return str(after) if before == after else f"{before} → {after}"

    old, new, raw = kernel.stock, kernel.chosen, kernel.raw
    if new is None:  # nothing was assembled
        return "", "", pair(raw["blocks_per_sm_before"], raw["blocks_per_sm_after"])
    return (pair(old and old["regs"], new["regs"]), pair(spill(old), spill(new)),
            pair(old and old["blocks_per_sm"], new["blocks_per_sm"]))


def summary(kernels):
    changed = sum(k.is_changed for k in kernels)
    limited = sum(k.raw["limiter_before"] == "registers" for k in kernels)
    spilling = sum(bool(spill(k.stock)) for k in kernels)
    return (f"{len(kernels)} kernels: registers limit {limited}, {spilling} spill as "
            f"stock, RegDem changed {changed}")
