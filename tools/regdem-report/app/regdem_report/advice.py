# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the user can do for a kernel, as sentences. Each rule is a function of a
Kernel that gives one sentence or None."""

from regdem_common.records import arrays, spill

from . import occupancy

WORTH_SAYING = 1.0  # percent of time


def _block_size(kernel):
    raw = kernel.raw
    if raw["block_size_from"] != "assumed":
        return None
    if raw["limiter_before"] != "registers" and not spill(kernel.stock):
        return None
    return ("State __launch_bounds__(threads), or -mllvm -regdem-block-size=N: "
            "without a block size no value can go to shared memory.")


def _costly_bounds(kernel):
    found = kernel.raw.get("unbounded")
    if not found or found["expected_gain"] < WORTH_SAYING:
        return None
    return ("The blocks per SM that the launch bounds ask for cost "
            f"{found['expected_gain']:.0f} % of the time, as predicted: "
            f"__launch_bounds__({kernel.raw['block_size']}) alone gives "
            f"{found['blocks_per_sm']} blocks with {found['regs']} registers.")


def _helpful_bounds(kernel):
    """Launch bounds that gain without RegDem, too: those of a cap alone."""
    raw = kernel.raw
    if raw["block_size_from"] == "assumed" or "margin" not in raw:
        return None
    blocks = raw["blocks_per_sm_after"]
    plain = max((v for v in kernel.variants if v["decision"] == "cap"
                 and not v["rewrites"] and not v["order"]
                 and v["blocks_per_sm"] == blocks),
                key=lambda v: v.get("expected_gain", 0), default=None)
    if not kernel.is_changed or not plain or plain.get("expected_gain", 0) < WORTH_SAYING:
        return None
    return (f"Without RegDem, __launch_bounds__({raw['block_size']}, {blocks}) is expected "
            f"to gain {plain['expected_gain']:.1f} %; measure it.")


def _arrays(kernel):
    size = arrays(kernel)
    if not size:
        return None
    return (f"{size} bytes a thread are arrays in local memory, which no "
            "register can hold: make their indices constant (unroll the loop), use "
            "selects, or put them into __shared__ memory.")


def _remaining_spill(kernel):
    chosen = kernel.chosen
    left = spill(chosen)
    if not left:
        return None
    free = [v for v in kernel.variants if not spill(v) and v["regs"] > chosen["regs"]]
    text = f"{left} bytes of spill code are left under {chosen['regs']} registers."
    if free:
        best = min(free, key=lambda v: v["regs"])
        text += (f" A build with {best['regs']} registers has none, and "
                 f"{best['blocks_per_sm']} blocks per SM instead of "
                 f"{chosen['blocks_per_sm']}.")
    return text


def _harmful_cap(kernel):
    """A stated cap that a build with more registers is predicted to beat."""
    raw, chosen = kernel.raw, kernel.chosen
    if not raw["max_regs"] or not chosen or not chosen.get("cycles"):
        return None
    rival = min((v for v in kernel.variants
                 if v.get("cycles") and v["regs"] > raw["max_regs"]),
                key=lambda v: v["cycles"], default=None)
    if rival is None:
        return None
    gain = 100 * (1 - rival["cycles"] / chosen["cycles"])
    if gain < WORTH_SAYING:
        return None
    return (f"The cap of {raw['max_regs']} registers costs {gain:.0f} % of the time, as "
            f"predicted: {rival['regs']} registers and {rival['blocks_per_sm']} blocks "
            "per SM are faster.")


def _carve_out(kernel):
    chosen, stock = kernel.chosen, kernel.stock
    if not chosen or not stock or not stock.get("l1_bytes"):
        return None
    if chosen["l1_bytes"] >= stock["l1_bytes"]:
        return None
    return (f"Shared memory leaves {chosen['l1_bytes'] // 1024} KB of L1 instead of "
            f"{stock['l1_bytes'] // 1024}: measure, if the kernel lives on L1 hits.")


def _next_step(kernel):
    """How many registers less another block would take."""
    raw, stock = kernel.raw, kernel.stock
    sm = occupancy.sm_of(kernel.arch)
    if kernel.is_changed or not stock or not sm or raw["limiter_before"] != "registers":
        return None
    allowed = occupancy.most_registers(sm, raw["block_size"], stock["blocks_per_sm"] + 1)
    if not allowed or not 0 < stock["regs"] - allowed <= 4:
        return None
    return (f"{stock['regs'] - allowed} registers less ({allowed}) would give "
            f"{stock['blocks_per_sm'] + 1} blocks per SM.")


def _estimate(kernel):
    if kernel.raw.get("estimated") and not kernel.variants and \
            kernel.raw["limiter_before"] == "registers":
        return ("No assembler was asked, so that this is an estimate: let RegDem find "
                "ptxas (-mllvm -regdem-ptxas=PATH).")
    if kernel.variants and kernel.raw.get("from_sass") is False:
        return ("No machine code was read: let RegDem find nvdisasm "
                "(-mllvm -regdem-disassembler=PATH) for better choices.")
    return None


RULES = (_block_size, _costly_bounds, _helpful_bounds, _arrays, _remaining_spill,
         _harmful_cap, _next_step, _carve_out, _estimate)


def advice(kernel):
    return [text for rule in RULES if (text := rule(kernel))]
