# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What has changed from one report to another."""

from regdem_common import words
from regdem_common.records import local, spill

from .findings import faults


def _by_key(kernels):
    """Kernels of one name in several files are told apart by their order."""
    found = {}
    for kernel in kernels:
        found.setdefault(kernel.key, []).append(kernel)
    return {(*key, n): k for key, group in found.items() for n, k in enumerate(group)}


def _line(old, new):
    def part(name, before, after):
        return f"{name} {before} → {after}" if before != after else ""

    before, after = old.chosen, new.chosen
    parts = [part("build", words.done(old), words.done(new))]
    if before and after:
        parts += [part("registers", before["regs"], after["regs"]),
                  part("spill", spill(before), spill(after)),
                  part("local", local(before), local(after)),
                  part("blocks/SM", before["blocks_per_sm"], after["blocks_per_sm"]),
                  part("shared", before["smem"], after["smem"])]
    elif bool(before) != bool(after):
        parts.append("figures are known of one build only")
    return ", ".join(filter(None, parts))


def figures_in(old):
    """A function that gives the figures that `old` has of a kernel, or None."""
    known = {k.key: k.chosen for k in old}
    return lambda kernel: known.get(kernel.key)


def compare(old, new, fail_on):
    """(lines, whether a fault of `fail_on` is among the changes)"""
    before, after = _by_key(old), _by_key(new)
    lines, failed = [], False
    for key in sorted(before.keys() | after.keys()):
        one, other = before.get(key), after.get(key)
        if not one or not other:
            kernel = one or other
            found = faults(None, other.chosen, fail_on) if other else []
            failed |= bool(found)
            lines.append(f"{'-' if one else '+'} {kernel.short} ({kernel.arch})"
                         + (f"  [{', '.join(found)}]" if found else ""))
            continue
        text = _line(one, other)
        found = faults(one.chosen, other.chosen, fail_on)
        failed |= bool(found)
        if text or found:
            lines.append(f"{'!' if found else ' '} {other.short} ({other.arch}): "
                         + (text or "as before")
                         + (f"  [{', '.join(found)}]" if found else ""))
    return lines or ["no kernel has changed"], failed
