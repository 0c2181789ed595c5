"""Compiles one file of kernels and applies the oracles to it.

A failure in a file of several kernels is looked for in each kernel alone, so
that failures carry seeds.
"""

import dataclasses
import os
import shlex
import shutil
import tempfile

from kernelgen import unit
from kernelgen.family import Contents

from . import cpu_run, figures, fusing
from .files import write
from .result import Result
from .toolchain import Outcome, Toolchain


@dataclasses.dataclass
class Oracles:
    """keep: folder for failing cases or None; gpu: folder for cubins or
    None; keep_ptx: whether the PTX goes there too; cpu: whether the PTX is
    run on the CPU; contents: what the kernels are like; nvdisasm: path of
    the program by which the machine code is compared, or None."""
    tools: Toolchain
    keep: str = None
    gpu: str = None
    keep_ptx: bool = False
    cpu: bool = False
    contents: Contents = Contents()
    nvdisasm: str = None

    def check(self, seeds):
        kernels = unit.generate(seeds, self.contents)
        with tempfile.TemporaryDirectory(prefix="regdem-fuzz-") as folder:
            result, failed = self._check_file(kernels, folder)
        if failed is None:
            return result
        if len(seeds) == 1:
            return result
        alone = Result()
        for seed in seeds:
            alone.merge(self.check([seed]))
        if not alone.failures and not alone.skipped:
            alone.failures = [(seeds[0], failed[0] + " (only as a batch of %d)"
                               % len(seeds), failed[1])]
        return alone

    def _check_file(self, kernels, folder):
        """The result, and (oracle, headline) of a failure or None."""
        family, tools, result = kernels[0].family, self.tools, Result()
        path = {n: os.path.join(folder, n) for n in (
            "kernels.cu", "stock.ptx", "stock.cubin", "regdem.ptx",
            "regdem.cubin", "report.jsonl")}
        write(path["kernels.cu"], unit.source(kernels))
        result.metadata = {k.name: k.metadata() for k in kernels}

        def failure(oracle, outcome, command):
            self._keep(kernels, folder, oracle, outcome, command)
            result.failures = [(kernels[0].seed, oracle, outcome.headline())]
            return result, (oracle, outcome.headline())

        def skip(outcome):
            result.skipped = [(kernels[0].seed, outcome.headline())]
            return result, ("skipped", outcome.headline())

        outcome = tools.stock(family, path["kernels.cu"], path["stock.ptx"])
        if not outcome.ok:
            return failure("stock clang", outcome, tools.base_command(family))
        if tools.plugin is None or self.gpu:
            outcome = tools.assemble(path["stock.ptx"], path["stock.cubin"])
            if not outcome.ok:
                return skip(outcome) if outcome.crashed else failure(
                    "stock ptxas", outcome, [])
            result.stock = figures.ptxas_figures(outcome.text)
        if tools.plugin is None:
            return result, None
        command = tools.base_command(family) + tools.plugin_flags(
            family, "report.jsonl")
        outcome = tools.regdem(family, path["kernels.cu"], path["regdem.ptx"],
                               path["report.jsonl"])
        if not outcome.ok:
            return failure("compile", outcome, command)
        try:
            result.reports = figures.read_report(path["report.jsonl"])
        except ValueError as error:
            return failure("report", Outcome(1, "error: %s" % error), command)
        outcome = tools.assemble(path["regdem.ptx"], path["regdem.cubin"])
        if not outcome.ok:
            if outcome.crashed and self._stock_crashes(family, path):
                return skip(outcome)
            return failure("ptxas", outcome, command)
        result.regdem = figures.ptxas_figures(outcome.text)
        for name, entry in sorted(result.reports.items()):
            wrong = figures.contradiction(entry, result.metadata[name],
                                          result.regdem.get(name))
            if wrong:
                return failure("figures", Outcome(1, wrong), command)
        result.read_again = figures.read_again(path["stock.ptx"],
                                               path["regdem.ptx"])
        wrong = self.cpu and cpu_run.compare(
            tools, [path["stock.ptx"], path["regdem.ptx"]], kernels, folder)
        if wrong:
            return failure("cpu", Outcome(1, wrong), command)
        if self.nvdisasm:
            result.fusing = fusing.compare(tools, self.nvdisasm, folder,
                                           kernels, result.reports)
        if self.gpu:
            self._emit(kernels, path, result)
        return result, None

    def _stock_crashes(self, family, path):
        """Whether ptxas crashes without RegDem too, with or without the cap."""
        return any(self.tools.assemble(path["stock.ptx"], path["stock.cubin"],
                                       extra).crashed
                   for extra in ([], ["-maxrregcount=%d" % family.cap]))

    def _emit(self, kernels, path, result):
        stem = "k%d" % kernels[0].seed
        kinds = ("cubin", "ptx") if self.keep_ptx else ("cubin",)
        for name in [s + "." + k for s in ("stock", "regdem") for k in kinds]:
            shutil.copyfile(path[name], os.path.join(
                self.gpu, "%s.%s" % (stem, name)))
        result.pairs.append((stem, [k.name for k in kernels]))

    def _keep(self, kernels, folder, oracle, outcome, command):
        if self.keep is None or len(kernels) > 1:
            return
        target = os.path.join(self.keep, "seed_%d" % kernels[0].seed)
        os.makedirs(target, exist_ok=True)
        for name in sorted(os.listdir(folder)):
            shutil.copyfile(os.path.join(folder, name),
                            os.path.join(target, name))
        write(os.path.join(target, "failure.txt"),
              "oracle: %s\ncommand: %s -S kernels.cu\n\n%s" % (
                  oracle, " ".join(shlex.quote(c) for c in command),
                  outcome.text))
