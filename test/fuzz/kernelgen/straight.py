"""Statements without control flow that any thread may run at any time."""

from .expressions import condition, expression, leaf
from .operations import VECTORS, c_type
from .tree import Block, Stmt, fill


def pick_target(ctx, scope):
    """A writable variable, weighted by the number of variables of a type."""
    names = [(t, n) for t in sorted(scope.write) for n in scope.write[t]]
    return ctx.rng.choice(names)


def assign(ctx, scope):
    type_, name = pick_target(ctx, scope)
    value = expression(ctx.rng, scope, type_, ctx.rng.choice([2, 3, 3, 4]))
    return Stmt("assign", [name + " = ", value, ";"])


def select(ctx, scope):
    type_, name = pick_target(ctx, scope)
    rng = ctx.rng
    return Stmt("select", [name + " = ", condition(rng, scope), " ? ",
                           expression(rng, scope, type_, 2), " : ",
                           leaf(rng, scope, type_), ";"])


def predicate(ctx, scope):
    names = scope.write.get("b")
    if not names:
        return None
    return Stmt("predicate", [ctx.rng.choice(names) + " = ",
                              condition(ctx.rng, scope, 3), ";"])


def rotate(ctx, scope):
    """v0 = v1, v1 = v2, ... v0: phi cycles when it stands in a loop."""
    types = [t for t in sorted(scope.write) if len(scope.write[t]) >= 2
             and t != "b"]
    if not types:
        return None
    type_ = ctx.rng.choice(types)
    count = ctx.rng.randint(2, min(5, len(scope.write[type_])))
    names = ctx.rng.sample(scope.write[type_], count)
    moves = " ".join("%s = %s;" % pair for pair in zip(names, names[1:]))
    return Stmt("rotate", ["{ const %s r = %s; %s %s = r; }" % (
        c_type(type_), names[0], moves, names[-1])])


def burst(ctx, scope):
    """Many temporaries made first and used together afterwards."""
    rng = ctx.rng
    type_ = rng.choice(["u32", "u32", "u64", "f32", "f64"])
    count = rng.randint(4, 24 if type_ in ("u32", "f32") else 12)
    inner = scope.child()
    stmts, names = [], []
    for _ in range(count):
        name = ctx.fresh("t")
        stmts.append(Stmt("temporary", [
            "const %s %s = " % (type_, name),
            expression(rng, scope, type_, rng.choice([1, 2])), ";"]))
        inner.add(type_, name, writable=False)
        names.append(name)
    order = names[:]
    operators = "+-*" if type_[0] == "f" else "+-*^|"
    for _ in range(rng.choice([1, 2, 2])):
        rng.shuffle(order)
        target = pick_target_of(ctx, scope, type_)
        if target is None:
            return None
        parts = [target + " = " + "(" * (count - 1) + order[0]]
        parts[0] += "".join(" %s %s)" % (rng.choice(operators), o)
                            for o in order[1:])
        stmts.append(Stmt("assign", [parts[0] + ";"]))
    target = pick_target(ctx, scope)
    stmts.append(Stmt("assign", [target[1] + " = ", expression(
        rng, inner, target[0], 3), ";"]))
    return Stmt("burst", [Block(stmts)])


def pick_target_of(ctx, scope, type_):
    names = scope.write.get(type_)
    return ctx.rng.choice(names) if names else None


def element(ctx, scope):
    """Writes one element of a vector variable."""
    types = [t for t in sorted(scope.write) if t in VECTORS]
    if not types:
        return None
    type_ = ctx.rng.choice(types)
    kind, count = VECTORS[type_]
    return Stmt("element", [
        "%s.%s = " % (ctx.rng.choice(scope.write[type_]),
                      "xyzw"[ctx.rng.randrange(count)]),
        expression(ctx.rng, scope, kind, 2), ";"])


def inline_asm(ctx, scope):
    """PTX with read-and-written operands or two results."""
    names = scope.write.get("u32", [])
    if len(names) < 2:
        return None
    first, second = ctx.rng.sample(names, 2)
    value = expression(ctx.rng, scope, "u32", 2)
    template = ctx.rng.choice([
        "fz_asm_accumulate(&%s, @);" % first,
        "fz_asm_carry(&%s, &%s, @);" % (first, second),
        "fz_asm_sumdiff(&%s, &%s);" % (first, second)])
    kids = [value] if "@" in template else []
    return Stmt("asm", fill(template, kids))


def call(ctx, scope):
    """Calls a noinline device function, some of them through a pointer."""
    if scope.function or not ctx.functions:
        return None
    rng = ctx.rng
    function = rng.choice(ctx.functions)
    name = pick_target_of(ctx, scope, function.returns)
    if name is None:
        return None
    kids = [expression(rng, scope, t, 2) for t in function.params]
    arguments = ["in", "n"] + ["@"] * len(kids)
    if function.by_reference:
        if ctx.arrays:
            array, size = rng.choice(ctx.arrays)
            arguments.append("&%s[@ & %du]" % (array, size - 1))
            kids.append(leaf(rng, scope, "u32"))
        else:
            arguments.append("&%s" % ctx.cell)
    template = "%s = %s(%s);" % (name, function.name, ", ".join(arguments))
    return Stmt("call", fill(template, kids))


def vector_load(ctx, scope):
    """One 8- or 16-byte load spread over several variables."""
    names = scope.write.get("u32", [])
    if len(names) < 4:
        return None
    index = expression(ctx.rng, scope, "u32", 1)
    a, b, c, d = ctx.rng.sample(names, 4)
    return Stmt("vector_load", [
        "{ const v4u w = ((const v4u_alias *)in)[", index,
        " & 1023u]; %s = w.x; %s ^= w.y; %s += w.z; %s = w.w; }" % (
            a, b, c, d)])


def store_early(ctx, scope):
    """Writes the thread's own output word; the epilogue may overwrite it."""
    if scope.function:
        return None
    return Stmt("store", ["mine[%du] = " % ctx.rng.randrange(ctx.out_words),
                          expression(ctx.rng, scope, "u32", 2), ";"])


STATEMENTS = [(10, assign), (2, select), (2, predicate), (1.5, rotate),
              (1.2, burst), (1, element), (1.2, inline_asm), (1.5, call),
              (0.8, vector_load), (0.6, store_early)]
