# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what a finished program takes against what was promised. Each rule
looks at figures of stock's build and of the finished one (cubin.Figures) and
returns what is broken, or ""."""

from collections import namedtuple

from occupancy import (ARCHITECTURES, MOST_THREADS, SHARED_DEFAULT, WARP,
                       blocks_per_sm)

LEAST_REGISTERS = 24  # ptxas holds no kernel to fewer (docs/manual.md)

Broken = namedtuple("Broken", "rule kernel detail")

TEXTS = {
    "blocks": "Blocks per SM that launch bounds ask for stay, as far as stock's "
              "build has them; those that options, annotations and profiles ask "
              "for are reached where so many can be.",
    "grid": "A kernel with a grid barrier of cooperative groups has no fewer "
            "blocks per SM than stock's at any block size up to its bound.",
    "opt-out": "A kernel that is opted out is stock's: machine code, registers, "
               "shared memory, frame, and no builds beside it.",
    "dynamic": "Static and stated dynamic shared memory fit a launch where "
               "stock's do: 48 KB if that needs no opting in, else 227 KB.",
    "unknown-dynamic": "A kernel that has dynamic shared memory of unstated size "
                       "gets no shared memory.",
    "cap": "A stated cap on registers holds.",
    "sizes": "Blocks of each size that stock can launch can still be launched.",
    "itself": "A kernel that has builds chosen at launch is itself stock's.",
    "row": "A build can be launched as its row of the launch table says, with so "
           "many blocks per SM.",
    "cached": "What is built from the decision cache is the same, byte for byte.",
    "kernels": "The finished program has stock's kernels, and no others but "
               "their builds.",
    "tool": "What stock's tools build is built with RegDem.",
}


def difference(stock, finished):
    """How a kernel is not stock's."""
    parts = [f"{field} {getattr(stock, field)} -> {getattr(finished, field)}"
             for field in ("registers", "shared", "frame", "most_threads")
             if getattr(stock, field) != getattr(finished, field)]
    if stock.code != finished.code:
        parts.append("other machine code")
    return ", ".join(parts)


