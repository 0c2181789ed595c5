# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What RegDem promises of a kernel, by what its source and the command lines
say (docs/manual.md, limits.md, launch.md, frames.md)."""

import re
from dataclasses import dataclass, field


@dataclass
class Said:
    """What commands say beside the source. by_plugin: the plugin compiles, and
    options are its own, by name; by_environment: regdem-ptxas decides, and they
    are its environment's; unoptimized: device code at -O0; entries: a
    profile's, by kernel; register_cap: --maxrregcount; dynamic: bytes that
    regdem-finish is told."""

    by_plugin: bool = False
    by_environment: bool = False
    options: dict = field(default_factory=dict)
    unoptimized: bool = False
    entries: dict = field(default_factory=dict)
    register_cap: int = 0
    dynamic: int = None


@dataclass
class Promise:
    """threads: most of a block, 0 if not stated; bounds, asked: blocks per SM
    that launch bounds, or options and annotations, ask for; cap: registers a
    thread, 0 for none; dynamic: stated bytes, or None; unknown_dynamic: the
    kernel has some, of unstated size; left_alone: why nothing may be done, or
    ""."""

    threads: int
    bounds: int
    asked: int
    cap: int
    cooperative: bool
    dynamic: int
    unknown_dynamic: bool
    left_alone: str


def why_left_alone(kernel, said, stated, entry):
    if not said.by_plugin and not said.by_environment:
        return ""
    if said.unoptimized:
        return "-O0"
    if not re.search(said.options.get("kernels", ""), kernel.name):
        return "kernels="
    if stated.get("mode") == "off":
        return "mode=off"
    if entry:
        return "profile" if entry["decision"] == "stock" else ""
    has_cap = (kernel.blocks or "max-regs" in stated or "min-blocks" in stated
               or said.register_cap and not kernel.threads)
    if said.by_plugin and stated.get("mode") == "demote" and not has_cap:
        return "mode=demote without a cap"
    return ""


def stated_dynamic(kernel, said):
    """What is stated of a kernel itself counts more than what is of all."""
    stated = (said.options if not said.by_plugin
              else {**said.options, **kernel.annotation})
    return stated.get("dynamic-smem", said.dynamic)


def asked_of(kernel, said, stated, declined):
    """(registers a thread, blocks per SM) that options, annotations and a
    profile ask for; 0 for none. declined: RegDem does not know the block size
    or dynamic shared memory, and an entry cannot allow what is declined."""
    entry = said.entries.get(kernel.name)
    if entry:
        return ((0, 0) if declined else
                (entry.get("max_regs", 0), entry.get("min_blocks", 0)))
    return stated.get("max-regs", 0), stated.get("min-blocks", 0)


def is_blind_cap(said, cap):
    """Whether a cap is stated and nobody may look at what ptxas makes of it:
    the user has what nvcc -maxrregcount gives."""
    return bool(cap) and said.options.get("ptxas") == "off"


def promise_of(kernel, said):
    stated = (said.options if not said.by_plugin
              else {**said.options, **kernel.annotation})
    threads = kernel.threads or stated.get("block-size", 0)
    dynamic = stated_dynamic(kernel, said)
    unknown_dynamic = kernel.dynamic and dynamic is None
    left_alone = why_left_alone(kernel, said, stated,
                                said.entries.get(kernel.name))
    cap, asked = asked_of(kernel, said, stated, not threads or unknown_dynamic)
    caps = [0 if left_alone else cap,
            0 if kernel.threads else said.register_cap]  # as ptxas heeds it
    return Promise(threads, kernel.blocks,
                   0 if left_alone or not threads else asked,
                   min(filter(None, caps), default=0),
                   kernel.barrier == "grid" and not is_blind_cap(said, cap),
                   dynamic, unknown_dynamic, left_alone)
