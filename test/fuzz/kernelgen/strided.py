"""Accesses whose addresses have much in common.

Fields of structures of arrays, rows of a matrix and neighbours on a grid are
many accesses at site + k * stride, of which the compiler knows neither. LLVM
shares sites and multiples, which RegDem may have it leave out. What may be
done with an index depends on how it is written: in 32 bits or 64, with a sign,
wrapping.

Which values a stride may have is known here, and a statement draws its factors
so that whatever the strides are, all accesses stay in their array.
"""

from .expressions import expression
from .straight import pick_target_of
from .tree import Block, Stmt

# Type of an element -> bytes, weight.
_ELEMENTS = {"u32": (4, 8), "f32_alias": (4, 2), "u16_alias": (2, 1),
             "u64_alias": (8, 3), "v2u_alias": (8, 1), "v4u_alias": (16, 1)}
# Arrays of input and their words; 'src' is a part of 'in'.
_ARRAYS = {"in": 4096, "src": 2048}
_STYLES = {"i32": "(i32)%s", "i64": "(i64)%s", "i64 of i32": "(i64)%s",
           "u32": "(u32)%s"}
_MOST_TRIPS = 4  # of a loop with strided loads.


class Stride:
    """A variable of the kernel, between low and high; text: the variable, as
    a signed number."""

    def __init__(self, name, type_, low, high):
        self.text = "(i32)" + name if type_ == "u32" else name
        self.low = low
        self.high = high


def _stride(ctx, most):
    """A new stride of at most 'most' either way, and its declaration."""
    rng, name = ctx.rng, ctx.fresh("step")
    text = "(%s & %du)" % (rng.choice([
        "(n >> %d)" % rng.randrange(24), "in[%du]" % rng.randrange(4096),
        "src[%du]" % rng.randrange(2048),
        "(fz_block() * %du + n)" % rng.randrange(1, 99)]), most)
    low, high = rng.choice([(0, most), (1, most + 1), (-most, 0)])
    if low == 1:
        text += " + 1u"
    elif low < 0:
        text = "0u - " + text
    if rng.random() < 0.5:  # LLVM knows no bounds of what inline PTX computes.
        text = "fz_asm_add(%s, 0u)" % text
    type_ = rng.choice(["i32", "i32", "u32", "i64"])
    return Stride(name, type_, low, high), Stmt("declare", [
        "const %s %s = (i32)(%s);" % (type_, name, text)])


def declare(ctx):
    """Declarations of the kernel's strides: those of input, which the context
    gets, and two that are small enough for a thread's few words of output."""
    stmts = []
    for strides, bounds in ((ctx.strides, [3, 15, 31, 63, 127]),
                            (ctx.small_strides, [1])):
        for _ in range(ctx.rng.randint(2, 3)):
            stride, stmt = _stride(ctx, ctx.rng.choice(bounds))
            strides.append(stride)
            stmts.append(stmt)
    return stmts


class _Term:
    """factor * stride, of factors from low to high."""

    def __init__(self, stride, low, high):
        self.stride = stride
        self.low = low
        self.high = high

    def ends(self):
        """Least and most that the product may be."""
        products = [f * v for f in (self.low, self.high)
                    for v in (self.stride.low, self.stride.high)]
        return min(products), max(products)


def _terms(rng, strides, room, loop):
    """Terms that together stay in an interval of 'room' values, and the least
    value; the last one is of a loop's counter if 'loop'."""
    count = rng.choice([1, 1, 2]) + loop
    used = [rng.choice(strides) for _ in range(count)]
    for most in (rng.choice([30, 12, 6]), 6, 3, 2, 1, 0):
        low = -most if rng.random() < 0.3 else 0
        terms = [_Term(s, low, most) for s in used]
        if loop:
            terms[-1] = _Term(used[-1], 0, min(_MOST_TRIPS - 1, most))
        ends = [t.ends() for t in terms]
        least, largest = (sum(e[i] for e in ends) for i in (0, 1))
        if largest - least < room:
            return terms, least
    raise AssertionError("zero factors leave the array")


def _factors(rng, terms, count):
    """Rows of factors; most differ in one factor from the row before."""
    rows = []
    for _ in range(3 * count):
        row = [rng.randint(t.low, t.high) for t in terms]
        if rows and len(terms) > 1 and rng.random() < 0.7:
            row[0] = rows[-1][0]
        if tuple(row) not in rows or rng.random() < 0.1:
            rows.append(tuple(row))
    rows = rows[:count]
    return sorted(rows) if rng.random() < 0.6 else rows


def _sum(style, first, terms, factors):
    """Text of first + the terms. In the style u32 it wraps, and counts as an
    index without a sign."""
    form, text = _STYLES[style], str(first) + ("u" if style == "u32" else "")
    for term, factor in zip(terms, factors):
        if style == "u32" and not isinstance(factor, str):
            factor = "%du" % (factor & 0xffffffff)
        product = "%s * (%s)" % (form % term.stride.text, factor)
        if style == "i64 of i32":
            product = form % ("((i32)%s * (%s))" % (term.stride.text, factor))
        text += " + " + product
    return text


