"""A file of several kernels, and its metadata."""

from .family import Contents
from .kernel import Kernel


def source(kernels):
    """Text of a .cu file that needs nothing but device.h."""
    head = "// Generated: seeds %s.\n#include \"device.h\"\n\n" % \
        ", ".join(str(k.seed) for k in kernels)
    return head + "\n".join(k.text() for k in kernels)


def generate(seeds, contents=Contents()):
    return [Kernel(seed, contents) for seed in seeds]
