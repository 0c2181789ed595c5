"""What kernels of a family compiled with -ffp-contract=fast have besides:
products, quotients and what becomes of them, for an assembler that may fuse
or scale them.

A product whose sum stands right beside it is fused by LLVM; those with several
readers, in other blocks, behind signs, selects and packing are ptxas's to
fuse. Rows are those of operations.py, statements those of straight.py.
"""

from . import loads, straight
from .expressions import condition, expression, leaf, prepare
from .operations import OPERATIONS, VECTORS, c_type
from .tree import Block, Stmt

_PROFILES = [
    {"f32": 12, "u32": 3, "f64": 1, "b": 1},
    {"f32": 8, "f64": 2, "u32": 3, "v4f": 1, "b": 1},
    {"f64": 8, "u32": 3, "f32": 2, "v2d": 1, "b": 1},
    {"f16": 4, "v2h": 5, "f32": 3, "u32": 3, "b": 1}]
_BF16_PROFILES = _PROFILES + [
    {"bf16": 4, "v2b": 5, "f32": 3, "u32": 3, "b": 1}]
_FLUSH = "-fgpu-flush-denormals-to-zero"
_INEXACT = ["-ffast-math", "-fhonor-nans", "-fhonor-infinities"]
# Compiler options of which a family draws one row.
FLAGS = [[], [], [], [_FLUSH], _INEXACT, _INEXACT + [_FLUSH]]
_SUFFIX = {"f32": "f", "f64": ""}
_SCALES = ["0.5", "2.0", "4.0", "0.25", "8.0", "0.125", "16.0", "-0.5",
           "-2.0", "1.0", "-1.0", "0x1p-12"]
_SUMMED = ["f32", "f64", "f16", "bf16", "v2h", "v2b", "v4f", "v2d"]


def _abs(type_, text):
    if type_ in _SUFFIX:
        return "__builtin_fabs%s(%s)" % (_SUFFIX[type_], text)
    if type_ in ("f16", "bf16"):
        return "(%s)__builtin_fabsf((f32)%s)" % (type_, text)
    return "__builtin_elementwise_abs(%s)" % text


def _scale(type_, factor):
    return "@ * (%s)%s" % (VECTORS.get(type_, (type_,))[0], factor)


def _float_rows(type_):
    rows = [(8, "(%s)(@ * @)" % type_, [type_] * 2),
            (3, "(%s)(@ * @ + @)" % type_, [type_] * 3),
            (3, "(%s)(@ - @ * @)" % type_, [type_] * 3),
            (2, "(%s)(%s + @)" % (type_, _abs(type_, "(%s)(@ * @)" % type_)),
             [type_] * 3),
            (2, _abs(type_, "@"), [type_])]
    rows += [(0.5, "(%s)(%s)" % (type_, _scale(type_, factor)), [type_])
             for factor in _SCALES]
    return rows


def _single_rows():
    return [(1.5, "fz_div_approx(@, @)", ["f32"] * 2),
            (1, "(@ / @)", ["f32"] * 2), (1, "(1.0f / @)", ["f32"]),
            (1, "fz_sqrt_approx(@)", ["f32"]),
            (1, "fz_rcp_approx(@)", ["f32"]),
            (1, "fz_mul_rn(@, @)", ["f32"] * 2),
            (1, "fz_mul_rn(@, 0.5f)", ["f32"]),
            (1, "fz_add_rn(@, @)", ["f32"] * 2),
            (1, "fz_asm_mul_f32(@, @)", ["f32"] * 2),
            (1, "fz_asm_add_f32(@, @)", ["f32"] * 2),
            (1, "fz_asm_div_f32(@, @)", ["f32"] * 2),
            (1, "fz_asm_first(@, @)", ["f32"] * 2),
            (1, "fz_second(@, @)", ["f32"] * 2),
            (1, "fz_small(@)", ["u32"]),
            (1, "(@ ? @ * @ : @)", ["b"] + ["f32"] * 3),
            (0.5, "(f32)@.y", ["v2h"])]


def _table(bf16):
    table = {t: list(rows) for t, rows in OPERATIONS.items()}
    for type_ in ("v2h", "v2b"):
        table[type_] += [(2, "-@", [type_]),
                         (2, "(@ ? @ : @)", ["b", type_, type_])]
    table["bf16"] = [(5, "(bf16)(@ + @)", ["bf16"] * 2),
                     (3, "(bf16)(@ - @)", ["bf16"] * 2), (2, "-@", ["bf16"]),
                     (3, "(bf16)@", ["f32"]), (1, "@.x", ["v2b"]),
                     (2, "(@ ? @ : @)", ["b", "bf16", "bf16"])]
    for type_ in _SUMMED:
        table[type_] += _float_rows(type_)
    table["f32"] += _single_rows()
    if bf16:
        table["f32"] += [(1, "(f32)@", ["bf16"]), (0.5, "(f32)@.x", ["v2b"])]
        table["u32"] += [(1, "fz_bits((f32)@)", ["bf16"])]
    return prepare(table)


_ROWS = {bf16: _table(bf16) for bf16 in (False, True)}


def rows(family):
    """Expressions of a family's kernels. LLVM 22 writes comparisons of bf16
    that ptxas refuses where subnormals are flushed."""
    return _ROWS[_FLUSH not in family.flags]


