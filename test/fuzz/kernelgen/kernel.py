"""One kernel with its device functions and metadata, from one seed."""

import random

from .builder import Builder
from .family import Contents, Family
from .memory import ATOMIC_WORDS
from .shape import Shape
from .tree import Block, Stmt, walk

IN_WORDS = 4096


class Kernel:
    """functions and body are trees; prefix and header are fixed text."""

    def __init__(self, seed, contents=Contents()):
        rng = random.Random("regdem kernel %d" % seed)
        self.seed = seed
        self.name = "fuzz_%d" % seed
        self.contents = contents
        self.family = Family(seed, contents)
        self.shape = Shape(rng, self.family)
        self.out_words = rng.randint(3, 8)
        self.functions = []
        self.prefix = ""
        self.dynamic_bytes = 0
        self.body = Block()
        restrict = "__restrict__ " if rng.random() < 0.5 else ""
        # Whether it has arrays in a parameter.
        self.by_value = contents.arrays and rng.random() < 0.3
        self.header = ("extern \"C\" __global__ %svoid %s(const u32 *%sin, "
                       "u32 *%sout, %s) " % (
                           self.shape.attribute(),
                           "FZ_BY_VALUE(%s)" % self.name if self.by_value
                           else self.name, restrict, restrict,
                           "fz_args args" if self.by_value else "u32 n"))
        Builder(self, rng).build()

    def children(self):
        return self.functions + [self.body]

    def text(self, pad=""):
        return (self.prefix + "".join(f.text() + "\n" for f in self.functions)
                + self.header + self.body.text(pad)
                + ("\nFZ_PLAIN(%s)" % self.name if self.by_value else "")
                + "\n")

    def kinds(self):
        """Sorted kinds of statements in the kernel: what it exercises."""
        return sorted({node.kind for node in walk(self)
                       if isinstance(node, Stmt)})

    def metadata(self):
        threads = self.shape.blocks() * self.shape.threads
        return {"kernel": self.name, "seed": self.seed,
                "block": self.shape.block, "grid": self.shape.grid,
                "launch_bounds": self.shape.bounds,
                "dynamic_smem": self.dynamic_bytes,
                "max_regs": self.family.cap, **self.contents._asdict(),
                "contract": self.family.contract, "in_words": IN_WORDS,
                "out_words": ATOMIC_WORDS + threads * self.out_words,
                "n": random.Random("n %d" % self.seed).getrandbits(31),
                "kinds": self.kinds()}
