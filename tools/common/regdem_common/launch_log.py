# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the launches of a program: what REGDEM_LAUNCH_LOG wrote while it ran
(docs/launch.md), or what regdem-launches noted."""

import json
from dataclasses import dataclass, field

from .records import objects
from .tool import UserError, read_text

PROBLEM = ("no launches: give the file that REGDEM_LAUNCH_LOG named, or what "
           "regdem-launches wrote")


@dataclass
class Launches:
    """Of one kernel with blocks of one size."""
    threads: int
    counts: dict = field(default_factory=dict)  # build -> launches; 0: the kernel
    pairs: list = field(default_factory=list)  # (kernel_ms, build_ms) of each grid
    winners: set = field(default_factory=set)  # builds, as settled; 0: the kernel
    work: int = 0  # threads of all launches, where grids are known; 0: they are not

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


def _add_noted(found, launch):
    """Adds one of regdem-launches' objects, of launches that are alike."""
    name, build = launch["kernel"], launch.get("build", 0)
    threads, count = _threads(launch["block"]), launch["count"]
    launches = found.setdefault(name, {}).setdefault(threads, Launches(threads))
    launches.counts[build] = launches.counts.get(build, 0) + count
    launches.work += threads * _threads(launch["grid"]) * count


def _noted(text):
    """What regdem-launches wrote, or None."""
    try:
        whole = json.loads(text)
    except ValueError:
        return None
    return whole if isinstance(whole, dict) and "launches" in whole else None


def _read_noted(found, path, whole):
    if whole.get("version") != 1:
        raise UserError(f"{path}: version {whole.get('version')} of regdem-launches' file: "
                        "take RegDem's tools of one version")
    try:
        for launch in whole["launches"]:
            _add_noted(found, launch)
    except (KeyError, TypeError, ValueError):
        raise UserError(f"{path}: {PROBLEM}") from None


def read(paths):
    """{mangled name: [Launches by threads]} of all files. Raises UserError."""
    found = {}
    for path in paths:
        text = read_text(path)
        whole = _noted(text)
        if whole:
            _read_noted(found, path, whole)
        else:
            objects(path, text, lambda event: _add(found, event), PROBLEM)
    return {name: [by[t] for t in sorted(by)] for name, by in found.items()}