class Rules:
    """The rules of one kernel. promise: promises.Promise."""

    def __init__(self, promise, stock, finished, arch="sm_90"):
        self.promise = promise
        self.stock = stock
        self.finished = finished
        self.limits = ARCHITECTURES[arch]

    def blocks_of(self, figures, threads, dynamic=0):
        if figures.most_threads and threads > figures.most_threads:
            return 0
        return blocks_per_sm(self.limits, threads, figures.registers,
                             figures.shared + dynamic)

    def dynamics(self):
        """Bytes of dynamic shared memory to look at."""
        return sorted({0, self.promise.dynamic or 0})

    def sizes(self):
        """Block sizes that the user may launch."""
        return range(WARP, (self.promise.threads or MOST_THREADS) + 1, WARP)

    def can_be(self, blocks, threads, dynamic):
        """Whether ptxas can reach so many blocks per SM, with stock's shared
        memory."""
        return blocks_per_sm(self.limits, threads, LEAST_REGISTERS,
                             self.stock.shared + dynamic) >= blocks

    def blocks(self):
        p = self.promise
        for dynamic in self.dynamics() if p.threads else ():
            stock = self.blocks_of(self.stock, p.threads, dynamic)
            least = min(stock, max(p.bounds, p.asked))
            if p.asked and self.can_be(p.asked, p.threads, dynamic):
                least = max(least, p.asked)
            if (has := self.blocks_of(self.finished, p.threads, dynamic)) < least:
                return (f"{has} blocks per SM of {p.threads} threads with "
                        f"{dynamic} dynamic bytes, {least} promised, stock {stock}")
        return ""

    def grid(self):
        for dynamic in self.dynamics() if self.promise.cooperative else ():
            for threads in self.sizes():
                stock = self.blocks_of(self.stock, threads, dynamic)
                has = self.blocks_of(self.finished, threads, dynamic)
                if has < stock:
                    return (f"{stock} -> {has} blocks per SM of {threads} threads "
                            f"with {dynamic} dynamic bytes")
        return ""

    def opt_out(self):
        changed = difference(self.stock, self.finished)
        return f"{self.promise.left_alone}: {changed}" if changed else ""

    def dynamic(self):
        dynamic = self.promise.dynamic
        if not dynamic:
            return ""
        stock, has = (f.shared + dynamic for f in (self.stock, self.finished))
        limit = (SHARED_DEFAULT if stock <= SHARED_DEFAULT
                 else self.limits.shared_opt_in)
        if stock <= limit < has:
            return (f"{self.finished.shared} static and {dynamic} dynamic bytes, "
                    f"{limit} may be, stock {self.stock.shared} static")
        return ""

    def unknown_dynamic(self):
        if self.promise.unknown_dynamic and self.finished.shared > self.stock.shared:
            return f"static {self.stock.shared} -> {self.finished.shared} bytes"
        return ""

    def cap(self):
        cap = max(self.promise.cap, LEAST_REGISTERS)
        if self.promise.cap and self.finished.registers > cap:
            return (f"{self.finished.registers} registers, cap "
                    f"{self.promise.cap}, stock {self.stock.registers}")
        return ""

    def launchable(self):
        for dynamic in self.dynamics():
            for threads in self.sizes():
                if (self.blocks_of(self.stock, threads, dynamic)
                        and not self.blocks_of(self.finished, threads, dynamic)):
                    return (f"blocks of {threads} threads with {dynamic} dynamic "
                            f"bytes ({self.finished.registers} registers, "
                            f"{self.finished.shared} static bytes, at most "
                            f"{self.finished.most_threads or 'any'} threads)")
        return ""

    def broken(self):
        """(rule, detail) of each broken promise."""
        if self.promise.left_alone:
            rules = {"opt-out": self.opt_out}
        else:
            rules = {"blocks": self.blocks, "grid": self.grid,
                     "dynamic": self.dynamic,
                     "unknown-dynamic": self.unknown_dynamic, "cap": self.cap,
                     "sizes": self.launchable}
        return [(rule, detail) for rule, check in rules.items()
                if (detail := check())]


def broken_builds(promises, stock, finished, rows, arch="sm_90"):
    """Of builds that are chosen at launch. finished: figures by entry, NAME or
    NAME$regdemN; rows: (entry, row) of the launch table."""
    for entry in finished:
        name, _, build = entry.partition("$regdem")
        if name not in stock:
            yield Broken("kernels", entry, "stock has no such kernel")
        elif build and promises[name].left_alone:
            yield Broken("opt-out", entry, promises[name].left_alone)
        elif build:
            if changed := difference(stock[name], finished[name]):
                yield Broken("itself", name, changed)
    for entry, row in rows:
        if entry not in finished:
            yield Broken("row", entry, "the entry is not there")
            continue
        threads, own = row["threads"], row["most_dynamic_smem"]
        build = finished[entry]
        shared = build.shared + own + row.get("thread_bytes", 0) * threads
        blocks = blocks_per_sm(ARCHITECTURES[arch], threads, build.registers,
                               shared)
        stated = row["cycles"]["blocks_per_sm"]
        if build.most_threads and threads > build.most_threads:
            yield Broken("row", entry, f"no blocks of {threads} threads")
        elif blocks < stated:
            yield Broken("row", entry, f"{blocks} blocks per SM of {threads} "
                         f"threads, {stated} stated")


def broken_program(promises, stock, finished, rows, arch="sm_90"):
    """All that is broken in a finished program. promises, stock: by kernel."""
    for name in stock:
        if name not in finished:
            yield Broken("kernels", name, "it is not there")
            continue
        rules = Rules(promises[name], stock[name], finished[name], arch)
        for rule, detail in rules.broken():
            yield Broken(rule, name, detail)
    yield from broken_builds(promises, stock, finished, rows, arch)
