"""Values that need no slot of the thread's own, read all over a kernel.

One instruction of parameters, constants, block and thread indices computes
them, or they are the same for all threads of a block. Read at the end alone,
a value is computed there: LLVM moves its instructions down. So each is read at
several places, in loops and divergent branches too, and mixed with a variable
that other statements change, so that LLVM cannot do that once before a loop.
"""

import random

from .tree import Block, Stmt

# Of the generator of these values, drawn apart from the rest of the kernel;
# leaves the kernels of the seeds that the project's README names as they were.
_SALT = "regdem values read all over, 42, %d"
_SHARE = 0.7  # of the kernels have such values


def _recomputable(rng):
    """Type and text of a value that one cheap instruction computes."""
    c, shift = rng.getrandbits(24) | 1, rng.randrange(1, 20)
    return "u32", rng.choice([
        "n ^ %du" % c, "n + %du" % c, "n & %du" % c, "n | %du" % c,
        "%du - n" % c, "n >> %d" % shift, "n << %d" % shift, "~n",
        "fz_tid_x()", "fz_ctaid_x()"])


def _of_block(rng):
    """Type and text of a value that several instructions compute, the same
    for all threads of a block."""
    c, d = rng.getrandbits(24) | 1, rng.getrandbits(16) | 1
    word = "in[(fz_block() * %du + %du) & 4095u]" % (
        rng.randrange(1, 64), rng.randrange(4096))
    return rng.choice([
        ("u32", "((n ^ %du) * %du) >> 3" % (c, d)),
        ("u32", "fz_mix(fz_block() + %du, n)" % c),
        ("u32", "(fz_ctaid_x() + %du) * (n | 1u)" % c),
        ("u64", "((u64)n << 21) ^ (u64)(fz_block() + %du) * %du" % (c, d)),
        ("u32", "%s ^ %du" % (word, c)),
        ("u64", "(u64)%s * (n | %du)" % (word, d)),
        ("f32", "fz_unit(%s) + %d.5f" % (word, d)),
        ("f64", "fz_unit64(%s * (u64)%du)" % (word, c))])


def read(rng, type_, name, target):
    """A statement that changes the u32 variable target by the value."""
    if type_ != "u32":
        return Stmt("held", ["%s = fz_mix(%s, %s);" % (target, target, name)])
    odd = rng.getrandbits(20) | 1
    text = rng.choice(["{t} = ({t} ^ {v}) * {c}u;",
                       "{t} = ({t} + {v}) ^ ({t} >> 7);",
                       "{t} = {t} > {v} ? {t} - {v} : {t} ^ {c}u;",
                       "{t} = ({t} & {v}) + ({t} | {c}u);"])
    return Stmt("held", [text.format(t=target, v=name, c=odd)])


def places(body):
    """(block, weight) of the places for statements: those in loops count
    most, as what is read there is live all through the loop."""
    found = []

    def visit(node, weight):
        if isinstance(node, Stmt) and node.kind.startswith("loop"):
            weight = 4
        if isinstance(node, Block) and not any(s.kind == "case"
                                               for s in node.stmts):
            found.append((node, weight))
        for child in node.children():
            visit(child, weight)

    visit(body, 1)
    return found


def scatter(kernel, ctx, targets, waiting):
    """Puts reads of some new values, and of those waiting, among the
    statements of the kernel's body. waiting: (type, name) pairs; targets:
    names of u32 variables; both are declared before the body. Returns the
    new values' declarations, for before the body too, and their pairs."""
    rng = random.Random(_SALT % kernel.seed)
    if rng.random() >= _SHARE:
        return [], []
    stmts, values = [], []
    makers = [_recomputable] * rng.randint(1, 6) + [_of_block] * rng.randint(
        0, 4)
    for maker in makers:
        type_, text = maker(rng)
        name = ctx.fresh("held")
        stmts.append(Stmt("held", ["const %s %s = %s;" % (type_, name, text)]))
        values.append((type_, name))
    blocks, weights = zip(*places(kernel.body))
    for type_, name in values + waiting:
        for _ in range(rng.randint(2, 4)):
            block = rng.choices(blocks, weights)[0]
            block.stmts.insert(rng.randrange(len(block.stmts) + 1),
                               read(rng, type_, name, rng.choice(targets)))
    return stmts, values
