"""A file of several kernels, and its metadata."""

from .kernel import Kernel


def source(kernels):
    """Text of a .cu file that needs nothing but device.h."""
    head = "// Generated: seeds %s.\n#include \"device.h\"\n\n" % \
        ", ".join(str(k.seed) for k in kernels)
    return head + "\n".join(k.text() for k in kernels)


def generate(seeds, contract=None):
    return [Kernel(seed, contract) for seed in seeds]
