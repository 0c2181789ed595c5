# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compilers and the assembler: where they are and how they are called.

The only file that builds a command line for nvcc, clang or ptxas.
"""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from . import catalog
from regdem_common.process import ToolError


os.environ["REGDEM_CACHE_DIR"] = "off"  # Each kernel is decided anew.


def run(command, **environment):
    done = subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, **environment})
    if done.returncode:
        text = (done.stderr or done.stdout).strip()
        raise ToolError(f"{Path(command[0]).name} failed: {text}")
    return done


@dataclass(frozen=True)
class Figures:
    """What `ptxas -v` says about a module; the worst kernel, spills summed."""

    regs: int
    stack: int  # bytes a thread
    spill_store_bytes: int  # static count of bytes stored
    spill_load_bytes: int
    smem: int  # bytes a block

    @property
    def spill(self):
        return self.spill_store_bytes + self.spill_load_bytes


def parse_figures(text):
    """Reads the output of `ptxas -v`.

    What goes to shared memory ptxas 13.0 takes off the kernel's own spill
    bytes, also where a function spilled it, so that these may be negative; a
    negative sum counts as none.
    """
    spills = re.findall(
        r"(\d+) bytes stack frame, (-?\d+) bytes spill stores, "
        r"(-?\d+) bytes spill loads",
        text,
    )
    used = re.findall(r"Used (\d+) registers([^\n]*)", text)
    if not spills or not used:
        raise ToolError(f"cannot read the output of ptxas -v: {text.strip()}")
    shared = [re.search(r"(\d+) bytes smem", rest) for _, rest in used]
    return Figures(
        regs=max(int(regs) for regs, _ in used),
        stack=max(int(s[0]) for s in spills),
        spill_store_bytes=max(0, sum(int(s[1]) for s in spills)),
        spill_load_bytes=max(0, sum(int(s[2]) for s in spills)),
        smem=max(int(m.group(1)) if m else 0 for m in shared),
    )


class Toolchain:
    def __init__(self, cuda, clang, plugin, arch):
        self.cuda = Path(cuda)
        self.arch = arch
        self.clang = shutil.which(clang)
        self.nvcc = self._cuda_tool("nvcc")
        self.ptxas_path = self._cuda_tool("ptxas")
        self.plugin = Path(plugin) if plugin else None
        if not self.ptxas_path:
            raise ToolError(f"no ptxas in {self.cuda}/bin or PATH")

    def _cuda_tool(self, name):
        local = self.cuda / "bin" / name
        return str(local) if local.exists() else shutil.which(name)

    @property
    def has_plugin(self):
        return bool(self.clang and self.plugin and self.plugin.exists())

    def _source_flags(self, bench, extra):
        flags = ["-O3", "-std=c++17", f"-I{catalog.ROOT}", f"-I{bench.folder}"]
        return flags + [f"-D{d}" for d in bench.defines] + list(extra)

    def nvcc_ptx(self, bench, out, extra=()):
        run(
            [self.nvcc, "-ptx", f"-arch={self.arch}"]
            + self._source_flags(bench, extra)
            + [str(bench.source), "-o", str(out)]
        )

    def clang_cubin_command(self, bench, out, extra=()):
        """Compiles the device code, from the source to machine code."""
        return (
            [self.clang, "-x", "cuda", f"--cuda-path={self.cuda}"]
            + [f"--cuda-gpu-arch={self.arch}", "--cuda-device-only"]
            + ["-Wno-unknown-cuda-version"]
            + self._source_flags(bench, extra)
            + [str(bench.source), "-o", str(out)]
        )

    def clang_ptx(self, bench, out, extra=()):
        run(self.clang_cubin_command(bench, out, ["-S", *extra]))

    def regdem_ptx(self, bench, out, options):
        """`options` maps option names (without regdem-) to values.

        Returns the report objects that RegDem wrote, one per kernel. RegDem
        cannot see that assemble() runs ptxas with neither -c nor -g and that
        finish() follows, so it is told that it may count on both.
        """
        report = Path(str(out) + ".report.jsonl")
        report.unlink(missing_ok=True)
        flags = [f"-fpass-plugin={self.plugin}"]
        options = {"pragma": "on", "finish": "on" if self.finisher else "off",
                   **options, "report": report}
        for name, value in options.items():
            flags += ["-mllvm", f"-regdem-{name}={value}"]
        self.clang_ptx(bench, out, flags)
        if not report.exists():
            return []
        return [json.loads(line) for line in report.read_text().splitlines()]

    def assemble(self, ptx, cubin):
        """Assembles a PTX file and returns the Figures."""
        done = run(
            [self.ptxas_path, "-v", f"-arch={self.arch}"]
            + [str(ptx), "-o", str(cubin)]
        )
        return parse_figures(done.stderr + done.stdout)

    def _beside_plugin(self, name):
        if not self.plugin:
            return None
        program = self.plugin.parent.parent / "bin" / name
        return program if program.exists() else None

    @property
    def decider(self):
        """regdem-ptxas beside the plugin; None where it is not."""
        return self._beside_plugin("regdem-ptxas")

    def decide(self, ptx, cubin, options):
        """Assembles a PTX file as regdem-ptxas decides; `options` maps option
        names (without regdem-) to values. Returns the Figures, and the report
        objects."""
        report = Path(str(cubin) + ".report.jsonl")
        report.unlink(missing_ok=True)
        stated = {"report": str(report), **options}
        environment = {f"REGDEM_{name.upper().replace('-', '_')}": str(value)
                       for name, value in stated.items()}
        run([str(self.decider), f"-arch={self.arch}", str(ptx), "-o",
             str(cubin)], REGDEM_PTXAS=self.ptxas_path, **environment)
        objects = [json.loads(line)
                   for line in report.read_text().splitlines()]
        report.unlink()
        chosen = [build for entry in objects for build in entry["variants"]
                  if build["chosen"]]
        return Figures(
            regs=max(build["regs"] for build in chosen),
            stack=max(build["frame_bytes"] for build in chosen),
            spill_store_bytes=sum(b["spill_store_bytes"] for b in chosen),
            spill_load_bytes=sum(b["spill_load_bytes"] for b in chosen),
            smem=max(build["smem"] for build in chosen),
        ), objects

    @property
    def finisher(self):
        """regdem-finish beside the plugin; None where it is not."""
        return self._beside_plugin("regdem-finish")

    def finish(self, cubin, figures, out, forced, flags=()):
        """Moves the frames of `cubin` to shared memory, into `out`: all that
        can be or, if not `forced`, those for which RegDem expects a gain.
        `flags` are more of regdem-finish's options.

        Returns the Figures of the result; None where a frame stays.
        """
        report = Path(str(out) + ".report.jsonl")
        report.unlink(missing_ok=True)
        run([str(self.finisher), *flags] + ["--all", "--min-blocks=1"] * forced
            + [str(cubin), "-o", str(out), f"--report={report}"])
        frames = [json.loads(line) for line in report.read_text().splitlines()]
        if not frames or not all(f["moved"] for f in frames):
            return None
        shared = max(f["shared_after"] for f in frames)
        moved = replace(figures, smem=max(figures.smem, shared),
                        stack=max(f["frame_bytes"] - f["moved_bytes"]
                                  for f in frames))
        if moved.stack:  # What ptxas says of spill code is of all of it.
            return moved
        return replace(moved, spill_store_bytes=0, spill_load_bytes=0)

    def versions(self):
        """First meaningful version line of every tool that is there."""
        result = {}
        for name, path, pattern in (
            ("nvcc", self.nvcc, r"release .*"),
            ("ptxas", self.ptxas_path, r"release .*"),
            ("clang", self.clang, r"version .*"),
        ):
            if path:
                text = run([path, "--version"]).stdout
                found = re.search(pattern, text)
                result[name] = found.group(0) if found else "unknown"
        return result


def add_arguments(parser):
    """Options that every script which compiles has in common."""
    parser.add_argument("--cuda", default="/usr/local/cuda", metavar="DIR")
    parser.add_argument("--clang", default="clang++-22", metavar="PROGRAM")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument(
        "--plugin",
        default=str(catalog.ROOT.parent / "build" / "lib" / "RegDem.so"),
        metavar="FILE",
        help="RegDem.so; its variants are left out if it does not exist",
    )


def from_arguments(options):
    return Toolchain(options.cuda, options.clang, options.plugin, options.arch)
