"""Values that a kernel stages in shared memory and reads at named places.

Where nothing behind such a read writes shared memory or waits for threads that
do, RegDem reads the place again instead of demoting the value (ValueHomes in
lib/Transforms/Analysis/KernelCode.cpp). These statements read many places, keep
what they read through code that leaves shared memory alone (Scope.quiet), and
often write the places again later: by stores of all sorts and of any thread,
behind barriers of the block, of a part of it or of a warp, in a loop's next
iteration, or, where only one thread uses an array, behind nothing at all.

There are no races: between a read and another thread's write of a word lies
something that both wait for.
"""

from . import held
from .control import counted_loop
from .expressions import expression, prepare
from .operations import OPERATIONS
from .straight import pick_target_of
from .tree import Block, Stmt

# Type of an array's elements -> weight; values of vectors are not read again.
_ELEMENTS = {"u32": 8, "f32": 3, "u64": 3, "f64": 2, "u16": 1, "u8": 1,
             "v2u": 1, "v4u": 1}
# Other types of an element's bytes: type -> elements of 4 bytes that it takes.
_ALIASES = {"u16_alias": 0.5, "u64_alias": 2, "v2u_alias": 2, "v4u_alias": 4}
_PLAIN = {"u16_alias": "u16", "u64_alias": "u64", "v2u_alias": "v2u",
          "v4u_alias": "v4u"}
# Expressions without inline PTX, after which RegDem reads nothing again.
_QUIET_ROWS = prepare({t: [r for r in rows if "fz_asm" not in r[1]]
                       for t, rows in OPERATIONS.items()})


class _Array:
    """type: of its elements; count: how many; read: indices of those that
    statements so far read at named places."""

    def __init__(self, name, type_, count):
        self.name = name
        self.type = type_
        self.count = count
        self.read = []


