# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the user can do for a kernel, as sentences. Each rule is a function of a
Kernel that gives one sentence or None."""

from regdem_common import occupancy, words
from regdem_common.records import is_plain, local, spill

WORTH_SAYING = 1.0  # percent of time


def _block_size(kernel):
    raw = kernel.raw
    if raw["block_size_from"] != "assumed":
        return None
    if raw["limiter_before"] != "registers" and not spill(kernel.stock):
        return None
    seen = kernel.measured.block_sizes if kernel.measured else []
    if not seen and raw.get("launches"):
        return None  # Its builds know their blocks.
    option = "REGDEM_BLOCK_SIZE=N" if kernel.is_from_ptx else "-mllvm -regdem-block-size=N"
    way = (f"State __launch_bounds__({seen[-1]}), the largest block that was seen" if seen
           else f"State __launch_bounds__(threads), or {option}")
    return (f"{way}: one build is then made in place, and none chosen at launch."
            if raw.get("launches")
            else f"{way}: without a block size none of its values go to shared memory.")


def _costly_bounds(kernel):
    found = kernel.raw.get("unbounded")
    if not found or found["expected_gain"] < WORTH_SAYING:
        return None
    return ("The blocks per SM that the launch bounds ask for cost "
            f"{found['expected_gain']:.0f} % of the time, as predicted: "
            f"__launch_bounds__({kernel.raw['block_size']}, 1) gives "
            f"{found['regs']} registers, blocks per SM: {found['blocks_per_sm']}.")


def _best_cap(kernel):
    """The cap alone that is expected to gain most, or None; where RegDem has made
    another build, one with as many blocks."""
    blocks = kernel.raw["blocks_per_sm_after"]
    plain = max((v for v in kernel.variants if v["decision"] == "cap"
                 and is_plain(v) and v["blocks_per_sm"]
                 and (v["blocks_per_sm"] == blocks or not kernel.is_changed)),
                key=lambda v: v.get("expected_gain", 0), default=None)
    return plain if plain and plain.get("expected_gain", 0) >= WORTH_SAYING else None


def _helpful_bounds(kernel):
    """Launch bounds that gain without RegDem, too: those of a cap alone."""
    raw, cap = kernel.raw, _best_cap(kernel)
    if not cap or "margin" not in raw:
        return None
    bounds = f"__launch_bounds__({raw['block_size']}, {cap['blocks_per_sm']})"
    gain = f"{cap['expected_gain']:.1f} %"
    if raw["block_size_from"] == "launch":  # Larger blocks could not be launched then.
        return (f"Without RegDem, if none of its blocks have more than {raw['block_size']} "
                f"threads, {bounds} is expected to gain {gain} in blocks of so many; measure it.")
    if kernel.is_changed:
        return f"Without RegDem, {bounds} is expected to gain {gain}; measure it."
    if raw["block_size_from"] == "assumed":
        return (f"If its blocks have {raw['block_size']} threads, {bounds} is expected to gain "
                f"{gain}; measure it.")
    if cap["expected_gain"] < raw["margin"]:
        return (f"{bounds} is expected to gain {gain}, less than the {raw['margin']:.1f} % that "
                "RegDem asks for; measure it.")
    return f"{bounds} is expected to gain {gain}, at more risk of a loss than RegDem takes; measure it."


def _arrays(kernel):
    shown = kernel.chosen or kernel.stock
    if not local(shown):
        return None
    staying = words.staying_arrays(kernel)
    if staying:
        text = " ".join(staying)
    elif spill(shown):
        return None  # That is what local memory holds.
    else:
        text = (f"{local(shown)} bytes a thread of local memory are arrays, or the stacks of "
                "functions that are called.")
    shown = kernel.measured.weightiest if kernel.measured else None
    if shown and shown.get("weight") is not None:
        text += f" As measured, local memory {shown['spilling']} ({100 * shown['weight']:.1f} %)."
    return text


def _remaining_spill(kernel):
    chosen = kernel.chosen
    left = spill(chosen)
    if not left:
        return None
    free = [v for v in kernel.variants if not spill(v) and v["blocks_per_sm"]
            and v["regs"] > chosen["regs"]]
    text = f"{left} bytes of spill code are left under {chosen['regs']} registers."
    if free:
        best = min(free, key=lambda v: v["regs"])
        text += (f" A build with {best['regs']} registers has none, with "
                 f"{best['blocks_per_sm']} instead of {chosen['blocks_per_sm']} "
                 "blocks per SM.")
    return text


def _harmful_cap(kernel):
    """A stated cap that a build with more registers is predicted to beat."""
    raw, chosen = kernel.raw, kernel.chosen
    if not raw["max_regs"] or not chosen or not chosen.get("cycles"):
        return None
    rival = min((v for v in kernel.variants
                 if v.get("cycles") and v["blocks_per_sm"] and v["regs"] > raw["max_regs"]),
                key=lambda v: v["cycles"], default=None)
    if rival is None:
        return None
    gain = 100 * (1 - rival["cycles"] / chosen["cycles"])
    if gain < WORTH_SAYING:
        return None
    return (f"The cap of {raw['max_regs']} registers costs {gain:.0f} % of the time, as "
            f"predicted: raise it to {rival['regs']}, or state __launch_bounds__("
            f"{raw['block_size']}, {rival['blocks_per_sm']}); measure it.")


def _carve_out(kernel):
    chosen, stock = kernel.chosen, kernel.stock
    if not chosen or not stock or not stock.get("l1_bytes"):
        return None
    if chosen["l1_bytes"] >= stock["l1_bytes"]:
        return None
    text = (f"Shared memory leaves {chosen['l1_bytes'] // 1024} KB of L1 instead of "
            f"{stock['l1_bytes'] // 1024}: measure, if the kernel lives on L1 hits.")
    sm = occupancy.sm_of(kernel.arch)
    if not sm or kernel.raw["block_size_from"] == "launch":  # Who sets one has no such builds.
        return text
    blocks = chosen["blocks_per_sm"]
    if "dynamic_smem" in kernel.raw:
        part = occupancy.carve_out(sm, chosen["smem"] + kernel.dynamic, blocks)
        enough = f"be {part} or more"
    else:
        enough = (f"hold {blocks} blocks of {chosen['smem']} bytes and of the dynamic shared "
                  "memory of launches, which is not known")
    return text + (" If the program sets cudaFuncAttributePreferredSharedMemoryCarveout, let "
                   f"it {enough}.")


def _slower(kernel):
    """What was measured and lost."""
    gain = kernel.measured.gain if kernel.measured else None
    if gain is None or gain > -WORTH_SAYING or not kernel.is_changed:
        return None
    way = ("a REGDEM_KERNELS that does not match its name" if kernel.is_from_ptx else
           '__attribute__((annotate("regdem:mode=off"))), or let regdem-tune decide')
    return (f"RegDem's build takes {-gain:.1f} % more time than stock's, as measured: keep "
            f"stock's with {way}.")


def _next_step(kernel):
    """How many registers less another block would take."""
    raw, stock = kernel.raw, kernel.stock
    sm = occupancy.sm_of(kernel.arch)
    if kernel.is_changed or not stock or not sm or raw["limiter_before"] != "registers":
        return None
    wanted = stock["blocks_per_sm"] + 1
    if wanted > occupancy.by_shared(sm, stock["smem"] + kernel.dynamic):
        return None
    allowed = occupancy.most_registers(sm, raw["block_size"], wanted)
    if not allowed or not 0 < stock["regs"] - allowed <= 4:
        return None
    return (f"{stock['regs'] - allowed} registers less ({allowed}) would give "
            f"{wanted} blocks per SM.")


STEPS = (_slower, _block_size, _costly_bounds, _helpful_bounds, _arrays, _remaining_spill,
         _harmful_cap, _next_step)


def steps(kernel):
    """What to do for it, the best first."""
    return [text for rule in STEPS if (text := rule(kernel))]


def advice(kernel):
    """The same, and what to know of it."""
    known = _carve_out(kernel)
    return steps(kernel) + ([known] if known else [])
