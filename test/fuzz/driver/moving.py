"""Compiles kernels under caps and has regdem-finish move their frames."""

import dataclasses
import json
import os
import re
import shutil
import tempfile

from kernelgen import unit
from kernelgen.family import MAX_DYNAMIC_BYTES, Contents

from . import capping, moved_code
from .files import read, write
from .result import Result
from .toolchain import Toolchain


@dataclasses.dataclass
class Mover:
    """finisher, nvdisasm: paths; builds: of each kernel whose frame may be
    moved; gpu: folder for the cubins of a GPU run, or None; compare: whether
    the machine code of moved kernels is compared with what it was made from;
    keep: folder for what fails, or None; options: of regdem-finish."""
    tools: Toolchain
    finisher: str
    nvdisasm: str
    builds: int = 1
    contents: Contents = Contents()
    gpu: str = None
    compare: bool = False
    keep: str = None
    options: tuple = ()

    def check(self, seeds):
        """A Result: 'reports' has a build's frame with "moved" and "reason",
        and "demote" for "decision" if it was moved; 'metadata' is of all
        builds that were assembled."""
        result = Result()
        kernels = [k for k in unit.generate(seeds, self.contents)
                   if k.shape.threads <= capping.MOST_THREADS]
        with tempfile.TemporaryDirectory(prefix="regdem-moved-") as folder:
            source = os.path.join(folder, "kernels.cu")
            path = os.path.join(folder, "kernels.ptx")
            if not kernels:
                return result
            write(source, unit.source(kernels))
            outcome = self.tools.stock(kernels[0].family, source, path)
            if not outcome.ok:
                result.failures.append((seeds[0], "stock clang",
                                        outcome.headline()))
                return result
            ptx = read(path)
            self._build(ptx, [capping.Build(k, 0) for k in kernels], folder,
                        result)
            further = [capping.Build(k, number) for k in kernels
                       if _may_move(result.reports.get(
                           capping.Build(k, 0).name))
                       for number in range(1, self.builds)]
            if further:
                self._build(ptx, further, folder, result)
        return result

    def _build(self, ptx, builds, folder, result):
        """Assembles and finishes the builds as one program. Where that fails,
        the builds that it fails for are found by halves."""
        path = {n: os.path.join(folder, n) for n in (
            "stock.ptx", "stock.cubin", "regdem.cubin", "report.jsonl")}
        for name in path.values():
            if os.path.exists(name):
                os.remove(name)
        write(path["stock.ptx"], capping.edit(ptx, builds))
        outcome = self.tools.assemble(path["stock.ptx"], path["stock.cubin"])
        found = result.skipped
        if outcome.ok:
            outcome = self._finish(path)
            found = result.failures
        if not outcome.ok:
            if len(builds) > 1:
                for part in (builds[::2], builds[1::2]):
                    self._build(ptx, part, folder, result)
                return
            if found is result.skipped:
                found.append((builds[0].kernel.seed, outcome.headline()))
            else:
                self._failed(builds[0].name, "regdem-finish",
                             outcome.headline(), path, result)
            return
        reports = _reports(path["report.jsonl"])
        refused = _refused(reports)
        if refused:
            result.reports[refused] = reports[refused]
            result.metadata.update({b.name: b.metadata() for b in builds})
            self._build(ptx, [b for b in builds if b.name != refused], folder,
                        result)
            return
        result.reports.update(reports)
        result.metadata.update({b.name: b.metadata() for b in builds})
        moved = [b for b in builds if b.name in reports
                 and reports[b.name]["moved"]]
        if self.compare and moved:
            self._compare(moved, path, result)
        if self.gpu and moved:
            self._emit(moved, path, result)

    def _finish(self, path):
        return self.tools.run([
            self.finisher, path["stock.cubin"], "-o", path["regdem.cubin"],
            "--report=" + path["report.jsonl"], "--ptxas=" + self.tools.ptxas,
            "--all", "--min-blocks=1",
            "--dynamic-smem=%d" % MAX_DYNAMIC_BYTES, *self.options])

    def _compare(self, moved, path, result):
        listings = []
        for name in ("stock.cubin", "regdem.cubin"):
            outcome = self.tools.run([self.nvdisasm, path[name]])
            if not outcome.ok:
                self._failed(moved[0].name, "nvdisasm", outcome.headline(),
                             path, result)
                return
            listings.append(moved_code.read(outcome.text))
        for build in moved:
            report = result.reports[build.name]
            wrong = moved_code.difference(
                *(kernels.get(build.name) for kernels in listings),
                report["moved_bytes"] < report["frame_bytes"])
            if wrong:
                self._failed(build.name, "machine code", wrong, path, result)

    def _emit(self, moved, path, result):
        """Cubins for a launch of the moved kernels."""
        names = [b.name for b in moved]
        stem = names[0]
        for name in ("stock.ptx", "stock.cubin", "regdem.cubin"):
            shutil.copyfile(path[name], os.path.join(
                self.gpu, "%s.%s" % (stem, name)))
        result.pairs.append((stem, names))

    def _failed(self, name, oracle, text, path, result):
        seed = int(name.split("_")[1])
        result.failures.append((seed, oracle, "%s: %s" % (name, text)))
        if self.keep:
            target = os.path.join(self.keep, name)
            os.makedirs(target, exist_ok=True)
            for file in path.values():
                if os.path.exists(file):
                    shutil.copy(file, target)


def _reports(path):
    """Kernel -> what regdem-finish says of its frame."""
    reports = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                entry = json.loads(line)
                entry["decision"] = "demote" if entry["moved"] else "stock"
                reports[entry["kernel"]] = entry
    return reports


def _may_move(report):
    """Whether the kernel's frame may be moved under another cap, after what
    became of it under one."""
    return (report is None or report["moved"]
            or "do not fit" in report["reason"])


def _refused(reports):
    """The kernel for which the checker refused the program, if others stay
    for it."""
    for name, entry in reports.items():
        match = re.search(r"the checker refused: kernel '(\w+)'",
                          entry["reason"])
        if match and match.group(1) != name:
            return match.group(1)
    return None
