# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The variants of a kernel that are worth measuring."""

from .choice import STOCK, Choice

# Caps that are tried where the compiler names no variants: the occupancy steps
# of common block sizes on GPUs with 64K registers an SM.
SWEEP = (32, 40, 48, 64, 80, 96, 128)
# Register words below the cap that are planned for in a sweep; the compiler's
# own search starts there too.
HEADROOM = 4


def candidates(record, caps):
    """The choices besides stock for the kernel of this report object, in the
    order in which the compiler tried them, and those of `caps` (registers)."""
    found = [Choice.of(v) for v in record.get("variants", [])
             if v["decision"] != STOCK.decision and "refused" not in v]
    if not found and not caps and record["limiter_before"] == "registers":
        # Above twice the pressure a cap has never been seen to bind.
        caps = [c for c in SWEEP if c < 2 * record["pressure_before"]]
    for cap in caps:
        found.append(Choice("cap", max_regs=cap))
        if (record["pressure_before"] > cap - HEADROOM
                and record["block_size_from"] != "assumed"):
            found += [Choice("demote", max_regs=cap, target=cap - HEADROOM,
                             strategy=strategy)
                      for strategy in ("resident", "belady")]
    return list(dict.fromkeys(found))