class _Sites:
    """Indices of a statement: text() of one, given its factors."""

    def __init__(self, ctx, strides, array, size, loop=None):
        rng = ctx.rng
        self.array = array
        self.sites = rng.choice([s for s in (16, 64, 256) if 4 * s <= size]
                                or [1])
        self.loop = loop
        self.terms, least = _terms(rng, strides, size - self.sites + 1,
                                   loop is not None)
        self.first = -least
        self.style = rng.choice(["i32", "i32", "i64", "i64 of i32", "u32"])
        # The terms alone may be negative, which an index of u32 is not.
        self.by_pointer = self.style != "u32" and rng.random() < 0.5

    def rows(self, rng, count):
        free = self.terms[:-1] if self.loop else self.terms
        return _factors(rng, free, count)

    def enter(self, ctx, scope, type_):
        """Statements ahead of the accesses at a new site."""
        rng = ctx.rng
        self.site = ctx.fresh("site")
        value = rng.choice(["lin", "gid", None])
        stmts = [Stmt("declare", ["const %s %s = (" % (
            rng.choice(["u32", "i32"]), self.site), value or expression(
                rng, scope, "u32", 2), " >> %d) & %du;" % (
                    rng.randrange(3), self.sites - 1)])]
        if self.by_pointer:
            self.pointer = ctx.fresh("at")
            stmts.append(Stmt("declare", ["%s *const %s = %s + (%s + %d);" % (
                type_, self.pointer, self.array, self.site, self.first)]))
        return stmts

    def text(self, factors):
        if self.loop:
            factors += (self.loop,)
        if self.by_pointer:
            return "%s[%s]" % (self.pointer, _sum(self.style, 0, self.terms,
                                                  factors))
        return "%s[%s + %s]" % (
            self.array, _STYLES[self.style] % self.site,
            _sum(self.style, self.first, self.terms, factors))


def _loads(ctx, sites, rows, type_, target):
    """Loads and what becomes of them, beside each other or all loads first."""
    rng, loads, uses = ctx.rng, [], []
    for row in rows:
        name = ctx.fresh("elem")
        loads.append(Stmt("strided_load", ["%s %s = %s;" % (
            type_, name, sites.text(row))]))
        form = "{t} = fz_mix({t}, {v});"
        if type_ == "const u32":
            form = rng.choice([form, "{t} ^= {v};", "{t} = {t} * 5u + {v};"])
        uses.append(Stmt("mix", [form.format(t=target, v=name)]))
    if rng.random() < 0.5:
        return [s for pair in zip(loads, uses) for s in pair]
    if rng.random() < 0.5:
        rng.shuffle(uses)
    return loads + uses


def _accesses(ctx, counter):
    """Type of elements, sites and rows of factors of a statement. Half of them
    are those of a statement before, if there is no counter: what the one and
    the other share has to wait in between."""
    rng = ctx.rng
    if ctx.gathers and not counter and rng.random() < 0.6:
        return rng.choice(ctx.gathers)
    type_ = rng.choices(list(_ELEMENTS), [w for _, w in _ELEMENTS.values()])[0]
    array = rng.choice(list(_ARRAYS))
    size = 4 * _ARRAYS[array] // _ELEMENTS[type_][0]
    const = "const " + type_
    sites = _Sites(ctx, ctx.strides, "((%s *)%s)" % (const, array), size,
                   counter)
    made = const, sites, sites.rows(rng, rng.choice([3, 6, 10, 16]))
    if not counter:
        ctx.gathers.append(made)
    return made


def gather(ctx, scope):
    """Loads of the same factors at one site or several, in a loop that moves
    them or in none."""
    target = pick_target_of(ctx, scope, "u32")
    if scope.function or not ctx.strides or target is None:
        return None
    rng = ctx.rng
    counter = ctx.fresh("it") if rng.random() < 0.3 and \
        scope.trips * _MOST_TRIPS <= 96 else None
    const, sites, rows = _accesses(ctx, counter)
    stmts = []
    for _ in range(1 if counter else rng.choice([1, 1, 2, 3])):
        stmts += sites.enter(ctx, scope, const)
        loads = _loads(ctx, sites, rows, const, target)
        if counter:
            loads = [Stmt("loop_strided", [
                rng.choice(["#pragma unroll 1\n", ""]) +
                "for (i32 %s = 0; %s < %d; ++%s) " % (
                    counter, counter, rng.randint(1, sites.terms[-1].high + 1),
                    counter),
                Block(loads)])]
        stmts += loads
        if rng.random() < 0.5:
            stmts.append(ctx.statement(scope))
    return Stmt("strided", [Block(stmts)])


def own_words(ctx, scope):
    """Stores to the thread's own words of output, and reads of what was
    stored, in another order."""
    target = pick_target_of(ctx, scope, "u32")
    if scope.function or not ctx.small_strides or target is None:
        return None
    rng = ctx.rng
    sites = _Sites(ctx, ctx.small_strides, "mine", ctx.out_words)
    rows = sites.rows(rng, rng.choice([2, 4, 6]))
    stmts = sites.enter(ctx, scope, "u32")
    for row in rows:
        stmts.append(Stmt("strided_store", [sites.text(row) + " = ",
                                            expression(rng, scope, "u32", 1),
                                            ";"]))
    rng.shuffle(rows)
    stmts += _loads(ctx, sites, rows, "const u32", target)
    return Stmt("strided", [Block(stmts)])


STATEMENTS = [(5, gather), (1, own_words)]
