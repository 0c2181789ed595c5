"""Device functions that clang does not inline."""

from .context import Context
from .expressions import expression
from .operations import c_type
from .scope import Scope
from .tree import Block, Stmt


class Function:
    """returns, params: types; by_reference: a pointer to u32 comes last;
    inlinable: only clang's options keep it from being inlined."""

    def __init__(self, name, returns, params, by_reference, inlinable):
        self.name = name
        self.returns = returns
        self.params = params
        self.by_reference = by_reference
        self.inlinable = inlinable
        self.body = Block()

    def children(self):
        return [self.body]

    def text(self, pad=""):
        params = ["const u32 *in", "u32 n"]
        params += ["%s p%d" % (c_type(t), i)
                   for i, t in enumerate(self.params)]
        if self.by_reference:
            params.append("u32 *ref")
        return "%s %s %s(%s) %s\n" % (
            "FZ_CALLED" if self.inlinable else "FZ_NOINLINE",
            c_type(self.returns), self.name, ", ".join(params),
            self.body.text(pad))


def make_functions(rng, seed, threads, rows=None, inlinable=False):
    """None to three functions for the kernel of the seed, at least one if
    RegDem may inline them; rows: see Scope."""
    functions = []
    for index in range(rng.choice([1, 1, 2, 3] if inlinable else
                                  [0, 0, 1, 1, 2, 3])):
        returns = rng.choice(["u32", "u32", "u64", "f32", "f64"])
        params = [rng.choice(["u32", "u64", "f32", "i32", "f64", "u16",
                              "v4u", "u128"])
                  for _ in range(rng.randint(1, 6))]
        function = Function("fn_%d_%d" % (seed, index), returns, params,
                            rng.random() < 0.3, inlinable)
        _fill_body(rng, function, threads, rows)
        functions.append(function)
    return functions


def _fill_body(rng, function, threads, rows):
    scope = Scope(rows)
    scope.function, scope.uniform, scope.depth = True, False, 1
    ctx = Context(rng, threads, 0, rng.choice([3, 6, 10]), rows is not None)
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
    stmts += [Stmt("declare", ["u32 %s = 0u;" % c]) for c in ctx.counters]
    function.body.stmts = stmts + function.body.stmts + [Stmt("return", [
        "return ", expression(rng, scope, function.returns, 3), ";"])]
