"""The body of one kernel: loads, memory, statements and the final hash."""

import random

from . import control, held, indexed, products, staged, strided
from .context import Context
from .functions import make_functions
from .loads import initial, load
from .memory import ATOMIC_WORDS
from .operations import WORDS, c_type
from .scope import Scope
from .tree import Stmt

# Weights of variable types in the pool; a kernel draws one profile.
_PROFILES = [
    {"u32": 8, "i32": 2, "u64": 2, "f32": 2, "u16": 1, "b": 1},
    {"u32": 4, "u64": 4, "i64": 2, "f64": 4, "u128": 1, "b": 1},
    {"f32": 8, "u32": 4, "f64": 2, "f16": 1, "v2h": 1, "b": 1},
    {"u32": 3, "v4u": 2, "v4f": 1, "v2l": 1, "v2d": 1, "v2u": 1, "v2s": 1,
     "u64": 1, "b": 1},
    {"u8": 1, "i8": 1, "u16": 1, "i16": 1, "u32": 4, "i32": 2, "u64": 2,
     "i64": 1, "u128": 1, "i128": 1, "f16": 1, "f32": 2, "f64": 1, "v4u": 1,
     "v2h": 1, "b": 3}]
_PRESSURE = [(10, 24), (24, 48), (48, 70), (70, 100), (100, 150)]
_PRESSURE_WEIGHTS = [1.5, 3, 3.5, 2, 1]
# Where most of what waits is in shared memory or in arrays.
_STAGED_PRESSURE = [(2, 6), (6, 16), (16, 40), (40, 70)]
_STAGED_PRESSURE_WEIGHTS = [4, 4, 2, 0.5]


# Of the generator of values that need no thread's slot; leaves the kernels of
# the seeds that the project's README names as they were.
SALT = "regdem values for a block, 19, %d"


