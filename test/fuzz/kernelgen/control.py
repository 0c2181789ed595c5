"""Branches, loops (also irreducible ones), switches and early returns.

Every loop ends: each has a counter of its own that nothing else writes, and
the counter's bound is small. The product of the bounds around a statement is
kept below MAX_TRIPS.
"""

from .expressions import block_condition, condition, expression, uniform_u32
from .tree import Block, Stmt

MAX_TRIPS = 96
MAX_DEPTH = 4


def branch(ctx, scope):
    rng = ctx.rng
    inner = scope.child(uniform=False)
    parts = ["if (", condition(rng, scope, 3), ") ", ctx.block(inner)]
    while rng.random() < 0.25:
        parts += [" else if (", condition(rng, scope), ") ",
                  ctx.block(scope.child(uniform=False))]
    if rng.random() < 0.6:
        parts += [" else ", ctx.block(scope.child(uniform=False))]
    return Stmt("branch", parts)


def uniform_branch(ctx, scope):
    if not scope.uniform:
        return None
    parts = ["if ((", uniform_u32(ctx.rng, scope), " & 1u) != 0u) ",
             ctx.block(scope.child())]
    if ctx.rng.random() < 0.5:
        parts += [" else ", ctx.block(scope.child())]
    return Stmt("uniform_branch", parts)


def _pragma(ctx):
    """Most loops stay loops; some may be unrolled."""
    return ctx.rng.choice(["#pragma unroll 1\n", "#pragma unroll 1\n",
                           "#pragma unroll 1\n", "", "#pragma unroll 2\n"])


def _loop_scope(scope, name, trips, uniform):
    inner = scope.child(uniform=uniform, loop="uniform" if uniform else "free",
                        can_break=True, trips=scope.trips * trips)
    inner.add("u32", name, writable=False)
    if uniform:
        inner.counters = scope.counters + (name,)
    return inner


def _same_in_all(ctx, scope, inner):
    """What each iteration of a loop computes anew although it is the same in
    all, by branches that clang leaves in the loop: statements before it, and at
    its start."""
    rng = ctx.rng
    fixed, name, turn = ctx.fresh("fixed"), ctx.fresh("same"), ctx.fresh("it")
    before = ["const u32 %s = " % fixed, expression(rng, scope, "u32", 2), ";\n"]
    parts = ["u32 %s = %s;\nif ((%s & %du) != 0u) {\n" % (
        name, fixed, fixed, rng.choice([1, 3, 6])),
        "#pragma unroll 1\nfor (u32 %s = 0; %s < (%s & 3u) + 1u; ++%s) "
        "%s ^= (%s << 7) + (%s >> 9);\n}" % ((turn, turn, fixed, turn)
                                              + (name,) * 3)]
    if rng.random() < 0.5:
        parts += [" else if (", condition(rng, scope), ") {\n%s += fz_block();"
                  "\n}" % name]
    inner.add("u32", name, writable=False)
    return before, Stmt("same_in_all", parts)