class _Staging:
    """Statements about the arrays of one kernel. calls: whether functions may
    write them; first: statements ahead of all others."""

    def __init__(self, ctx, arrays, calls):
        self.ctx = ctx
        self.rng = ctx.rng
        self.arrays = arrays
        self.calls = calls
        # Behind these nothing that was read before is read again.
        self.volatile = ctx.rng.random() < 0.25
        self.first = []

    # What is written.

    def _element(self, scope, type_, index):
        """Parts of an element's value: of the input, or any at all."""
        rng = self.rng
        if rng.random() < 0.2:
            return ["(", expression(rng, scope, type_, 2), ")"]
        word = "(in[(%s * %du + %du) & 4095u] ^ %du)" % (
            index, rng.randrange(1, 9), rng.randrange(4096),
            rng.getrandbits(20))
        return [{"f32": "fz_unit(%s)", "f64": "fz_unit64((u64)%s * 12345u)",
                 "u64": "((u64)%s * 0x10003u)", "v2u": "((v2u){%s, n})",
                 "v4u": "((v4u){%s, n, lin, 7u})"}.get(
                     type_, "(" + type_ + ")%s") % word]

    def _sort(self, type_, written=True):
        """How an element is stored; written: it has a value, and other threads
        leave it alone."""
        sorts = ["plain"] * 5
        if type_ in ("u32", "f32", "u64", "f64", "u16"):
            sorts.append("volatile")
        if type_ == "u32":
            sorts += ["fz_asm_put", "fz_asm_put_shared", "fz_exchange"]
            sorts += ["fz_put"] * self.calls
            sorts += ["fz_atomic_add", "fz_atomic_xor"] * written
        return self.rng.choice(sorts)

    def _store(self, scope, array, index, sort):
        place = "%s[%s]" % (array.name, index)
        before, behind = {
            "plain": ("%s = " % place, ";"),
            "volatile": ("*(volatile %s *)&%s = " % (array.type, place), ";")
        }.get(sort, ("%s(&%s, " % (sort, place), ");"))
        return Stmt("staged_store", [before] + self._element(
            scope, array.type, index) + [behind])

    def _fill(self, scope, array):
        """All threads together write all elements."""
        index, threads = self.ctx.fresh("at"), self.ctx.threads
        store = self._store(scope, array, index,
                            self._sort(array.type, written=False))
        if array.count <= threads and self.rng.random() < 0.5:
            return Stmt("staged_fill", [
                "if (lin < %du) " % array.count, Block([
                    Stmt("declare", ["const u32 %s = lin;" % index]), store])])
        return Stmt("staged_fill", [
            self.rng.choice(["#pragma unroll 1\n", ""]) +
            "for (u32 {i} = lin; {i} < {n}u; {i} += {t}u) ".format(
                i=index, n=array.count, t=threads), Block([store])])

    def _poke(self, scope, array, sort=None):
        """Writes of a few places by the thread that runs this, most of them
        read before; sort: of all of them."""
        rng = self.rng
        if not sort and rng.random() < 0.15 and array.type in ("u32", "f32"):
            return [Stmt("staged_copy", [
                "__builtin_memcpy(&%s[%d], &in[%du], %d);" % (
                    array.name, rng.randrange(array.count - 8),
                    rng.randrange(4000), 4 * rng.randrange(1, 9))])]
        places = array.read * 2 + [rng.randrange(array.count)]
        return [self._store(scope, array, "%du" % rng.choice(places),
                            sort or self._sort(array.type))
                for _ in range(rng.randint(2, 6))]

    def _write(self, scope):
        """All arrays anew, or a few places by one thread each."""
        if self.rng.random() < 0.5:
            return [self._fill(scope, a) for a in self.arrays]
        return [Stmt("staged_poke", [
            "if (lin == %du) " % self.rng.randrange(self.ctx.threads),
            Block([s for a in self._some() for s in self._poke(scope, a)])])]

    def _some(self):
        """Different arrays, so that one thread writes each."""
        return self.rng.sample(self.arrays,
                               self.rng.randint(1, len(self.arrays)))

    # What is read.

    def _place(self, array):
        """Type and text of an element, mostly at a named place."""
        rng, form = self.rng, self.rng.random()
        index = rng.randrange(array.count)
        if form < 0.08:
            return array.type, "%s[(lin * %du + %du) & %du]" % (
                array.name, rng.randrange(4), index, array.count - 1)
        if form < 0.14 and self.volatile and array.type in ("u32", "f32", "u64", "f64"):
            return array.type, "*(const volatile %s *)&%s[%d]" % (
                array.type, array.name, index)
        if form < 0.24 and array.type in ("u32", "f32"):
            alias = rng.choice(list(_ALIASES))
            return _PLAIN[alias], "((const %s *)%s)[%d]" % (
                alias, array.name, rng.randrange(
                    int(array.count / _ALIASES[alias])))
        array.read.append(index)
        return array.type, "%s[%d]" % (array.name, index)

    def _reads(self, words, arrays=None):
        """Declarations of values read, and their (type, name)."""
        stmts, values = [], []
        for _ in range(words):
            type_, text = self._place(self.rng.choice(arrays or self.arrays))
            name = self.ctx.fresh("stg")
            stmts.append(Stmt("staged_read", ["const %s %s = %s;" % (
                type_, name, text)]))
            values.append((type_, name))
        return stmts, values

    def _quiet(self, scope, values, arrays=None):
        """Statements that leave shared memory alone and read the values all
        over, and some elements where they are used."""
        ctx, rng = self.ctx, self.rng
        inner = scope.child(uniform=False, quiet=True, rows=_QUIET_ROWS)
        ctx.budget = rng.choice([2, 4, 8])
        body = Block(ctx.statements(inner, rng.randint(1, 3)))
        for _ in range(rng.choice([0, 1, 1, 2])):
            body.stmts.append(counted_loop(ctx, inner))
        blocks, weights = zip(*held.places(body))
        reads = [v for v in values for _ in range(rng.randint(0, 2))]
        reads += [(t, text) for t, text in (
            self._place(rng.choice(arrays or self.arrays))
            for _ in range(rng.randint(0, 4))) if "volatile" not in text]
        for type_, name in reads:
            block = rng.choices(blocks, weights)[0]
            block.stmts.insert(
                rng.randrange(len(block.stmts) + 1),
                held.read(rng, type_, name, pick_target_of(ctx, scope, "u32")))
        return Stmt("quiet", [body])

    # Who reads and writes.

    def rounds(self, scope, count, words):
        """All threads write, wait, read and use what they have read so far,
        some times over. The statements, and what they have read."""
        stmts, values = [], []
        for index in range(count):
            if index:
                stmts.append(Stmt("barrier", ["fz_barrier();"]))
            stmts += self._write(scope)
            stmts.append(Stmt("barrier", ["fz_barrier();"]))
            reads, new = self._reads(words)
            values += new
            stmts += reads + [self._quiet(scope, values)]
        return stmts, values

    def again(self, scope):
        """Such rounds in a loop or under a condition that all threads share,
        and values of one iteration that the next one uses."""
        rng, ctx = self.rng, self.ctx
        target = pick_target_of(ctx, scope, "u32")
        if rng.random() < 0.3:
            inner = scope.child()
            stmts, values = self.rounds(inner, rng.randint(1, 2), 6)
            stmts += [held.read(rng, t, v, target) for t, v in values]
            return [Stmt("staged_branch", ["if ((n & %du) != 0u) " % (
                1 << rng.randrange(31)), Block(stmts)])]
        name, old = ctx.fresh("it"), ctx.fresh("old")
        inner = scope.child(trips=scope.trips * 3, loop=None, can_break=False)
        inner.add("u32", name, writable=False)
        stmts, values = self.rounds(inner, rng.randint(1, 2),
                                    rng.choice([4, 8, 16]))
        words = [v for t, v in values if t == "u32"] or ["lin"]
        stmts += [Stmt("held", ["%s = fz_mix(%s, %s);" % (
            target, target, old)]), Stmt("assign", ["%s = %s;" % (
                old, rng.choice(words))])]
        stmts += [held.read(rng, t, v, target) for t, v in values]
        if rng.random() < 0.8:
            stmts.append(Stmt("barrier", ["fz_barrier();"]))
        else:  # Before the first writes instead.
            stmts.insert(0, Stmt("barrier", ["fz_barrier();"]))
        return [Stmt("declare", ["u32 %s = n;" % old]), Stmt("loop_staged", [
            rng.choice(["#pragma unroll 1\n", "#pragma unroll 1\n", ""]) +
            "for (u32 {i} = 0; {i} < {n}u; ++{i}) ".format(
                i=name, n=rng.randint(1, 3)), Block(stmts)])]

    def solo(self, scope):
        """One thread alone uses an array, so that it need not wait. Most such
        statements have one sort of store only, which alone then says that
        nothing can be read again."""
        rng, ctx = self.rng, self.ctx
        array = _Array(ctx.fresh("solo"), rng.choice(["u32", "u32", "f64"]), 32)
        thread = "if (lin == %du) " % rng.randrange(ctx.threads)
        index = ctx.fresh("at")
        self.first += [_declaration(array), Stmt("staged_fill", [
            thread + "for (u32 {i} = 0; {i} < {n}u; ++{i}) {a}[{i}] = ".format(
                i=index, n=array.count, a=array.name)]
            + self._element(scope, array.type, index) + [";"])]
        sort = self._sort(array.type) if rng.random() < 0.7 else None
        inner = scope.child(uniform=False, rows=_QUIET_ROWS)
        target = pick_target_of(ctx, scope, "u32")
        stmts, values = [], []
        for _ in range(rng.randint(1, 4)):
            if rng.random() < 0.6:
                stmts += self._poke(inner, array, sort)
            reads, new = self._reads(rng.randint(2, 12), [array])
            stmts += reads
            values += new
            stmts.append(self._quiet(inner, values, [array]))
        stmts += [held.read(rng, t, v, target) for t, v in values]
        if rng.random() < 0.4:
            stmts = [Stmt("loop_solo", [
                "#pragma unroll 1\nfor (u32 {i} = 0; {i} < 2u; ++{i}) ".format(
                    i=ctx.fresh("it")), Block(stmts)])]
        return [Stmt("staged_solo", [thread, Block(stmts)])]

    def parts(self, scope):
        """Two parts of the block, or of a warp, that wait for each other in
        places of their own: one writes, the other reads what it wrote. What
        follows must wait for the block before it writes."""
        rng, ctx = self.rng, self.ctx
        if ctx.threads % 64 == 0 and rng.random() < 0.6:
            kind, among = "staged_roles", "true"
            half = 32 * rng.randrange(1, ctx.threads // 32)
            wait = "fz_barrier_part(%d, %%d);" % ctx.threads
            first, last = "lin < %du" % half, ctx.threads - 1
        elif ctx.threads % 32 == 0:
            warp = rng.randrange(ctx.threads // 32)
            kind, among = "staged_halves", "(lin >> 5) == %du" % warp
            first = "(lin & 31u) < %du" % rng.randrange(1, 32)
            wait, last = "fz_syncwarp();", 32 * warp + 31
        else:
            return self.solo(scope)
        readers, writers = [], []
        inner = scope.child(uniform=False, rows=_QUIET_ROWS)
        target, values = pick_target_of(ctx, scope, "u32"), []
        for index in range(rng.randint(1, 3)):
            written = [Stmt("staged_poke", [
                "if (lin == %du) " % last, Block([
                    s for a in self._some() for s in self._poke(inner, a)])])]
            reads, new = self._reads(rng.randint(2, 10))
            values += new
            between = [Stmt("wait", [wait % i if "%d" in wait else wait])
                       for i in (2 * index + 1, 2 * index + 2)]
            writers += written + between
            readers += [between[0]] + reads + [self._quiet(inner, values),
                                               between[1]]
        readers += [held.read(rng, t, v, target) for t, v in values]
        if rng.random() < 0.6:  # Nobody reads this before the next barrier.
            writers += [Stmt("staged_poke", ["if (lin == %du) " % last, Block(
                self._poke(inner, rng.choice(self.arrays)))])]
        barrier = Stmt("barrier", ["fz_barrier();"])
        return [barrier, Stmt(kind, [
            "if (%s) {\n  if (%s) " % (among, first), Block(readers), " else ",
            Block(writers), "\n}"])]


def _declaration(array):
    return Stmt("declare", [
        "__shared__ __attribute__((aligned(16))) %s %s[%d];" % (
            array.type, array.name, array.count)])


def _arrays(kernel, ctx):
    """Arrays and the statements that declare them; one may be dynamic."""
    rng, arrays, stmts = ctx.rng, [], []
    for _ in range(rng.choice([1, 1, 2, 3])):
        type_ = rng.choices(list(_ELEMENTS), list(_ELEMENTS.values()))[0]
        array = _Array(ctx.fresh("stage"), type_, rng.choice([64, 128, 256]))
        if not kernel.dynamic_bytes and type_ == "u32" and rng.random() < 0.08:
            array.name = "dyn_%d" % kernel.seed
            kernel.prefix = "FZ_DYNAMIC(%s);\n" % array.name
            kernel.dynamic_bytes = 4 * array.count
        else:
            stmts.append(_declaration(array))
        arrays.append(array)
    return arrays, stmts


def fill_body(kernel, ctx, scope, calls):
    """The kernel's statements. Returns (type, name) of values that are to be
    read at its end."""
    rng = ctx.rng
    arrays, stmts = _arrays(kernel, ctx)
    staging, values = _Staging(ctx, arrays, calls), []
    stmts += [staging._fill(scope, a) for a in arrays]
    stmts.append(Stmt("barrier", ["fz_barrier();"]))
    for _ in range(rng.choice([0, 1, 1, 2])):
        ctx.budget = rng.choice([1, 3, 6])
        stmts += ctx.statements(scope, rng.randint(0, 3))
        make = rng.choice([staging.again, staging.again, staging.solo,
                           staging.parts])
        stmts += [Stmt("barrier", ["fz_barrier();"])] + make(scope)
    if rng.random() < 0.9:
        stmts.append(Stmt("barrier", ["fz_barrier();"]))
        more, values = staging.rounds(scope, rng.choice([1, 1, 1, 2]),
                                      rng.choice([10, 20, 30, 45]))
        stmts += more
    if rng.random() < 0.3:
        stmts += rng.choice([staging.solo, staging.parts])(scope)
    kernel.body.stmts += staging.first + stmts
    return values
