"""One kernel with its device functions and metadata, from one seed."""

import random

from . import control
from .context import Context
from .expressions import c_type, expression
from .family import Family
from .memory import ATOMIC_WORDS
from .operations import VECTORS, WORDS
from .scope import Scope
from .shape import Shape
from .tree import Block, Stmt, walk

IN_WORDS = 4096
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


class Function:
    def __init__(self, name, returns, params, by_reference):
        self.name = name
        self.returns = returns
        self.params = params
        self.by_reference = by_reference
        self.body = Block()

    def children(self):
        return [self.body]

    def text(self, pad=""):
        params = ["const u32 *in", "u32 n"]
        params += ["%s p%d" % (c_type(t), i)
                   for i, t in enumerate(self.params)]
        if self.by_reference:
            params.append("u32 *ref")
        return "FZ_NOINLINE %s %s(%s) %s\n" % (
            c_type(self.returns), self.name, ", ".join(params),
            self.body.text(pad))


class Kernel:
    """functions and body are trees; prefix and header are fixed text."""

    def __init__(self, seed):
        rng = random.Random("regdem kernel %d" % seed)
        self.seed = seed
        self.name = "fuzz_%d" % seed
        self.family = Family(seed)
        self.shape = Shape(rng, self.family)
        self.out_words = rng.randint(3, 8)
        self.functions = []
        self.prefix = ""
        self.dynamic_bytes = 0
        self.body = Block()
        restrict = "__restrict__ " if rng.random() < 0.5 else ""
        self.header = ("extern \"C\" __global__ %svoid %s(const u32 *%sin, "
                       "u32 *%sout, u32 n) " % (self.shape.attribute(),
                                                self.name, restrict, restrict))
        _Builder(self, rng).build()

    def children(self):
        return self.functions + [self.body]

    def text(self, pad=""):
        return (self.prefix + "".join(f.text() + "\n" for f in self.functions)
                + self.header + self.body.text(pad) + "\n")

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
                "max_regs": self.family.cap, "in_words": IN_WORDS,
                "out_words": ATOMIC_WORDS + threads * self.out_words,
                "n": random.Random("n %d" % self.seed).getrandbits(31),
                "kinds": self.kinds()}


