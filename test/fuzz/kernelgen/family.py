"""Command-line options shared by FAMILY_SIZE consecutive seeds.

The options of one compiler run hold for all kernels of a file, so they are a
function of the seed's family: a seed alone says how its kernel was compiled,
whatever the batch it was in.
"""

import random
import typing

from . import products

FAMILY_SIZE = 16
# ptxas raises caps below 24 on sm_90 (16 elsewhere is the architecture's
# minimum), which must be as harmless as any other cap.
_CAPS = [16, 17, 18, 19, 20, 24, 32, 40, 48, 64, 96]
_CAP_WEIGHTS = [1, 1, 1, 1, 1, 4, 8, 8, 6, 5, 2]
_STAGED_CAP = 48  # at most, so that much has to wait elsewhere
MAX_DYNAMIC_BYTES = 8192
CONTRACTS = ["off", "on", "fast"]


class Contents(typing.NamedTuple):
    """What kernels are to be like, besides what their seeds say. contract:
    clang's -ffp-contract, None for the family's own; strided, staged,
    arrays: whether they have the statements of strided.py, staged.py,
    indexed.py; long_loops: whether there are loops that RegDem may unroll;
    calls: whether all kernels call functions, which RegDem may inline and
    clang does not. Other contents, other kernels."""
    contract: typing.Optional[str] = None
    strided: bool = False
    staged: bool = False
    long_loops: bool = False
    arrays: bool = False
    calls: bool = False


class Family:
    """cap: registers a thread; block_size: threads, for kernels that state
    none; dynamic_bytes: None, or what the plugin is told to leave room for;
    opt: clang's -O flag; contract: clang's -ffp-contract, the one asked for
    or else "off" or "on". Under "fast" ptxas may fuse a multiplication with
    an addition or not, as the code around it happens to look: see README.md.
    """

    def __init__(self, seed, contents=Contents()):
        self.index = seed // FAMILY_SIZE
        rng = random.Random("regdem family %d" % self.index)
        self.cap = rng.choices(_CAPS, _CAP_WEIGHTS)[0]
        if contents.staged:
            self.cap = min(self.cap, _STAGED_CAP)
        self.block_size = rng.choice([64, 128, 192, 256])
        self.dynamic_bytes = MAX_DYNAMIC_BYTES if rng.random() < 0.75 else None
        self.opt = rng.choices(["-O3", "-O2", "-O1", "-Os"], [12, 3, 3, 1])[0]
        self.contract = rng.choice(["off", "on"])
        self.flags = []
        if contents.contract is not None:
            self.contract = contents.contract
        if self.contract == "fast":
            self.flags = rng.choice(products.FLAGS)
        if contents.calls:
            self.flags = self.flags + ["-mllvm", "-inline-threshold=-100000"]

    def compiler_flags(self):
        return [self.opt] + self.flags + ["-ffp-contract=" + self.contract]

    def recipe(self, parts):
        """A build under the cap, with these parts besides. ptxas takes a few
        registers for addresses."""
        return ("cap=%d demote=belady:%d %s"
                % (self.cap, max(self.cap - 4, 8), parts)).strip()

    def plugin_flags(self, capped=True):
        flags = ["-regdem-block-size=%d" % self.block_size]
        if capped:
            flags.append("-regdem-max-regs=%d" % self.cap)
        if self.dynamic_bytes is not None:
            flags.append("-regdem-dynamic-smem=%d" % self.dynamic_bytes)
        return flags


def families(first, last, batch):
    """Splits seeds [first, last) into files: lists of at most 'batch' seeds
    of one family."""
    files, seed = [], first
    while seed < last:
        end = min(last, (seed // FAMILY_SIZE + 1) * FAMILY_SIZE, seed + batch)
        files.append(list(range(seed, end)))
        seed = end
    return files