def _long_loop(ctx, scope):
    """A loop that RegDem may unroll: how often it runs is not known before, and
    where it waits for other threads, all of a block run it as often. Some have
    branches that RegDem may move."""
    rng = ctx.rng
    name = ctx.fresh("it")
    trips = rng.randint(MAX_TRIPS // 6 + 1, 24)  # No further loop within.
    uniform = scope.uniform and rng.random() < 0.3
    inner = _loop_scope(scope, name, trips, uniform)
    inner.quiet = not uniform
    step = rng.choice(["++%s", "++%s", "%s += 3u"])
    count = uniform_u32(rng, scope) if uniform else expression(
        rng, scope, "u32", 2)
    before, same = [], []
    if rng.random() < 0.4:
        before, first = _same_in_all(ctx, scope, inner)
        same = [first]
    return Stmt("loop_uniform_body" if uniform else "loop_long", [
        "{\n", *before,
        "for (u32 %s = 0u, %s_end = 1u + " % (name, name), count,
        " %% %du; %s < %s_end; " % (trips, name, name), step % name, ") ",
        Block(same + ctx.statements(inner, rng.randint(1, 4))), "\n}"])


def counted_loop(ctx, scope):
    rng = ctx.rng
    if ctx.long_loops and rng.random() < 0.8:
        return _long_loop(ctx, scope)
    name = ctx.fresh("it")
    form = rng.choice(["constant", "uniform", "divergent"])
    trips = rng.randint(2, 5)
    uniform = scope.uniform and form != "divergent" and rng.random() < 0.7
    inner = _loop_scope(scope, name, trips, uniform)
    header = _pragma(ctx) + "for (u32 %s = 0, %s_end = " % (name, name)
    if form == "constant":
        parts = [header + "%du" % trips]
    elif form == "uniform":
        parts = [header + "1u + ", uniform_u32(rng, scope), " %% %du" % trips]
    else:
        parts = [header + "1u + ", expression(rng, scope, "u32", 2),
                 " %% %du" % trips]
    body = ctx.block(inner)
    if uniform and rng.random() < 0.3:
        body.stmts.insert(rng.randrange(len(body.stmts) + 1),
                          leave(ctx, inner))
    parts += ["; %s < %s_end; ++%s) " % (name, name, name), body]
    return Stmt("loop_uniform_body" if uniform else "loop_" + form, parts)


def exits_loop(ctx, scope):
    """A loop left from several places."""
    rng = ctx.rng
    name = ctx.fresh("wh")
    trips = rng.randint(2, 5)
    inner = _loop_scope(scope, name, trips, False)
    stmts = [Stmt("bound", ["if (++%s > %du) break;" % (name, trips)])]
    for _ in range(rng.randint(2, 3)):
        stmts += ctx.statements(inner, rng.randint(1, 2))
        stmts.append(leave(ctx, inner))
    stmts += ctx.statements(inner, 1)
    return Stmt("loop_exits", ["{\nu32 %s = 0;\nwhile (true) " % name,
                               Block(stmts), "\n}"])


def do_loop(ctx, scope):
    rng = ctx.rng
    name = ctx.fresh("do")
    trips = rng.randint(2, 5)
    inner = _loop_scope(scope, name, trips, False)
    body = ctx.block(inner)
    return Stmt("loop_do", ["{\nu32 %s = 0;\n%sdo " % (name, _pragma(ctx)),
                            body, " while (++%s < %du && " % (name, trips),
                            condition(rng, scope), ");\n}"])


def leave(ctx, scope):
    """break or continue, by each thread or by all together."""
    word = ctx.rng.choice(["break", "continue"])
    if scope.loop is None or word == "break" and not scope.can_break:
        return None
    if scope.loop == "uniform":
        if not scope.uniform:
            return None
        return Stmt("leave_uniform", ["if ((", uniform_u32(ctx.rng, scope),
                                      " & 3u) == 3u) %s;" % word])
    return Stmt("leave_" + word, ["if (", condition(ctx.rng, scope),
                                  ") %s;" % word])


def nested_exit(ctx, scope):
    """Two loops left at once by a goto."""
    rng = ctx.rng
    label, outer, inner_name = ctx.fresh("L"), ctx.fresh("it"), ctx.fresh("it")
    first = _loop_scope(scope, outer, 3, False)
    second = _loop_scope(first, inner_name, 3, False)
    innermost = Block(ctx.statements(second, 2))
    innermost.stmts.append(Stmt("exit", ["if (", condition(rng, second),
                                         ") goto %s;" % label]))
    innermost.stmts += ctx.statements(second, 1)
    middle = Block(ctx.statements(first, 1))
    middle.stmts.append(Stmt("loop_constant", [
        "#pragma unroll 1\nfor (u32 %s = 0; %s < 3u; ++%s) " % (
            (inner_name,) * 3), innermost]))
    middle.stmts += ctx.statements(first, 1)
    return Stmt("loop_nested_exit", [
        "#pragma unroll 1\nfor (u32 %s = 0; %s < 3u; ++%s) " % ((outer,) * 3),
        middle, "\n%s:;" % label])


def irreducible(ctx, scope):
    """A cycle with two entries, or a jump into the middle of a for loop.

    All threads of a block take the same way through it: ptxas 13.0 does not
    reconverge the threads that enter such a cycle in different places, yet
    takes counters of the loops around (and its own) for equal in the warp and
    keeps them in uniform registers, and barriers behind it then see half a
    warp. Stock builds compute nonsense, fault or hang.
    """
    rng = ctx.rng
    fuel, head, middle = ctx.fresh("fuel"), ctx.fresh("L"), ctx.fresh("L")
    ctx.counters.append(fuel)
    trips = rng.randint(2, 4)
    inner = scope.child(uniform=False, loop=None, can_break=False,
                        trips=scope.trips * (trips + 1))
    inner.add("u32", fuel, writable=False)
    entry = block_condition(rng, scope, "fz_block()")
    first, second = ctx.block(inner), ctx.block(inner)
    if rng.random() < 0.5:
        return Stmt("irreducible", [
            "%s = 0u;\nif (" % fuel, entry, ") goto %s;\n%s:;\n" % (
                middle, head), first, "\n%s:;\n" % middle, second,
            "\nif (++%s < %du && " % (fuel, trips),
            block_condition(rng, scope, fuel), ") goto %s;" % head])
    return Stmt("irreducible", [
        "%s = 0u;\nif (" % fuel, entry, ") goto %s;\n" % middle,
        "for (; %s < %du; ++%s) {\n" % (fuel, trips, fuel), first,
        "\n%s:;\n" % middle, second, "\n}"])


def switch(ctx, scope):
    rng = ctx.rng
    count = rng.choice([3, 4, 6, 8, 12])
    inner = scope.child(uniform=False, can_break=False)
    body = Block()
    for case in range(count):
        ending = "\nbreak;" if rng.random() < 0.8 else "\n[[fallthrough]];"
        if case == count - 1:
            ending = "\nbreak;"
        stmts = Block(ctx.statements(inner, rng.choice([1, 1, 2])))
        body.stmts.append(Stmt("case", ["case %du: " % case, stmts, ending]))
    if rng.random() < 0.6:
        body.stmts.append(Stmt("case", ["default: ", ctx.block(inner)]))
    return Stmt("switch", ["switch (", expression(rng, scope, "u32", 2),
                           " %% %du) " % (count + 1), body])


def early_return(ctx, scope):
    if not scope.returns:
        return None
    return Stmt("early_return", [
        "if (", condition(ctx.rng, scope, 3), ") {\n  mine[0] = ",
        expression(ctx.rng, scope, "u32", 3), ";\n  return;\n}"])


COMPOUND = [(2.5, branch), (1.2, uniform_branch), (3.5, counted_loop),
            (1, exits_loop), (0.7, do_loop), (0.5, nested_exit),
            (0.15, irreducible), (0.9, switch)]
SIMPLE = [(1.0, leave), (0.7, early_return)]