class Builder:
    """Fills a kernel's functions, body, prefix and dynamic_bytes."""

    def __init__(self, kernel, rng):
        self.kernel = kernel
        self.rng = rng
        budget = rng.choices([12, 22, 34, 50], [2, 4, 3, 1])[0]
        # Kernels that the assembler may fuse products in have many of them.
        self.rows = products.rows(kernel.family) \
            if kernel.family.contract == "fast" else None
        self.ctx = Context(rng, kernel.shape.threads, kernel.out_words, budget,
                           self.rows is not None, kernel.contents.long_loops)
        self.scope = Scope(self.rows)
        self.waiting = []  # (type, name) of what no statement reads so far.

    def build(self):
        pool = self._pool() + self._same_for_block()
        memory = self._memory()
        if self.kernel.contents.strided:
            memory += strided.declare(self.ctx)
        if self.kernel.contents.arrays:
            memory += indexed.declare(self.ctx)
        if self.kernel.by_value:
            indexed.take_parameters(self.ctx)
        # Without ptxas, kernels with calls are left alone.
        few = self.kernel.contents.staged or \
            self.kernel.contents.long_loops or self.kernel.contents.arrays
        calls = self.kernel.contents.calls or not few or \
            self.rng.random() < 0.2
        if calls:
            self.kernel.functions = make_functions(
                self.rng, self.kernel.seed, self.kernel.shape.threads,
                self.rows, self.kernel.contents.calls)
        self.ctx.functions = self.kernel.functions
        late = []
        if self.kernel.contents.staged:
            late = staged.fill_body(self.kernel, self.ctx, self.scope, calls)
        else:
            self._statements()
        sums, values = indexed.epilogue(self.ctx, self.scope)
        late += values
        pool += self._held()
        self.waiting += late
        body = self.kernel.body.stmts
        counters = [Stmt("declare", ["u32 %s = 0u;" % c])
                    for c in self.ctx.counters]
        self.kernel.body.stmts = (self._prologue() + pool + memory + counters
                                  + body + sums + self._epilogue())

    def _prologue(self):
        n = ["const u32 n = args.n;"] if self.kernel.by_value else []
        return [Stmt("declare", [text]) for text in (
            *n, "const u32 lin = fz_linear();",
            "const u32 gid = fz_block() * %du + lin;" % self.ctx.threads,
            "const u32 *const src = in + 4u * (gid * 37u & 511u);",
            "u32 *const mine = out + %du + gid * %du;" % (
                ATOMIC_WORDS, self.kernel.out_words))]

    def _pool(self):
        """Variables loaded at the start and read until the end."""
        rng, stmts = self.rng, []
        for name in ("lin", "gid", "n"):
            self.scope.add("u32", name, writable=False)
        profile = rng.choice(products.profiles(self.kernel.family)
                             if self.rows else _PROFILES)
        low, high = rng.choices(_STAGED_PRESSURE, _STAGED_PRESSURE_WEIGHTS)[0] \
            if self.kernel.contents.staged or self.kernel.contents.arrays else \
            rng.choices(_PRESSURE, _PRESSURE_WEIGHTS)[0]
        words = rng.randint(low, high)
        types, weights = list(profile), list(profile.values())
        while words > 0:
            type_ = rng.choices(types, weights)[0]
            self._variable(type_, stmts)
            words -= WORDS[type_]
        for _ in range(4 - len(self.scope.write.get("u32", []))):
            self._variable("u32", stmts)
        return stmts

    def _same_for_block(self):
        """Values that are the same for all threads of a block, or functions
        of the parameter. The final hash reads them, in some kernels nothing
        else does. Drawn apart, so that the rest of a seed's kernel is what it
        is without them."""
        rng, stmts = random.Random(SALT % self.kernel.seed), []
        if rng.random() >= 0.6:
            return stmts
        for _ in range(rng.randint(2, 10)):
            name, c = self.ctx.fresh("uni"), rng.getrandbits(24) | 1
            word = "in[(fz_block() * %du + %du) & 4095u]" % (
                rng.randrange(1, 64), rng.randrange(4096))
            type_, text = rng.choice([
                ("u32", "n ^ %du" % c),
                ("u32", "n + %du" % c),
                ("u64", "(u64)n * %du" % c),
                ("u32", "fz_block() * %du ^ n" % c),
                ("u64", "(u64)(fz_block() + %du) * n + %du" % (c, c)),
                ("u32", "%s * %du" % (word, c)),
                ("u64", "(u64)%s * n + %s" % (word, word)),
                ("f64", "fz_unit64((u64)%s * %du)" % (word, c)),
                ("f32", "fz_unit(%s ^ n)" % word)])
            stmts.append(Stmt("same for block", ["const %s %s = %s;" % (
                type_, name, text)]))
            self.waiting.append((type_, name))
        return stmts

    def _held(self):
        """Further such values, and reads of all of them at many places. Drawn
        last, as all other statements must be there."""
        stmts, values = held.scatter(self.kernel, self.ctx,
                                     self.scope.write["u32"], self.waiting)
        self.waiting += values
        return stmts

    def _variable(self, type_, stmts):
        name = self.ctx.fresh("v")
        stmts.append(Stmt("declare", ["%s %s = %s;" % (
            c_type(type_), name, (products.load if self.rows else load)(
                self.rng, type_))]))
        self.scope.add(type_, name)

    def _memory(self):
        rng, ctx, stmts = self.rng, self.ctx, []
        threads = self.kernel.shape.threads
        stmts.append(Stmt("declare", ["u32 cell = src[7];"]))
        for _ in range(rng.choice([0, 0, 1, 2])):
            name, size = ctx.fresh("arr"), rng.choice([4, 8, 16, 32])
            stmts.append(Stmt("declare", [
                "u32 %s[%d];\n#pragma unroll 1\nfor (u32 i = 0; i < %du; ++i) "
                "%s[i] = src[i * 3u] + i;" % (name, size, size, name)]))
            ctx.arrays.append((name, size))
        room = 40000  # bytes of static shared memory, of 48 KB
        for users in (ctx.own_shared, ctx.common_shared):
            for _ in range(rng.choice(
                    [0, 0, 1] if self.kernel.contents.staged
                    else [0, 1, 1, 1, 2])):
                type_ = rng.choice(["u32", "u32", "u64", "f32", "f64", "v4u"])
                name = ctx.fresh("sh")
                room -= 4 * WORDS[type_] * threads
                if room < 0:
                    continue
                stmts.append(Stmt("declare", ["__shared__ %s %s[%d];" % (
                    type_, name, threads)]))
                users.append((name, type_))
        large = not self.kernel.contents.staged
        if large and rng.random() < 0.25:
            self._dynamic(threads)
        if large and room >= 24000 and rng.random() < 0.03:
            stmts.append(Stmt("declare", ["__shared__ u32 big[%d];" % (
                rng.choice([4000, 5000, 6000]))]))
            ctx.own_shared.append(("big", "u32"))
        if rng.random() < 0.4:
            ctx.bins = "bins"
            stmts.append(Stmt("declare", ["__shared__ u32 bins[8];"]))
        for name, type_ in ctx.own_shared:
            stmts.append(Stmt("declare", ["%s[lin] = %s;" % (
                name, initial(rng, type_))]))
        return stmts

    def _dynamic(self, threads):
        name = "dyn_%d" % self.kernel.seed
        self.kernel.prefix = "FZ_DYNAMIC(%s);\n" % name
        self.ctx.common_shared.append((name, "u32"))
        self.kernel.dynamic_bytes = 4 * threads
        if self.rng.random() < 0.5:
            self.ctx.own_shared.append(("(%s + %d)" % (name, threads), "u32"))
            self.kernel.dynamic_bytes *= 2

    def _statements(self):
        """A part in which all threads run together, then one in which they
        may return."""
        ctx, stmts = self.ctx, self.kernel.body.stmts
        tail = ctx.budget // 4 if self.rng.random() < 0.5 else 0
        ctx.budget -= tail
        while ctx.budget > 0:
            stmts.append(ctx.statement(self.scope))
        if tail:
            ctx.budget = tail
            scope = self.scope.child(uniform=False, returns=True)
            scope.depth = self.scope.depth
            stmts.append(control.early_return(ctx, scope))
            while ctx.budget > 0:
                stmts.append(ctx.statement(scope))

    def _epilogue(self):
        """Hashes every variable into the thread's output words."""
        rng, stmts = self.rng, []
        names = [n for t in sorted(self.scope.write)
                 for n in self.scope.write[t]]
        names += ["%s[%d]" % (a, i) for a, size in self.ctx.arrays
                  for i in (0, size - 1)]
        names += ["%s[lin]" % a for a, _ in self.ctx.own_shared] + ["cell"]
        rng.shuffle(names)
        names += [name for _, name in self.waiting]
        words = self.kernel.out_words
        for word in range(words):
            parts = ["{ u32 h = %du;" % rng.getrandbits(32)]
            for name in names[word::words]:
                parts.append("\n  h = fz_mix(h, %s);" % name)
            parts.append("\n  mine[%du] = h; }" % word)
            stmts.append(Stmt("hash", ["".join(parts)]))
        return stmts
