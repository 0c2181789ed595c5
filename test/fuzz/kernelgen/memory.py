"""Local arrays, shared memory and atomics.

Shared arrays come in two sorts: "own" ones, of which a thread touches only
its own element, at any time; and "common" ones, which are written and read
by different threads between two barriers, in uniform control flow only.
Atomics on words that threads share never use the value returned, and each
such word knows a single, commutative operation.
"""

from .expressions import condition, expression
from .straight import pick_target_of
from .tree import Stmt

ATOMICS = ["fz_atomic_add", "fz_atomic_xor", "fz_atomic_and", "fz_atomic_or",
           "fz_atomic_max", "fz_atomic_min"]
ATOMIC_WORDS = 64


def local_store(ctx, scope):
    if scope.function or not ctx.arrays:
        return None
    array, size = ctx.rng.choice(ctx.arrays)
    return Stmt("local_array", [
        "%s[" % array, expression(ctx.rng, scope, "u32", 2),
        " & %du] = " % (size - 1), expression(ctx.rng, scope, "u32", 2), ";"])


def local_load(ctx, scope):
    target = pick_target_of(ctx, scope, "u32")
    if scope.function or not ctx.arrays or target is None:
        return None
    array, size = ctx.rng.choice(ctx.arrays)
    return Stmt("local_array", [
        "%s ^= %s[" % (target, array), expression(ctx.rng, scope, "u32", 2),
        " & %du];" % (size - 1)])


def own_shared(ctx, scope):
    """Reads or writes the thread's own element of a shared array."""
    if scope.function or not ctx.own_shared:
        return None
    array, type_ = ctx.rng.choice(ctx.own_shared)
    target = pick_target_of(ctx, scope, type_)
    if target is None:
        return None
    if ctx.rng.random() < 0.5:
        return Stmt("shared_own", ["%s[lin] = " % array, expression(
            ctx.rng, scope, type_, 2), ";"])
    return Stmt("shared_own", ["%s += %s[lin];" % (target, array)])


def own_atomic(ctx, scope):
    """An atomic on the thread's own word: the value returned is defined."""
    words = [a for a, t in ctx.own_shared if t == "u32"]
    target = pick_target_of(ctx, scope, "u32")
    if scope.function or not words or target is None:
        return None
    return Stmt("atomic_own", ["%s = %s(&%s[lin], " % (
        target, ctx.rng.choice(ATOMICS), ctx.rng.choice(words)),
        expression(ctx.rng, scope, "u32", 2), ");"])


def global_atomic(ctx, scope):
    """A reduction on one of the words before the threads' outputs."""
    if scope.function:
        return None
    word = ctx.rng.randrange(ATOMIC_WORDS)
    name = ATOMICS[word % len(ATOMICS)]
    return Stmt("atomic_global", ["%s(&out[%du], " % (name, word), expression(
        ctx.rng, scope, "u32", 2), ");"])


def exchange(ctx, scope):
    """Every thread writes its element, then reads another thread's."""
    if not scope.uniform or not ctx.common_shared:
        return None
    array, type_ = ctx.rng.choice(ctx.common_shared)
    target = pick_target_of(ctx, scope, type_)
    if target is None:
        return None
    return Stmt("exchange", [
        "%s[lin] = " % array, expression(ctx.rng, scope, type_, 2),
        ";\nfz_barrier();\n%s = %s[(lin + (" % (target, array),
        expression(ctx.rng, scope, "u32", 2),
        " & 1023u)) %% %du];\nfz_barrier();" % ctx.threads])


def shared_reduction(ctx, scope):
    """Atomics of all threads on few shared words, read after a barrier."""
    target = pick_target_of(ctx, scope, "u32")
    if not scope.uniform or not ctx.bins or target is None:
        return None
    rng = ctx.rng
    name = rng.choice(ATOMICS)
    return Stmt("shared_reduction", [
        "if (lin < 8u) %s[lin] = %du;\nfz_barrier();\n%s(&%s[" % (
            ctx.bins, rng.getrandbits(32), name, ctx.bins),
        expression(rng, scope, "u32", 1), " & 7u], ",
        expression(rng, scope, "u32", 2),
        ");\nfz_barrier();\n%s ^= %s[" % (target, ctx.bins),
        expression(rng, scope, "u32", 1), " & 7u];\nfz_barrier();"])


def barrier(ctx, scope):
    if not scope.uniform:
        return None
    target = pick_target_of(ctx, scope, "u32")
    if target is None or ctx.rng.random() < 0.4:
        return Stmt("barrier", ["fz_barrier();"])
    name = ctx.rng.choice(["popc", "and", "or"])
    return Stmt("barrier", ["%s += fz_barrier_%s(" % (target, name),
                            condition(ctx.rng, scope), ");"])


def shuffle(ctx, scope):
    target = pick_target_of(ctx, scope, "u32")
    if not scope.uniform or ctx.threads % 32 or target is None:
        return None
    name = ctx.rng.choice(["xor", "idx", "up", "down"])
    return Stmt("shuffle", ["%s ^= fz_shfl_%s(" % (target, name), expression(
        ctx.rng, scope, "u32", 2), ", %du);" % ctx.rng.randrange(32)])


def vote(ctx, scope):
    if not scope.uniform or ctx.threads % 32:
        return None
    rng = ctx.rng
    if rng.random() < 0.5 and scope.write.get("b"):
        return Stmt("vote", ["%s = fz_%s(" % (
            rng.choice(scope.write["b"]), rng.choice(["any", "all"])),
            condition(rng, scope), ");"])
    target = pick_target_of(ctx, scope, "u32")
    if target is None:
        return None
    return Stmt("vote", ["%s += fz_ballot(" % target,
                         condition(rng, scope), ");"])


# What writes no shared memory and waits for no thread.
QUIET_STATEMENTS = [(0.8, local_store), (0.8, local_load)]
STATEMENTS = QUIET_STATEMENTS + [
              (1, own_shared), (0.8, own_atomic), (0.5, global_atomic)]
# Only possible in uniform control flow, which is rarer: weighted up.
UNIFORM_STATEMENTS = [(6, exchange), (4, shared_reduction), (2, barrier),
                      (3, shuffle), (2.5, vote)]
