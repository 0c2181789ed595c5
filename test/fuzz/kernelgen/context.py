"""State of one kernel's generation, and the choice of statements."""

from . import control, indexed, memory, products, straight, strided
from .tree import Block

# Of Scope.quiet.
_QUIET = [r for r in straight.STATEMENTS if r[1] not in (
    straight.inline_asm, straight.call)] + memory.QUIET_STATEMENTS \
    + [(1, control.leave)]
_SIMPLE = straight.STATEMENTS + memory.STATEMENTS + control.SIMPLE


def _table(rows):
    return [r[1] for r in rows], [r[0] for r in rows]


def _tables(further):
    tables = {}
    for uniform in (False, True):
        for compound in (False, True):
            rows = _SIMPLE + (memory.UNIFORM_STATEMENTS if uniform else []) \
                + (control.COMPOUND if compound else []) + further
            tables[uniform, compound] = _table(rows)
    return tables


_FURTHER = {(p, s, a): (products.STATEMENTS if p else [])
            + (strided.STATEMENTS if s else [])
            + (indexed.STATEMENTS if a else [])
            for p in (False, True) for s in (False, True)
            for a in (False, True)}
_TABLES = {key: _tables(further) for key, further in _FURTHER.items()}
_QUIET_TABLES = {False: _table(_QUIET),
                 True: _table(_QUIET + control.COMPOUND)}


class Context:
    """Names, declared memory and the remaining size of one kernel.

    budget: statements that may still be made; threads: per block; arrays:
    (name, power-of-two size) of local arrays; own_shared, common_shared:
    (name, element type); products: whether there are more of them than other
    statements; long_loops: of Contents; strides, small_strides, gathers, indexed:
    of strided.py and indexed.py, none if the kernel has no such statements;
    counters: loop counters declared at the top of the function, because a goto must not jump over an initialisation.
    """

    def __init__(self, rng, threads, out_words, budget, products=False,
                 long_loops=False):
        self.rng = rng
        self.threads = threads
        self.out_words = out_words
        self.budget = budget
        self.products = products
        self.long_loops = long_loops
        self.functions = []
        self.arrays = []
        self.own_shared = []
        self.common_shared = []
        self.bins = None
        self.cell = "cell"
        self.strides = []
        self.small_strides = []
        self.gathers = []
        self.indexed = []
        self.counters = []
        self._serial = 0

    def fresh(self, prefix):
        self._serial += 1
        return "%s%d" % (prefix, self._serial)

    def statement(self, scope):
        """One statement that is allowed in the scope."""
        compound = (self.budget > 0 and scope.depth < control.MAX_DEPTH
                    and scope.trips * 6 <= control.MAX_TRIPS)
        makers, weights = _QUIET_TABLES[compound] if scope.quiet else _TABLES[
            self.products, bool(self.strides),
            bool(self.indexed)][scope.uniform, compound]
        self.budget -= 1
        while True:
            made = self.rng.choices(makers, weights)[0](self, scope)
            if made is not None:
                return made

    def statements(self, scope, count):
        return [self.statement(scope) for _ in range(count)]

    def block(self, scope):
        count = self.rng.choice([1, 2, 2, 3, 3, 4])
        return Block(self.statements(scope, count if self.budget > 0 else 1))
