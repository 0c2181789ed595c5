"""State of one kernel's generation, and the choice of statements."""

from . import control, memory, straight
from .tree import Block

_SIMPLE = straight.STATEMENTS + memory.STATEMENTS + control.SIMPLE
_TABLES = {}
for _uniform in (False, True):
    for _compound in (False, True):
        _rows = _SIMPLE + (memory.UNIFORM_STATEMENTS if _uniform else []) \
            + (control.COMPOUND if _compound else [])
        _TABLES[_uniform, _compound] = ([r[1] for r in _rows],
                                        [r[0] for r in _rows])


class Context:
    """Names, declared memory and the remaining size of one kernel.

    budget: statements that may still be made; threads: per block; arrays:
    (name, power-of-two size) of local arrays; own_shared, common_shared:
    (name, element type); counters: loop counters declared at the top of the
    function, because a goto must not jump over an initialisation.
    """

    def __init__(self, rng, threads, out_words, budget):
        self.rng = rng
        self.threads = threads
        self.out_words = out_words
        self.budget = budget
        self.functions = []
        self.arrays = []
        self.own_shared = []
        self.common_shared = []
        self.bins = None
        self.cell = "cell"
        self.counters = []
        self._serial = 0

    def fresh(self, prefix):
        self._serial += 1
        return "%s%d" % (prefix, self._serial)

    def statement(self, scope):
        """One statement that is allowed in the scope."""
        compound = (self.budget > 0 and scope.depth < control.MAX_DEPTH
                    and scope.trips * 6 <= control.MAX_TRIPS)
        makers, weights = _TABLES[scope.uniform, compound]
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
