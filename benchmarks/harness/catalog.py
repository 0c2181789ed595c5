# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The list of benchmarks, read from kernels/*/kernel.json.

A kernel.json describes one kernel source; its instances are the same source
compiled with different macros, and each instance is a benchmark of its own.
"""

import json
from dataclasses import dataclass
from pathlib import Path

SETS = ("paper", "stencil", "modern", "further", "arrays")
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Benchmark:
    id: str
    folder: Path
    defines: tuple  # "NAME=VALUE" strings
    set: str  # one of SETS
    description: str
    block: int  # threads a block
    bounds: bool  # the kernel states its block size
    caps: tuple  # register caps shown in the demo
    demo: bool

    @property
    def source(self):
        return self.folder / "kernel.cu"

    @property
    def min_blocks(self):
        """Blocks per SM that the launch bounds ask for; 0: none."""
        for define in self.defines:
            name, _, value = define.partition("=")
            if name == "BENCH_MIN_BLOCKS":
                return int(value)
        return 0


def load(root=ROOT):
    """All benchmarks, in the order of SETS, then by name."""
    found = []
    for path in sorted(root.glob("kernels/*/kernel.json")):
        data = json.loads(path.read_text())
        if data["set"] not in SETS:
            raise ValueError(f"{path}: unknown set {data['set']!r}")
        for instance in data["instances"]:
            merged = {**data, **instance}
            found.append(
                Benchmark(
                    id=merged["id"],
                    folder=path.parent,
                    defines=tuple(merged.get("defines", ())),
                    set=merged["set"],
                    description=merged["description"],
                    block=merged["block"],
                    bounds=merged.get("bounds", True),
                    caps=tuple(merged.get("caps", ())),
                    demo=merged.get("demo", False),
                )
            )
    return sorted(found, key=lambda b: (SETS.index(b.set),))


def select(benchmarks, names):
    """Those whose id or folder is in `names`; all of them if it is empty."""
    if not names:
        return benchmarks
    known = {b.id for b in benchmarks} | {b.folder.name for b in benchmarks}
    missing = sorted(set(names) - known)
    if missing:
        raise SystemExit(f"error: no such benchmark: {', '.join(missing)}")
    return [b for b in benchmarks if b.id in names or b.folder.name in names]