def profiles(family):
    """Weights of variable types, of which a kernel draws one row."""
    return _PROFILES if _FLUSH in family.flags else _BF16_PROFILES


def load(rng, type_):
    """Text of an initial value; some are so small that products of them are
    subnormal."""
    if type_ == "v2b":
        return "{%s, %s}" % (load(rng, "bf16"), load(rng, "bf16"))
    if type_ == "bf16":
        return "(bf16)fz_unit(src[%du])" % rng.randrange(2048)
    if type_ == "f32" and rng.random() < 0.5:
        return "fz_small(src[%du])" % rng.randrange(2048)
    return loads.load(rng, type_)


def _target(ctx, scope):
    """Type and name of a variable that holds floating-point numbers."""
    names = [(t, n) for t in _SUMMED for n in scope.write.get(t, [])]
    return ctx.rng.choice(names) if names else None


def _assign(kind, template):
    """A maker of statements that set a variable to the template's value; '@'
    stands for expressions of its type."""
    def make(ctx, scope):
        target = _target(ctx, scope)
        if target is None:
            return None
        type_, name = target
        parts = ["%s = (%s)(" % (name, type_)]
        for index, text in enumerate(template.split("@")):
            if index:
                parts.append(expression(ctx.rng, scope, type_,
                                        ctx.rng.choice([0, 0, 1, 2])))
            parts.append(text)
        return Stmt(kind, parts + [");"])
    return make


def _scaled(ctx, scope):
    target = _target(ctx, scope)
    if target is None:
        return None
    type_, name = target
    return Stmt("scaled", ["%s = (%s)(%s);" % (name, type_, _scale(
        type_, ctx.rng.choice(_SCALES)).replace("@", leaf(
            ctx.rng, scope, type_).text()))])


def _sign(ctx, scope):
    target = _target(ctx, scope)
    if target is None:
        return None
    type_, name = target
    source = leaf(ctx.rng, scope, type_).text()
    return Stmt("sign", ["%s = %s;" % (name, ctx.rng.choice(
        ["-" + source, _abs(type_, source)]))])


def _chosen(ctx, scope):
    """A product that reaches its readers on one way only."""
    target = _target(ctx, scope)
    if target is None:
        return None
    type_, name = target
    a, b = (leaf(ctx.rng, scope, type_).text() for _ in range(2))
    return Stmt("chosen", ["if (", condition(ctx.rng, scope), ") ", Block([
        Stmt("product", ["%s = (%s)(%s * %s);" % (name, type_, a, b)])])])


def _product(rng, scope, type_):
    a, b = (leaf(rng, scope, type_).text() for _ in range(2))
    templates = ["(%s * %s)"] * 5 + ["(%s / %s)"]
    if type_ == "f32":
        templates += ["fz_div_approx(%s, %s)", "fz_asm_div_f32(%s, %s)",
                      "fz_asm_mul_f32(%s, %s)", "fz_asm_first(%s * %s, 1.0f)",
                      "fz_second(1.0f, %s * %s)", "(1.0f / %s)"]
    template = rng.choice(templates)
    return template % ((a, b)[:template.count("%s")])


def _reader(rng, type_, name, other):
    """What makes a number of a product and of another variable."""
    zero = "(%s)" % VECTORS.get(type_, (type_,))[0]
    texts = ["{p} + {o}", "{o} + {p}", "{o} - {p}", "-{p} + {o}",
             "{p} * " + zero + rng.choice(_SCALES),
             _abs(type_, "{p}") + " + {o}",
             _abs(type_, "{p}") + " * " + zero + "2.0"]
    if type_ == "f32":
        texts += ["fz_asm_add_f32({o}, {p})", "fz_mul_rn({p}, 0.5f)",
                  "fz_asm_first({p}, {o}) + {o}"]
    return rng.choice(texts).format(p=name, o=other)


def _spanning(ctx, scope):
    """Products far from what reads them, with other code between."""
    target = _target(ctx, scope)
    if target is None:
        return None
    rng, type_ = ctx.rng, target[0]
    inner, stmts, names = scope.child(), [], []
    for _ in range(rng.randint(1, 8)):
        name = ctx.fresh("prod")
        stmts.append(Stmt("product", ["const %s %s = (%s)%s;" % (
            c_type(type_), name, type_, _product(rng, scope, type_))]))
        names.append(name)
    once = rng.random() < 0.5
    if not once:
        for name in names:
            inner.add(type_, name, writable=False)
    if rng.random() < 0.6:  # All of it in one block.
        stmts += [straight.assign(ctx, inner)
                  for _ in range(rng.randint(2, 10))]
    else:
        stmts += ctx.statements(inner, rng.randint(1, 3))
    rng.shuffle(names)
    for name in names:
        for _ in range(1 if once else rng.choice([1, 2, 3])):
            stmts.append(Stmt("sum", ["%s = (%s)(%s);" % (
                rng.choice(scope.write[type_]), type_, _reader(
                    rng, type_, name, leaf(rng, inner, type_).text()))]))
    return Stmt("spanning", [Block(stmts)])


STATEMENTS = [(8, _assign("product", "@ * @")), (5, _assign("sum", "@ + @")),
              (3, _assign("sum", "@ - @")), (3, _scaled), (3, _sign),
              (3, _chosen), (7, _spanning),
              (1, _assign("quotient", "@ / @"))]
