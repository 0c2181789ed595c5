"""Random expressions over the names in scope."""

from .operations import OPERATIONS, SIGNED, UNSIGNED, VECTORS
from .tree import Expr, fill

_FLOATS = {"f16": ["1.5", "-0.25", "3.0"],
           "f32": ["0.5f", "-1.25f", "3.0f", "0x1p-20f", "1e10f"],
           "bf16": ["1.5", "-0.25", "3.0"],
           "f64": ["0.5", "-1.25", "3.0", "0x1p-40", "1e100"]}
_SPECIAL = [0, 1, 2, 3, 5, 31, 255, 0x7fffffff, 0x80000000, 0xffffffff]


def prepare(table):
    """What expression() needs of a table like OPERATIONS: see Scope.rows."""
    return {t: ([r[0] for r in rows], rows) for t, rows in table.items()}


_ROWS = prepare(OPERATIONS)


def literal(rng, type_):
    """A constant of the type."""
    if type_ == "b":
        return Expr("b", [rng.choice(["true", "false"])])
    if type_ in _FLOATS:
        return Expr(type_, ["(%s)%s" % (type_, rng.choice(_FLOATS[type_]))])
    if type_ in VECTORS:
        element, count = VECTORS[type_]
        kids = [literal(rng, element) for _ in range(count)]
        return Expr(type_, fill("((%s){%s})" % (type_, ", ".join("@" * count)),
                                kids))
    bits = UNSIGNED.get(type_) or SIGNED[type_]
    value = rng.choice(_SPECIAL) if rng.random() < 0.4 else \
        rng.getrandbits(32)
    if bits >= 64 and rng.random() < 0.5:
        value |= rng.getrandbits(32) << 32
    return Expr(type_, ["(%s)0x%xull" % (type_, value)])


def leaf(rng, scope, type_):
    """A variable in scope, a constant if there is none of the type."""
    names = scope.read.get(type_)
    if names and rng.random() < 0.93:
        return Expr(type_, [rng.choice(names)])
    if not names and type_ in ("u32", "u64") or rng.random() < 0.05:
        source = scope.read.get("u32")
        if source and type_ in UNSIGNED:
            return Expr(type_, ["(%s)" % type_, Expr("u32",
                                                     [rng.choice(source)])])
    if names:
        return Expr(type_, [rng.choice(names)])
    return _from_any(rng, scope, type_)


def _from_any(rng, scope, type_):
    """A leaf of a type that no variable in scope has."""
    if type_ in UNSIGNED or type_ in SIGNED:
        for other in ("u32", "u64", "i32"):
            if scope.read.get(other):
                inner = Expr(other, [rng.choice(scope.read[other])])
                return Expr(type_, ["(%s)" % type_, inner])
    if type_ in _FLOATS and scope.read.get("u32"):
        inner = Expr("u32", [rng.choice(scope.read["u32"])])
        return Expr(type_, ["(%s)fz_unit(" % type_, inner, ")"])
    if type_ in VECTORS:
        element, count = VECTORS[type_]
        kids = [leaf(rng, scope, element) for _ in range(count)]
        return Expr(type_, fill("((%s){%s})" % (type_, ", ".join("@" * count)),
                                kids))
    if type_ == "b" and scope.read.get("u32"):
        inner = Expr("u32", [rng.choice(scope.read["u32"])])
        return Expr("b", ["((", inner, " & 1u) != 0u)"])
    return literal(rng, type_)


def expression(rng, scope, type_, depth):
    """An expression tree of at most the given depth."""
    if depth <= 0 or rng.random() < 0.12:
        if rng.random() < 0.1:
            return literal(rng, type_)
        return leaf(rng, scope, type_)
    weights, rows = (scope.rows or _ROWS)[type_]
    _, template, kinds = rng.choices(rows, weights)[0]
    kids = [expression(rng, scope, kind, depth - 1) for kind in kinds]
    return Expr(type_, fill("(" + template + ")", kids))


def condition(rng, scope, depth=2):
    return expression(rng, scope, "b", depth)


def uniform_u32(rng, scope):
    """A value that all threads of the block agree on."""
    shift = rng.randrange(0, 28)
    text = "(n >> %du)" % shift
    if scope.counters and rng.random() < 0.5:
        text = "(%s ^ %s)" % (text, rng.choice(scope.counters))
    return Expr("u32", [text])


def block_condition(rng, scope, salt):
    """A condition that all threads of the block agree on, mostly true; salt:
    a value that they agree on, by which it varies."""
    return Expr("b", ["((", uniform_u32(rng, scope), " ^ %s) & %du) != 0u" % (
        salt, rng.choice([1, 3, 7]))])
