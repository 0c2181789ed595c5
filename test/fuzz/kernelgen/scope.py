"""What a statement may use at the place where it stands."""


class Scope:
    """Names by type, and facts about the control flow around.

    uniform: every thread of the block comes here the same number of times,
        so that barriers, shuffles and votes are allowed.
    loop: None, or whether the innermost loop may be left by each thread for
        itself ("free") or only by all threads together ("uniform").
    can_break: 'break' would leave that loop and not a switch.
    trips: product of the trip counts around, an upper bound.
    function: inside a device function (no shared memory, no 'out').
    rows: of expressions, or None for those of operations.py.
    quiet: nothing may write shared memory or wait for other threads.
    returns: an early return is allowed (no barrier can follow).
    """

    def __init__(self, rows=None):
        self.rows = rows
        self.read = {}
        self.write = {}
        self.uniform = True
        self.loop = None
        self.can_break = False
        self.depth = 0
        self.trips = 1
        self.function = False
        self.returns = False
        self.quiet = False
        self.counters = ()

    def child(self, **changes):
        new = Scope()
        new.__dict__.update(self.__dict__)
        new.read = {t: list(v) for t, v in self.read.items()}
        new.write = {t: list(v) for t, v in self.write.items()}
        new.depth = self.depth + 1
        new.__dict__.update(changes)
        return new

    def add(self, type_, name, writable=True):
        self.read.setdefault(type_, []).append(name)
        if writable:
            self.write.setdefault(type_, []).append(name)
