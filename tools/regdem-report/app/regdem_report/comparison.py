# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What has changed from one report to another."""

from regdem_common import words
from regdem_common.records import local, spill

from .findings import of_kernel, without_base


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


def _marks(found):
    names = [f.rule for f in found if f.is_fault]
    return f"  [{', '.join(names)}]" if names else ""


def _of_both(old, new, fail_on):
    """(line or '', findings) of a kernel that both reports have"""
    if not old.chosen and not new.chosen and old.raw.get("hash") == new.raw.get("hash"):
        fail_on = without_base(fail_on)  # Its code has not changed.
    found = of_kernel(new, fail_on, old.chosen, knows_base=old.is_plain or bool(old.chosen))
    text, marks = _line(old, new), _marks(found)
    if not text and not marks:
        return "", found
    return (f"{'!' if marks else ' '} {new.short} ({new.arch}): {text or 'as before'}{marks}",
            found)


def compare(old, new, fail_on):
    """(lines, findings of the kernels of `new`)"""
    before, after = _by_key(old), _by_key(new)
    lines, findings = [], []
    for key in sorted(before.keys() | after.keys()):
        one, other = before.get(key), after.get(key)
        if not other:
            lines.append(f"- {one.short} ({one.arch})")
            continue
        if one:
            line, found = _of_both(one, other, fail_on)
        else:
            found = of_kernel(other, fail_on, None)
            line = f"+ {other.short} ({other.arch}){_marks(found)}"
        lines += [line] if line else []
        findings += found
    return lines or ["no kernel has changed"], findings
