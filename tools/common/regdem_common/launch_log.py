# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what REGDEM_LAUNCH_LOG wrote while a program ran (docs/launch.md)."""

from dataclasses import dataclass, field

from .records import objects, read_text


@dataclass
class Launches:
    """Of one kernel with blocks of one size."""
    threads: int
    counts: dict = field(default_factory=dict)  # build -> launches; 0: the kernel
    pairs: list = field(default_factory=list)  # (kernel_ms, build_ms) of each grid
    winners: set = field(default_factory=set)  # builds, as settled; 0: the kernel

    @property
    def gain(self):
        """Percent of the kernel's time that builds save, as measured, or None."""
        kernel = sum(k for k, _ in self.pairs)
        return 100 * (1 - sum(b for _, b in self.pairs) / kernel) if kernel else None


def _threads(block):
    x, y, z = block
    return x * y * z


def _add(found, event):
    kernel = found.setdefault(event["kernel"], {})
    threads = _threads(event["block"])
    launches = kernel.setdefault(threads, Launches(threads))
    if event["event"] == "settled":
        launches.pairs.append((float(event["kernel_ms"]), float(event["build_ms"])))
        launches.winners.add(int(event["build"]))
    elif event["event"] == "exit":
        count = launches.counts.get(event["build"], 0)
        launches.counts[event["build"]] = count + event["launches"]
    elif event["event"] == "first":
        launches.counts.setdefault(event["build"], 0)


def read(paths):
    """{mangled name: [Launches by threads]} of all files. Raises ReportError."""
    found = {}
    for path in paths:
        objects(path, read_text(path), lambda event: _add(found, event),
                "no line of REGDEM_LAUNCH_LOG: give the file that this variable named")
    return {name: [by[t] for t in sorted(by)] for name, by in found.items()}
