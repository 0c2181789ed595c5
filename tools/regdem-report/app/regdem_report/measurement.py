# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was measured of a report's kernels, by Nsight Compute and by the launch
log, and the gain over stock that follows."""

from dataclasses import dataclass, field

from regdem_common import joining


@dataclass
class Measurement:
    """Of one Kernel; `own` and `stock` are objects of regdem_common.measured: of
    the program that was built, and of the one without RegDem."""
    own: list = field(default_factory=list)
    stock: list = field(default_factory=list)
    launches: list = field(default_factory=list)
    weight: float = None  # its share of the program: of time, or else of threads

    def __bool__(self):
        return bool(self.own or self.stock or self.launches)

    @property
    def block_sizes(self):
        """Threads a block that launches had."""
        return sorted({f["block_size"] for f in self.own + self.stock if f["block_size"]}
                      | {l.threads for l in self.launches})

    @property
    def weightiest(self):
        """What took most time of the program that was built, or None."""
        return max(self.own, key=lambda f: f.get("time_share") or 0, default=None)

    def pairs(self):
        """(threads, stock's ms, ms) of blocks that both were measured with."""
        base = {f["block_size"]: f["time_ms"] for f in self.stock}
        for f in self.own:
            if not f["build"]:
                base.setdefault(f["block_size"], f["time_ms"])
        for f in self.own:
            if not self.stock and not f["build"]:
                continue  # nothing to compare it with
            before = base.get(f["block_size"])
            if before and f["time_ms"]:
                yield f["block_size"], before, f["time_ms"]

    @property
    def gain(self):
        """Percent of stock's time that is saved, or None."""
        pairs = [(before, after) for _, before, after in self.pairs()]
        for launches in self.launches:
            pairs += launches.pairs
        total = sum(before for before, _ in pairs)
        return 100 * (1 - sum(after for _, after in pairs) / total) if total else None


def _weigh(kernels):
    """Sets the share of the program that each kernel has: of time, where Nsight
    Compute measured some, otherwise of the threads of all launches."""
    for amount in (lambda m: sum((f["time_ms"] or 0) * f["launches"] for f in m.own),
                   lambda m: sum(l.work for l in m.launches)):
        of_names = {}  # Code for several GPUs has the same launches.
        for k in kernels:
            of_names[k.mangled] = max(of_names.get(k.mangled, 0), amount(k.measured))
        if total := sum(of_names.values()):
            for k in kernels:
                k.measured.weight = amount(k.measured) / total
            return


def attach(kernels, own, stock, log):
    """Sets `measured` of all kernels. Returns names of what was measured but is
    not in the report."""
    for kernel in kernels:
        kernel.measured = Measurement(launches=log.get(kernel.mangled, []))
    lost = []
    for figures, kind in [(f, "own") for f in own] + [(f, "stock") for f in stock]:
        kernel = joining.match(kernels, figures)
        if kernel:
            getattr(kernel.measured, kind).append(figures)
        else:
            lost.append(figures["name"])
    _weigh(kernels)
    known = {k.mangled for k in kernels}
    return sorted(set(lost) | (log.keys() - known))
