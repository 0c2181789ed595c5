# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A profile from what a program's launches measured (docs/launch.md)."""

import os

from regdem_common import launch_log, names
from regdem_common.tool import UserError

from .choice import STOCK, Choice
from .files import entry, other_entries, read_report, write_profile
from .table import name_of, progress


# With so many registers, all blocks can be launched that a GPU has threads for.
REGS_OF_ANY_LAUNCH = 64


class _Several(Exception):
    """The report has several kernels of one name, as of several files."""


def _record(records, name, arch):
    """The report's object for a kernel or build; None if there is none."""
    found = [(k, r) for k, r in records.items()
             if k.name == names.stable(name) and arch in (None, k.arch)]
    exact = [(k, r) for k, r in found
             if names.base(r["kernel"]) == names.base(name)]
    found = exact or found
    if len({k.arch for k, _ in found}) > 1:
        raise UserError(f"the report has '{name}' for several architectures: "
                        "state the GPU's with --arch")
    if len(found) > 1:
        raise _Several
    return found[0][1] if found else None


def _why_not_everywhere(variants, chosen):
    """Why the build cannot take the kernel's place at all launches, or None."""
    stock = next((v for v in variants if v["decision"] == "stock"), chosen)
    if (chosen["decision"] in ("demote", "pragma") or chosen["smem_spilling"]
            or chosen["moved_frame_bytes"] > 0 or chosen["smem"] > stock["smem"]):
        return "the build that wins takes shared memory for the block"
    if chosen["regs"] > max(stock["regs"], REGS_OF_ANY_LAUNCH):
        return "the build that wins takes too many registers for larger blocks"
    return None


def _choose(records, name, arch, winners):
    """The choice for a kernel of which `winners` won; or None and why not."""
    if winners == {0}:
        return STOCK, None
    if len(winners) > 1:
        return None, "builds and the kernel win at some launches each"
    build = f"{name}$regdem{min(winners)}"
    record = _record(records, build, arch)
    chosen = record and next((v for v in record["variants"] if v["chosen"]), None)
    if not chosen:
        raise UserError(f"the report has no '{build}': give the one of the "
                        "compilation whose program was run")
    why_not = _why_not_everywhere(record["variants"], chosen)
    return (None, why_not) if why_not else (Choice.of(chosen), None)


def _settle(records, name, arch, winners):
    """(the kernel, its choice or None, why there is none)."""
    record = _record(records, name, arch)
    if not record:
        raise UserError(f"the report has no '{name}': give the one of the "
                        "compilation whose program was run")
    kernel = next(k for k, r in records.items() if r is record)
    return kernel, *_choose(records, name, arch, winners)


def from_launches(o):
    """Writes entries for kernels of which one build, or the kernel itself, won
    at all launches that were measured. All other launches go on choosing."""
    if not os.path.exists(o.report):
        raise UserError(f"cannot read '{o.report}': no such file")
    records = read_report(o.report)
    log = launch_log.read([o.launch_log])
    measured = {name: [launches for launches in of_sizes if launches.winners]
                for name, of_sizes in log.items()}
    if not any(measured.values()):
        raise UserError(
            f"'{o.launch_log}' has no measured launches: run the program with "
            "REGDEM_LAUNCH=measure until its launches have been repeated 16 times")
    entries = []
    for name, of_sizes in measured.items():
        if not of_sizes or not o.kernels.search(name):
            continue
        winners = set().union(*(launches.winners for launches in of_sizes))
        try:
            kernel, choice, why_not = _settle(records, name, o.arch, winners)
        except _Several:
            progress(f"{name}: launches go on choosing: the report has several "
                     "kernels of this name, of several files or of a source "
                     "that has changed")
            continue
        if choice is None:
            progress(f"{name_of(kernel)}: launches go on choosing: {why_not}")
            continue
        pairs = [pair for launches in of_sizes for pair in launches.pairs]
        stock, built = (round(sum(column), 6) for column in zip(*pairs))
        time = {"unit": "ms", "stock": stock,
                "chosen": stock if choice == STOCK else built}
        progress(f"{name_of(kernel)}: {choice}: {stock:g} ms as the kernel, "
                 f"{built:g} ms as its build")
        entries.append(entry(kernel, choice, time=time))
    kept = []
    if o.update:
        kept = other_entries(o.output,
                             {(e["kernel"], e["arch"]) for e in entries})
    write_profile(o.output, kept + entries)
    progress(f"{len(kept + entries)} entries in '{o.output}': compile with "
             f"-mllvm -regdem-profile={o.output}")
