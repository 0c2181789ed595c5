# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What CI is to be told: faults that --fail-on names, and kernels that use local
memory, each at its source line."""

from dataclasses import dataclass

from regdem_common import words
from regdem_common.records import local, spill

from .advice import advice

# Name of a fault, what it means, and whether it shows from figures to figures;
# `old` is None where there is nothing to compare with.
FAULTS = {
    "more-spill": ("more bytes of spill code to local memory",
                   lambda old, new: old and spill(new) > spill(old)),
    "more-local": ("more bytes a thread in local memory",
                   lambda old, new: old and local(new) > local(old)),
    "more-registers": ("more registers a thread",
                       lambda old, new: old and new["regs"] > old["regs"]),
    "fewer-blocks": ("fewer blocks per SM",
                     lambda old, new: old and new["blocks_per_sm"] < old["blocks_per_sm"]),
    "more-shared": ("more shared memory a block",
                    lambda old, new: old and new["smem"] > old["smem"]),
    "any-spill": ("spill code to local memory", lambda old, new: spill(new)),
    "any-local": ("local memory", lambda old, new: local(new)),
}
LOCAL_MEMORY = "local-memory"  # what is worth a note, if it is no fault


@dataclass
class Finding:
    kernel: object
    rule: str
    text: str
    is_fault: bool


def faults(old, new, fail_on):
    """Names of the faults of `fail_on` that a build has; old: of the figures that
    it is compared with, or None."""
    return [name for name in fail_on if new and FAULTS[name][1](old, new)]


def _figures(kernel):
    chosen = kernel.chosen
    return (f"{kernel.short} ({kernel.arch}): {chosen['regs']} registers, {spill(chosen)} bytes "
            f"of spill code, {local(chosen)} bytes a thread in local memory, "
            f"{chosen['blocks_per_sm']} blocks/SM; RegDem: {words.done(kernel)}")


def of_report(kernels, fail_on, base=None):
    """Findings of kernels; base(kernel) gives the figures to compare with,
    otherwise stock's of the same report."""
    found = []
    for kernel in kernels:
        if not kernel.chosen:
            continue
        old = base(kernel) if base else kernel.stock
        named = faults(old, kernel.chosen, fail_on)
        found += [Finding(kernel, name, f"{FAULTS[name][0]}: {_figures(kernel)}", True)
                  for name in named]
        if not named and local(kernel.chosen):
            found.append(Finding(kernel, LOCAL_MEMORY,
                                 " ".join([_figures(kernel) + ".", *advice(kernel)]), False))
    return found
