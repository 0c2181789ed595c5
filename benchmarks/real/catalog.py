# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The real kernels: kernels/*/kernel.json, in the harness's terms.

A kernel.json names the library; its instances are calls of it. Each becomes
a Benchmark whose defines are what Item.h and host.cpp ask for.
"""

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from harness.catalog import Benchmark  # noqa: E402
from harness.toolchain import (  # noqa: E402
    Toolchain, ToolError, add_arguments, run)

LIBRARIES = HERE.parent.parent / "build" / "real-libraries"
ARRAY_BYTES = 96 << 20  # of all input and output of a kernel, about
SIZES = {"float": 4, "double": 8, "uint32_t": 4, "uint64_t": 8}


@dataclass(frozen=True)
class RealKernel(Benchmark):
    library: str
    licence: str
    domain: str
    include: tuple  # folders of headers under the libraries' folder
    standard: str

    def flags(self, libraries):
        found = ["-I", str(self.folder)]
        for folder in self.include:
            found += ["-isystem", str(libraries / folder)]
        return found + ["-I", str(libraries / "generated")]


def threads(entry):
    """A power of two of threads whose arrays have about ARRAY_BYTES."""
    each = (entry["ins"] + entry["outs"]) * SIZES[entry["type"]]
    count = 1 << 20
    while count > 1 << 17 and count * each > ARRAY_BYTES:
        count //= 2
    return entry.get("threads", count)


def defines(entry, folder):
    values = {
        "REAL_TYPE": entry["type"],
        "REAL_INS": entry["ins"],
        "REAL_OUTS": entry["outs"],
        "REAL_BLOCK": entry["block"],
        "REAL_THREADS": threads(entry),
        "REAL_LOW": entry.get("low", -1.0 if "work" in entry else 0.0),
        "REAL_HIGH": entry.get("high", 1.0),
        "REAL_BITS": entry.get("bits", 8 * SIZES[entry["type"]]),
        "REAL_TOLERANCE": entry.get("tolerance", 0.0),
    }
    if "work" in entry:
        values["REAL_WORK"] = entry["work"]
    return tuple(f"{k}={v}" for k, v in values.items()) + tuple(
        entry.get("defines", ()))


def load(names=()):
    """All kernels by name, or those whose id or folder is in `names`."""
    found = []
    for path in sorted(HERE.glob("kernels/*/kernel.json")):
        data = json.loads(path.read_text())
        for instance in data["instances"]:
            entry = {**data, **instance}
            entry["defines"] = (*data.get("defines", ()),
                                *instance.get("defines", ()))
            if names and not {entry["id"], path.parent.name} & set(names):
                continue
            found.append(RealKernel(
                id=entry["id"],
                folder=path.parent,
                defines=defines(entry, path.parent),
                set="real",
                description=f"{entry['library']}: {entry['id']}",
                block=entry["block"],
                bounds=True,
                caps=(),
                demo=False,
                library=entry["library"],
                licence=entry["licence"],
                domain=entry["domain"],
                include=tuple(entry["include"]),
                standard=entry.get("standard", "c++20"),
            ))
    return found


def arguments(description, add_more=lambda parser: None):
    """Kernels, the folder they go to, which is made, and what builds them."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*", help="kernels (default: all)")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--libraries", type=Path, default=LIBRARIES)
    parser.add_argument("--jobs", type=int, default=2)
    add_arguments(parser)
    add_more(parser)
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def attempt_each(benches, jobs, build):
    """What `build` makes of each kernel; None where that fails, which is
    printed."""
    def attempt(bench):
        try:
            return build(bench)
        except ToolError as error:
            print(f"{bench.id}: {str(error)[:2000]}", flush=True)
            return None

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(attempt, benches))


class RealToolchain(Toolchain):
    """The harness's, with the libraries' headers."""

    libraries = LIBRARIES

    @classmethod
    def from_arguments(cls, options):
        tools = cls(options.cuda, options.clang, options.plugin, options.arch)
        tools.libraries = options.libraries
        return tools

    def _source_flags(self, bench, extra):
        flags = super()._source_flags(bench, extra)
        flags = [f"-std={bench.standard}" if f.startswith("-std=") else f
                 for f in flags]
        flags += ["-isystem", str(self.cuda / "include" / "cccl")]
        return flags + bench.flags(self.libraries)

    def nvcc_ptx(self, bench, out, extra=()):
        """An error where a library's function is none for the device: nvcc
        would leave the call out, with a warning."""
        super().nvcc_ptx(bench, out,
                         ["-Werror=cross-execution-space-call",
                          "--expt-relaxed-constexpr", *extra])

    def clang_ptx(self, bench, out, extra=()):
        """Reads the source once and keeps its code before all optimisation,
        from which every build of the kernel starts."""
        code = Path(out).parent / "source.bc"
        if not code.exists():
            super().clang_ptx(
                bench, code,
                ["-w", "-fno-exceptions", "-Xclang", "-disable-llvm-passes", "-emit-llvm"])
        run([self.clang, "-x", "ir", "--target=nvptx64-nvidia-cuda",
             f"-march={self.arch}", "-O3", "-ffp-contract=fast",
             "-Wno-override-module", "-S", *extra, str(code), "-o", str(out)])

    def regdem_ptx(self, bench, out, options):
        return super().regdem_ptx(bench, out, {"dynamic-smem": 0, **options})

    def finish(self, cubin, figures, out, forced, flags=()):
        """A cubin does not show that its kernel has no dynamic shared memory."""
        return super().finish(cubin, figures, out, forced,
                              ["--dynamic-smem=0", *flags])
