# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuning in steps: list the kernels, build their variants, measure them."""

import dataclasses
import os
import re

from regdem_common.tool import UserError

from .builder import BuildFailed, problem
from .candidates import candidates
from .choice import STOCK, Choice, Kernel
from .files import read_json, write_json
from .table import name_of, progress

PLAN_VERSION = 1
PLAN_FILE = "tune.json"


@dataclasses.dataclass
class Variant:
    """One build of the program, in which one kernel has `choice`."""
    choice: Choice
    folder: str = ""
    problem: str = ""  # Why there is none.


@dataclasses.dataclass
class Listing:
    """What there is to tune: the stock build, and each kernel's candidates."""
    stock: str
    candidates: dict                 # {Kernel: [Choice]}
    declined: dict                   # {Kernel: reason}


def select(records, pattern, arch):
    """The report's kernels that are to be tuned."""
    if not records:
        raise UserError(
            "the build command wrote no report: put {flags} where clang's "
            "options go, or let the build use $REGDEM_FLAGS, and load the "
            "plugin with -fpass-plugin=RegDem.so")
    architectures = sorted({k.arch for k in records})
    if arch is None and len(architectures) > 1:
        raise UserError("the build compiles for " + ", ".join(architectures) +
                        ": say with --arch which one the GPU runs")
    found = {k: r for k, r in records.items()
             if (arch is None or k.arch == arch) and re.search(pattern, k.name)}
    if not found:
        names = ", ".join(sorted({k.name for k in records}))
        raise UserError(f"no kernel is selected; the build has {names} for " +
                        ", ".join(architectures))
    return found


def list_kernels(builder, pattern, arch, caps):
    """Builds twice: as the compiler decides by itself, which names candidates,
    and with every kernel as in a stock build."""
    try:
        progress("building, to list the kernels")
        _, normal = builder.build({})
        found = select(normal, pattern, arch)
        progress("building with all of them left as they are")
        stock = {k: STOCK for k in found}
        folder, records = builder.build(stock)
    except BuildFailed as fault:
        raise UserError(str(fault))
    declined = {k: records[k]["reason"] for k in found
                if problem(k, STOCK, records)}
    return Listing(folder, {k: candidates(r, caps) for k, r in found.items()
                            if k not in declined}, declined)


def build_variants(builder, kernel, choices, base):
    """Builds the program for each of `choices` of `kernel`, the other kernels
    being as in `base`, {Kernel: Choice}."""
    variants = []
    for number, choice in enumerate(choices, 1):
        progress(f"{name_of(kernel)}: building {number} of {len(choices)}: "
                 f"{choice}")
        try:
            folder, records = builder.build({**base, kernel: choice})
            fault = problem(kernel, choice, records)
            variants.append(Variant(choice, folder, fault or ""))
        except BuildFailed as fault:
            variants.append(Variant(choice, "", str(fault)))
    return variants


def pick(measurement, kernel, base, variants):
    """Measures `variants` against the build in `base`, and the fastest of them
    once more. Returns the base's figure, {index: Result}, and the index of the
    winner; none where no variant is faster beyond the noise both times."""
    built = {v.folder: n for n, v in enumerate(variants) if not v.problem}
    if not built:
        progress(f"{name_of(kernel)}: no variant to measure")
        return None, {}, None
    progress(f"{name_of(kernel)}: measuring {len(built)} variants")
    figure, results = measurement.measure(base, list(built))
    faster = [f for f, r in results.items()
              if not r.problem and r.comparison.is_faster]
    numbered = {built[f]: r for f, r in results.items()}
    if not faster:
        return figure, numbered, None
    best = max(faster, key=lambda f: results[f].comparison.gain)
    progress(f"{name_of(kernel)}: measuring {variants[built[best]].choice} again")
    figure, again = measurement.measure(base, [best])
    numbered[built[best]] = again[best]
    if again[best].problem or not again[best].comparison.is_faster:
        return figure, numbered, None
    return figure, numbered, built[best]


def write_plan(folder, listing, variants, artifacts):
    """Writes what --measure-only needs; folders are relative to `folder`."""
    def relative(path):
        return os.path.relpath(path, folder) if path else ""

    write_json(os.path.join(folder, PLAN_FILE), {
        "version": PLAN_VERSION, "stock": relative(listing.stock),
        "artifacts": artifacts,
        "kernels": [{
            **dataclasses.asdict(kernel),
            "variants": [{**dataclasses.asdict(v),
                          "folder": relative(v.folder)} for v in built]}
            for kernel, built in variants.items()]})


def read_plan(folder):
    """The stock build's folder, {Kernel: [Variant]} and the artifacts."""
    path = os.path.join(folder, PLAN_FILE)
    plan = read_json(path)
    folder = os.path.abspath(folder)
    try:
        if plan["version"] != PLAN_VERSION:
            raise UserError(f"'{path}' is of version {plan['version']}, not "
                            f"{PLAN_VERSION}")
        variants = {
            Kernel(k["name"], k["arch"], k["hash"]):
                [Variant(Choice(**v["choice"]),
                         v["folder"] and os.path.join(folder, v["folder"]),
                         v["problem"]) for v in k["variants"]]
            for k in plan["kernels"]}
        return (os.path.join(folder, plan["stock"]), variants,
                plan["artifacts"])
    except (KeyError, TypeError) as fault:
        raise UserError(f"'{path}' is not from --build-only: {fault!r}")
