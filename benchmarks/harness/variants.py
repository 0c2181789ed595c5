# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways in which one kernel is built, and the building of each.

Variant names: the compiler (nvcc, clang, regdem), then what was asked of
ptxas: -rN a cap of N registers, -pragma spilling to shared memory, -b1 a
minimum of one block (which avoids ptxas's register cliff). In front, moved-
stands for frames that regdem-finish has moved to shared memory; regdem-nvcc
for nvcc's PTX as regdem-ptxas assembles it, -tN where it is told of N threads
a block that the kernel does not state. Of the set
arrays, regdem-arrays lets `auto` take arrays out of local memory, and
regdem-lowered takes out all that may leave, whether or not that pays.
"""

import hashlib
from dataclasses import asdict, dataclass, field, replace

from regdem_common.occupancy import blocks_per_sm, register_steps

from . import ptx
from .toolchain import ToolError

# Macros of common/Kernel.h: the one that asks for blocks on a multiprocessor,
# and the one that leaves launch bounds out.
MIN_BLOCKS = "BENCH_MIN_BLOCKS="
NO_BOUNDS = "BENCH_NO_BOUNDS"

# Names and options. A stated rewrite is done wherever it can be.
ARRAY_VARIANTS = (
    ("regdem-arrays", {"mode": "auto", "arrays": "auto"}),
    ("regdem-lowered", {"build": "cap=255 rewrites=lower-arrays"}),
)

SWEEP = (32, 40, 48, 56, 64, 72, 80, 96, 128, 168)


@dataclass
class Built:
    """One variant of one benchmark. `error` is set if it could not be built;
    nothing else but `name` and `family` counts then."""

    name: str
    family: str  # results are compared bit for bit within a family
    cubin: object = None  # Path
    figures: object = None  # toolchain.Figures
    blocks_per_sm: int = 0
    report: list = field(default_factory=list)
    error: str = ""

    def as_json(self, root):
        if self.error:
            return {
                "name": self.name,
                "family": self.family,
                "error": self.error,
            }
        data = {
            "name": self.name,
            "family": self.family,
            "cubin": str(self.cubin.relative_to(root)),
            "sha256": hashlib.sha256(self.cubin.read_bytes()).hexdigest(),
            "blocks_per_sm": self.blocks_per_sm,
            **asdict(self.figures),
        }
        if self.report:
            data["regdem"] = self.report
        return data


def demotion(bench, cap):
    """(benchmark, options of RegDem) to demote until a cap is reached. A kernel
    without launch bounds gets its block size by option, as RegDem's users have
    to give it; one that states a minimum of blocks is compiled without it, as
    the other builds with a cap are."""
    options = {"mode": "demote", "max-regs": cap}
    if not bench.bounds:
        options["block-size"] = bench.block
    defines = tuple(d for d in bench.defines if not d.startswith(MIN_BLOCKS))
    return replace(bench, defines=defines), options


def without_bounds(bench):
    """The benchmark without launch bounds, as much code is written."""
    return replace(bench, defines=bench.defines + (NO_BOUNDS,), bounds=False)


class Builder:
    """Builds variants of one benchmark into `folder`."""

    def __init__(self, tools, bench, folder):
        self.tools = tools
        self.bench = bench
        self.folder = folder
        self.stock = {}  # compiler -> PTX text
        folder.mkdir(parents=True, exist_ok=True)

    def _built(self, name, family, cubin, figures, report=()):
        blocks = blocks_per_sm(
            self.tools.arch, self.bench.block, figures.regs, figures.smem
        )
        return Built(name, family, cubin, figures, blocks, list(report))

    def _assemble(self, name, family, path):
        cubin = self.folder / f"{name}.cubin"
        return self._built(name, family, cubin,
                           self.tools.assemble(path, cubin))

    def _stock_text(self, compiler):
        if compiler not in self.stock:
            path = self.folder / f"{compiler}.stock.ptx"
            if compiler == "nvcc":
                self.tools.nvcc_ptx(self.bench, path)
            else:
                self.tools.clang_ptx(self.bench, path)
            self.stock[compiler] = path.read_text()
        return self.stock[compiler]

    def stock_variant(self, compiler, cap=None, pragma=False, min_blocks=None):
        """The PTX of `compiler` with directives added and nothing else."""
        name = compiler
        if min_blocks:
            name += f"-b{min_blocks}"
        if cap:
            name += f"-r{cap}"
        if pragma:
            name += "-pragma"
        try:
            path = self.folder / f"{name}.ptx"
            path.write_text(
                ptx.edit(self._stock_text(compiler), cap, min_blocks, pragma)
            )
            return self._assemble(name, compiler, path)
        except ToolError as error:
            return Built(name, compiler, error=str(error))

    def _finish(self, built, name, forced):
        """`built` with its frames in shared memory, as a build called `name`;
        None where it has none or one that stays."""
        if built.error or not built.figures.stack or not self.tools.finisher:
            return None
        try:
            cubin = self.folder / f"{name}.cubin"
            figures = self.tools.finish(built.cubin, built.figures, cubin,
                                        forced)
        except ToolError as error:
            return Built(name, built.family, error=str(error))
        if not figures:
            cubin.unlink()
            return None
        return self._built(name, built.family, cubin, figures)

    def moved_variant(self, built):
        """`built` with its frames in shared memory, whether or not it pays."""
        return self._finish(built, f"moved-{built.name}", forced=True)

    def regdem_variant(self, name, options, bench=None):
        """clang with RegDem; `options` as for Toolchain.regdem_ptx."""
        try:
            path = self.folder / f"{name}.ptx"
            report = self.tools.regdem_ptx(bench or self.bench, path, options)
            unfinished = self._assemble(f"{name}-unfinished", "clang", path)
            built = self._finish(unfinished, name, forced=False)
            if built:
                unfinished.cubin.unlink()
            else:
                built = replace(unfinished, name=name)
            built.report = report
            return built
        except ToolError as error:
            return Built(name, "clang", error=str(error))

    def decided_variant(self, cap=None, threads=None):
        """nvcc's PTX as regdem-ptxas, in nvcc's flow, has it assembled. With a
        cap it states no minimum of blocks, as that of the other builds."""
        name, options = "regdem-nvcc", {}
        if threads:
            name += f"-t{threads}"
            options["block-size"] = threads
        if cap:
            name += f"-r{cap}"
            options["max-regs"] = cap
        try:
            path = self.folder / f"{name}.ptx"
            text = self._stock_text("nvcc")
            path.write_text(ptx.without_minimum(text) if cap else text)
            cubin = self.folder / f"{name}.cubin"
            figures, report = self.tools.decide(path, cubin, options)
            return self._built(name, "nvcc", cubin, figures, report)
        except ToolError as error:
            return Built(name, "nvcc", error=str(error))

    def nvcc_sweep(self):
        """What users of nvcc may choose from, and what regdem-nvcc makes of the
        same code, with and without a cap."""
        default = self.stock_variant("nvcc")
        result = [default]
        if default.error:
            return result
        threads = [None] if self.bench.bounds else [None, self.bench.block]
        if self.bench.bounds:
            result.append(self.stock_variant("nvcc", min_blocks=1))
            result.append(self.stock_variant("nvcc", pragma=True))
        result += [self.decided_variant(threads=t) for t in threads]
        for cap in self._useful_caps(default):
            result.append(self.stock_variant("nvcc", cap))
            if self.bench.bounds:
                result.append(self.stock_variant("nvcc", cap, pragma=True))
            result += [self.decided_variant(cap, t) for t in threads]
        return result

    def sweep(self):
        """Every variant of the benchmark protocol."""
        result = []
        for compiler in ("nvcc", "clang"):
            if not getattr(self.tools, compiler):
                continue
            default = self.stock_variant(compiler)
            result.append(default)
            if default.error:
                continue
            result.append(self.stock_variant(compiler, min_blocks=1))
            result.append(self.stock_variant(compiler, pragma=True))
            for cap in self._useful_caps(default):
                result.append(self.stock_variant(compiler, cap))
                result.append(self.stock_variant(compiler, cap, pragma=True))
            moved = (self.moved_variant(built) for built in result
                     if built.family == compiler)
            result += [built for built in list(moved) if built]
        if self.tools.has_plugin:
            result += self._regdem_sweep(result)
        return result

    def unbounded_sweep(self):
        """What a kernel without launch bounds may be built as: no slots, whose
        region needs to know the threads, and no pragma, as for ptxas."""
        result = []
        for compiler in ("nvcc", "clang"):
            default = self.stock_variant(compiler)
            result.append(default)
            if default.error:
                continue
            for cap in self._useful_caps(default):
                result.append(self.stock_variant(compiler, cap))
        result.append(self.regdem_variant("regdem-auto", {"mode": "auto"}))
        return result

    @staticmethod
    def _useful_caps(default):
        """A cap that is not below the free choice changes nothing, unless the
        free choice spilled (then it is ptxas's cliff)."""
        spilled = default.figures.spill > 0
        return [c for c in SWEEP if c < default.figures.regs or spilled]

    def _regdem_sweep(self, stock):
        free = max(
            (b.figures.regs for b in stock if b.family == "clang" and b.cubin),
            default=0,
        )
        result = [self.regdem_variant("regdem-auto", {"mode": "auto"})]
        if self.bench.set == "arrays":
            result += [self.regdem_variant(*v) for v in ARRAY_VARIANTS]
        # Demotion cannot make up for more than twice the words that 48 KB of
        # static shared memory hold: lower caps would measure local memory.
        lowest = max(24, free - 2 * (48 * 1024 // 4 // self.bench.block))
        for cap in register_steps(self.tools.arch, self.bench.block, free):
            cap -= cap % 8
            if cap >= lowest:
                result.append(self.demoting(cap))
        return result

    def demoting(self, cap):
        """The build that demotes to reach a cap."""
        bench, options = demotion(self.bench, cap)
        return self.regdem_variant(f"regdem-r{cap}", options, bench)

    def at_cap(self, cap):
        """The demo's comparison: free, capped, pragma, RegDem."""
        result = []
        for compiler in ("nvcc", "clang"):
            if getattr(self.tools, compiler):
                result.append(self.stock_variant(compiler))
                result.append(self.stock_variant(compiler, cap))
        if self.tools.clang:
            result.append(self.stock_variant("clang", cap, pragma=True))
        if self.tools.has_plugin:
            result.append(self.demoting(cap))
        return result
