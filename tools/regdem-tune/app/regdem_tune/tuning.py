# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The three ways to tune: in one step, building only, measuring only."""

import os
import tempfile

from regdem_common.tool import UserError

from .builder import Builder, put_in_place
from .choice import STOCK
from .command import device_name
from .files import (entry, is_stream, other_entries, read_bytes, write_bytes,
                    write_profile)
from .measurement import Measurement
from .runner import Runner
from .stages import (build_variants, list_kernels, pick, read_plan,
                     write_plan)
from .table import name_of, print_kernel, progress


class Recorder:
    """Collects the choices and writes the profile after each of them, so that
    what was measured survives an interruption. A failure leaves the file as it
    was."""

    def __init__(self, options, kernels, device):
        self.path = options.output
        self.unit = options.metric.pattern if options.metric else "s"
        self.runs = options.runs
        self.device = device
        self.entries = []
        self.before = None  # What the file held.
        self.is_stream = is_stream(self.path)
        if os.path.exists(self.path) and not self.is_stream:
            self.before = read_bytes(self.path)
        if options.update:
            self.entries = other_entries(self.path,
                                         {(k.name, k.arch) for k in kernels})

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None or not issubclass(kind, UserError) or self.is_stream:
            return
        if self.before is not None:
            write_bytes(self.path, self.before)
        elif os.path.exists(self.path):
            os.remove(os.path.realpath(self.path))

    def add(self, kernel, variants, figure, results, winner):
        print_kernel(kernel, figure, variants, results, winner, self.unit)
        if figure is None:  # Nothing was measured, so nothing is known.
            return
        choice = STOCK if winner is None else variants[winner].choice
        time = {"unit": self.unit, "runs": self.runs, "stock": figure,
                "chosen": figure}
        if winner is not None:
            time["chosen"] = results[winner].figure
            time["noise"] = round(results[winner].comparison.noise, 5)
        self.entries.append(
            entry(kernel, choice, device=self.device, time=time))
        if not self.is_stream:  # That gets the whole profile once.
            write_profile(self.path, self.entries)

    def finish(self, kernels):
        """Ends a run over `kernels`, {Kernel: [anything to measure]}."""
        write_profile(self.path, self.entries)
        if not any(kernels.values()):
            progress(NOTHING_TO_TUNE)
        progress(f"{len(self.entries)} entries in '{self.path}': compile with "
                 f"-mllvm -regdem-profile={self.path}")


NOTHING_TO_TUNE = "nothing to tune: no kernel has a variant to measure"


def _device(o):
    """The name of the GPU, without which times mean nothing."""
    name = o.device or device_name()
    if not name:
        raise UserError("no GPU to measure on: nvidia-smi names none (state "
                        "its name with --device if there is one)")
    return name


def _measurement(o, artifacts):
    runner = Runner(o.run, artifacts, o.metric, o.ignore, o.compare,
                    o.no_compare, o.run_timeout)
    if not artifacts and not runner.names_folder():
        raise UserError("--run does not say which build to run: use {dir}")
    return Measurement(runner, o.runs, o.higher_is_better)


def _show_declined(listing):
    for kernel, reason in listing.declined.items():
        progress(f"{name_of(kernel)}: left as it is: {reason}")


def tune(o):
    """Kernels one after the other, each with the choices made so far for those
    before it; then all choices together against the stock build."""
    device = _device(o)
    measurement = _measurement(o, o.artifact)
    with tempfile.TemporaryDirectory(prefix="regdem-tune.") as work:
        builder = Builder(o.build, work, o.artifact)
        listing = list_kernels(builder, o.kernels, o.arch, o.caps)
        _show_declined(listing)
        measurement.try_stock(listing.stock)
        with Recorder(o, listing.candidates, device) as recorder:
            folder = _tune_each(builder, listing, measurement, recorder)
            recorder.finish(listing.candidates)
        put_in_place(o.artifact, folder)


def _tune_each(builder, listing, measurement, recorder):
    """Returns the folder of the build with all choices."""
    base = {k: STOCK for k in listing.candidates}
    folder = listing.stock
    for kernel, choices in listing.candidates.items():
        variants = build_variants(builder, kernel, choices, base)
        figure, results, winner = pick(measurement, kernel, folder, variants)
        recorder.add(kernel, variants, figure, results, winner)
        if winner is not None:
            base[kernel] = variants[winner].choice
            folder = variants[winner].folder
    if folder != listing.stock:
        _, results = measurement.measure(listing.stock, [folder])
        if results[folder].problem:
            raise UserError("all choices together: "
                            f"{results[folder].problem}")
        _show_total(results[folder].comparison)
    return folder


def _show_total(comparison):
    print(f"all choices together: {comparison.speedup:.3f} times as fast as "
          f"stock, ±{comparison.noise * 100:.1f} %")


def build_only(o):
    """All variants on top of stock, for measure_only() on another machine. The
    user finds stock's build."""
    try:
        os.makedirs(o.build_only, exist_ok=True)
    except OSError as problem:
        raise UserError(f"cannot make '{o.build_only}': {problem.strerror}")
    builder = Builder(o.build, o.build_only, o.artifact)
    listing = list_kernels(builder, o.kernels, o.arch, o.caps)
    _show_declined(listing)
    base = {k: STOCK for k in listing.candidates}
    variants = {k: build_variants(builder, k, choices, base)
                for k, choices in listing.candidates.items()}
    write_plan(o.build_only, listing, variants, o.artifact)
    put_in_place(o.artifact, listing.stock)
    if any(not v.problem for built in variants.values() for v in built):
        progress(f"measure with --measure-only {o.build_only}")
    else:
        progress(NOTHING_TO_TUNE + " (--caps adds some)")


def measure_only(o):
    """Each kernel's variants against the stock build."""
    device = _device(o)
    stock, kernels, artifacts = read_plan(o.measure_only)
    measurement = _measurement(o, artifacts)
    measurement.try_stock(stock)
    with Recorder(o, kernels, device) as recorder:
        for kernel, variants in kernels.items():
            recorder.add(kernel, variants,
                         *pick(measurement, kernel, stock, variants))
        recorder.finish(kernels)