class _Builder:
    def __init__(self, kernel, rng):
        self.kernel = kernel
        self.rng = rng
        budget = rng.choices([12, 22, 34, 50], [2, 4, 3, 1])[0]
        self.ctx = Context(rng, kernel.shape.threads, kernel.out_words, budget)
        self.scope = Scope()

    def build(self):
        pool = self._pool()
        memory = self._memory()
        self._functions()
        self._statements()
        body = self.kernel.body.stmts
        counters = [Stmt("declare", ["u32 %s = 0u;" % c])
                    for c in self.ctx.counters]
        self.kernel.body.stmts = (self._prologue() + pool + memory + counters
                                  + body + self._epilogue())

    def _prologue(self):
        return [Stmt("declare", [text]) for text in (
            "const u32 lin = fz_linear();",
            "const u32 gid = fz_block() * %du + lin;" % self.ctx.threads,
            "const u32 *const src = in + 4u * (gid * 37u & 511u);",
            "u32 *const mine = out + %du + gid * %du;" % (
                ATOMIC_WORDS, self.kernel.out_words))]

    def _pool(self):
        """Variables loaded at the start and read until the end."""
        rng, stmts = self.rng, []
        for name in ("lin", "gid", "n"):
            self.scope.add("u32", name, writable=False)
        profile = rng.choice(_PROFILES)
        low, high = rng.choices(_PRESSURE, _PRESSURE_WEIGHTS)[0]
        words = rng.randint(low, high)
        types, weights = list(profile), list(profile.values())
        while words > 0:
            type_ = rng.choices(types, weights)[0]
            self._variable(type_, stmts)
            words -= WORDS[type_]
        for _ in range(4 - len(self.scope.write.get("u32", []))):
            self._variable("u32", stmts)
        return stmts

    def _variable(self, type_, stmts):
        name = self.ctx.fresh("v")
        stmts.append(Stmt("declare", ["%s %s = %s;" % (
            c_type(type_), name, self._load(type_))]))
        self.scope.add(type_, name)

    def _load(self, type_):
        """Text that loads a value of the type from the input."""
        word = "src[%du]" % self.rng.randrange(2048)
        if type_ in VECTORS:
            element, count = VECTORS[type_]
            if type_ == "v4u":
                return "((const v4u_alias *)src)[%du]" % \
                    self.rng.randrange(512)
            return "{%s}" % ", ".join(self._load(element)
                                      for _ in range(count))
        if type_ == "b":
            return "(%s & %du) != 0u" % (word, 1 << self.rng.randrange(31))
        if type_ == "u64":
            return "((const u64_alias *)src)[%du]" % self.rng.randrange(1024)
        if type_ in ("f32", "f16"):
            return "(%s)fz_unit(%s)" % (type_, word)
        if type_ == "f64":
            return "fz_unit64(%s)" % self._load("u64")
        if type_ in ("u128", "i128"):
            return "(%s)%s << %du ^ %s" % ("u128", self._load("u64"),
                                           self.rng.randrange(40, 64),
                                           self._load("u64"))
        return "(%s)%s" % (type_, word)

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
        for users in (ctx.own_shared, ctx.common_shared):
            for _ in range(rng.choice([0, 1, 1, 1, 2])):
                type_ = rng.choice(["u32", "u32", "u64", "f32", "f64", "v4u"])
                name = ctx.fresh("sh")
                stmts.append(Stmt("declare", ["__shared__ %s %s[%d];" % (
                    type_, name, threads)]))
                users.append((name, type_))
        if rng.random() < 0.25:
            self._dynamic(threads)
        if rng.random() < 0.03:
            stmts.append(Stmt("declare", ["__shared__ u32 big[%d];" % (
                rng.choice([4000, 5000, 6000]))]))
            ctx.own_shared.append(("big", "u32"))
        if rng.random() < 0.4:
            ctx.bins = "bins"
            stmts.append(Stmt("declare", ["__shared__ u32 bins[8];"]))
        for name, type_ in ctx.own_shared:
            stmts.append(Stmt("declare", ["%s[lin] = %s;" % (
                name, self._initial(type_))]))
        return stmts

    def _initial(self, type_):
        load = self._load(type_)
        return "(%s)%s" % (type_, load) if type_ in VECTORS and \
            load.startswith("{") else load

    def _dynamic(self, threads):
        name = "dyn_%d" % self.kernel.seed
        self.kernel.prefix = "FZ_DYNAMIC(%s);\n" % name
        self.ctx.common_shared.append((name, "u32"))
        self.kernel.dynamic_bytes = 4 * threads
        if self.rng.random() < 0.5:
            self.ctx.own_shared.append(("(%s + %d)" % (name, threads), "u32"))
            self.kernel.dynamic_bytes *= 2

    def _functions(self):
        rng = self.rng
        for index in range(rng.choice([0, 0, 1, 1, 2, 3])):
            returns = rng.choice(["u32", "u32", "u64", "f32", "f64"])
            params = [rng.choice(["u32", "u64", "f32", "i32", "f64", "u16",
                                  "v4u", "u128"])
                      for _ in range(rng.randint(1, 6))]
            function = Function("fn_%d_%d" % (self.kernel.seed, index),
                                returns, params, rng.random() < 0.3)
            self._function_body(function)
            self.kernel.functions.append(function)
        self.ctx.functions = self.kernel.functions

    def _function_body(self, function):
        rng = self.rng
        scope = Scope()
        scope.function, scope.uniform, scope.depth = True, False, 1
        ctx = Context(rng, self.ctx.threads, 0, rng.choice([3, 6, 10]))
        stmts = []
        scope.add("u32", "n", writable=False)
        for index, type_ in enumerate(function.params):
            scope.add(type_, "p%d" % index)
        if function.by_reference:
            scope.add("u32", "(*ref)")
        for type_ in ("u32", "u32", "u64", "f32", function.returns):
            name = ctx.fresh("l")
            stmts.append(Stmt("declare", [
                "%s %s = " % (type_, name),
                expression(rng, scope, type_, 2), ";"]))
            scope.add(type_, name)
        while ctx.budget > 0:
            function.body.stmts.append(ctx.statement(scope))
        stmts += [Stmt("declare", ["u32 %s = 0u;" % c])
                  for c in ctx.counters]
        function.body.stmts = stmts + function.body.stmts + [Stmt("return", [
            "return ", expression(rng, scope, function.returns, 3), ";"])]

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
        words = self.kernel.out_words
        for word in range(words):
            parts = ["{ u32 h = %du;" % rng.getrandbits(32)]
            for name in names[word::words]:
                parts.append("\n  h = fz_mix(h, %s);" % name)
            parts.append("\n  mine[%du] = h; }" % word)
            stmts.append(Stmt("hash", ["".join(parts)]))
        return stmts
