"""Builds of kernels made by editing their PTX: another cap, other bounds.

A build of a kernel is a function of the kernel's seed and a number. It is
another entry: NAME_capN, or NAME_capN_M for build M > 0.
"""

import random
import re

from kernelgen.shape import split

CAPS = [24, 28, 32, 36, 40, 48, 56, 64]
MOST_THREADS = 256  # Frames of larger blocks seldom fit.
GUARD_WORDS = 64    # At the end of the output; no kernel may write them.

_ENTRY = re.compile(r"^\.visible \.entry (\w+)(\([^)]*\))[^\n]*\n"
                    r"((?:\.[^\n]*\n)*)(\{.*?^\}\n)", re.M | re.S)
_REPLACED = (".maxntid", ".reqntid", ".minnctapersm", ".maxnreg")


class Build:
    """name: of the entry; cap: registers; bounds: PTX directive; block: the
    shape it is launched with, of as many threads as the kernel is made for."""

    def __init__(self, kernel, number):
        rng = random.Random("moved %d %d" % (kernel.seed, number))
        threads = kernel.shape.threads
        caps = CAPS[:]
        random.Random("caps %d" % kernel.seed).shuffle(caps)
        self.kernel = kernel
        self.cap = caps[number % len(caps)]
        self.name = "%s_cap%d" % (kernel.name, self.cap)
        if number >= len(caps):
            self.name += "_%d" % number
        self.block = split(rng, threads)
        exact = "%d, %d, %d" % tuple(self.block)
        self.bounds = rng.choice([
            ".maxntid %d" % threads, ".maxntid " + exact, ".reqntid " + exact,
            ".maxntid %d" % (threads + rng.choice([1, 28, 32, 60]))])

    def metadata(self):
        meta = self.kernel.metadata()
        return dict(meta, kernel=self.name, max_regs=self.cap,
                    bounds=self.bounds, block=self.block,
                    out_words=meta["out_words"] + GUARD_WORDS)


def edit(ptx, builds):
    """The PTX with the builds' entries; kernels without a build are left
    out."""
    by_kernel = {}
    for build in builds:
        by_kernel.setdefault(build.kernel.name, []).append(build)

    def entry(match):
        name, parameters, directives, body = match.groups()
        kept = [line for line in directives.splitlines()
                if not line.startswith(_REPLACED)]
        return "".join(".visible .entry %s%s\n%s%s" % (
            build.name, parameters, "".join(
                line + "\n" for line in kept + [
                    build.bounds, ".maxnreg %d" % build.cap]), body)
            for build in by_kernel.get(name, []))

    return _ENTRY.sub(entry, ptx)
