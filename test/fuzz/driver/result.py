"""What a fuzz run has found so far."""


class Result:
    """Of one or more files. failures: (seed, oracle, headline);
    reports, stock and regdem: by kernel name; pairs: (seeds, stem) of the
    cubins written for a GPU run; metadata: by kernel name; skipped: (seed,
    headline) of kernels on whose stock code the assembler itself crashes;
    fusing, read_again: what fusing.compare() and figures.read_again() say, by
    kernel name."""

    def __init__(self):
        self.failures = []
        self.reports = {}
        self.stock = {}
        self.regdem = {}
        self.pairs = []
        self.metadata = {}
        self.skipped = []
        self.fusing = {}
        self.read_again = {}

    def merge(self, other):
        self.failures += other.failures
        self.pairs += other.pairs
        self.skipped += other.skipped
        for name in ("reports", "stock", "regdem", "metadata", "fusing",
                     "read_again"):
            getattr(self, name).update(getattr(other, name))
