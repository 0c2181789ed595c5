# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What CI is to be told: faults that --fail-on names, faults that cannot be
judged, and kernels that use local memory, each at its source line."""

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
WITHOUT_BASE = ("any-spill", "any-local")  # what compares with nothing
UNKNOWN = "unknown-figures"  # a fault of `fail_on` cannot be judged
LOCAL_MEMORY = "local-memory"  # what is worth a note, if it is no fault


@dataclass
class Finding:
    kernel: object
    rule: str
    text: str
    is_fault: bool


def _figures(kernel):
    chosen = kernel.chosen
    return (f"{kernel.short} ({kernel.arch}): {chosen['regs']} registers, {spill(chosen)} bytes "
            f"of spill code, {local(chosen)} bytes a thread in local memory, "
            f"{chosen['blocks_per_sm']} blocks/SM; RegDem: {words.done(kernel)}")


def _unknown(kernel, fail_on, knows_base):
    """The finding that faults of `fail_on` cannot be judged, or None."""
    if kernel.is_plain or (kernel.chosen and knows_base):
        return None
    names = [n for n in fail_on if not kernel.chosen or n not in WITHOUT_BASE]
    if not names:
        return None
    whose = "its figures" if not kernel.chosen else "the figures that it is compared with"
    return Finding(kernel, UNKNOWN,
                   f"{whose} are not known, so that {', '.join(names)} cannot be judged: "
                   f"{kernel.short} ({kernel.arch}). They are ptxas's: compile with -O3, where "
                   "RegDem finds ptxas, and with enough of its budget and effort. "
                   f"RegDem: {words.done(kernel)}; {kernel.reason}", True)


def of_kernel(kernel, fail_on, base, knows_base=True):
    """Findings of a kernel; base: the figures that it is compared with, or None;
    knows_base: false if it is compared with a build whose figures are not known."""
    unknown = _unknown(kernel, fail_on, knows_base)
    found = [unknown] if unknown else []
    if not kernel.chosen:
        return found
    found += [Finding(kernel, name, f"{FAULTS[name][0]}: {_figures(kernel)}", True)
              for name in fail_on if FAULTS[name][1](base, kernel.chosen)]
    if not found and local(kernel.chosen):
        found.append(Finding(kernel, LOCAL_MEMORY,
                             " ".join([_figures(kernel) + ".", *advice(kernel)]), False))
    return found


def without_base(fail_on):
    """Those of `fail_on` that compare with nothing."""
    return [name for name in fail_on if name in WITHOUT_BASE]


def of_report(kernels, fail_on):
    """Findings of kernels, compared with stock's builds of the same report: one
    that stays as it is is no worse."""
    found = []
    for kernel in kernels:
        stays = not kernel.chosen and kernel.raw["decision"] == "stock"
        found += of_kernel(kernel, without_base(fail_on) if stays else fail_on, kernel.stock)
    return found
