"""Local arrays under all kinds of indices.

Arrays of several element types, small structures too, that constants, loops,
data within a mask or a remainder, and data behind a guard index; that are
walked by pointers, copied as a whole, looked at byte by byte, sorted, and used
as stacks. RegDem may have registers stand for them, or leave them in memory.

All elements are written before the first is read, and what leaves a union's or
a structure's padding open is never read.
"""

from .expressions import condition, expression, leaf
from .straight import pick_target_of
from .tree import Block, Stmt

# Element type -> weight, fields (suffix, type) by which it is read and written.
_SCALARS = {"u8": 1, "i8": 1, "u16": 1, "i16": 1, "u32": 5, "i32": 2, "u64": 2,
            "i64": 1, "f16": 0.4, "f32": 4, "f64": 3}
_STRUCTS = {"fz_pair": (1, [(".key", "u32"), (".value", "f32")]),
            "fz_complex": (1.5, [(".re", "f64"), (".im", "f64")]),
            "fz_record": (1, [(".tag", "u8"), (".part", "u16"),
                              (".word", "u32")]),
            "v2u": (0.5, [(".x", "u32"), (".y", "u32")]),
            "v4f": (0.7, [(".x", "f32"), (".w", "f32")])}
_SIZES = [2, 3, 4, 5, 6, 7, 8, 8, 9, 10, 12, 16, 16, 20, 24, 32, 40]
_INTEGERS = ("u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64")
_MOST_TRIPS = 160  # of loops over arrays, with those around them.


class Array:
    """name: how it is named; type: of an element; sizes: of one or two
    dimensions; fields: (suffix, type); whole: (name, type) by which it is
    copied, if it is wrapped in a structure; top: counter of a stack."""

    def __init__(self, name, type_, sizes):
        self.name = name
        self.type = type_
        self.sizes = sizes
        self.fields = [("", type_)]
        if type_ in _STRUCTS:
            self.fields = _STRUCTS[type_][1]
        self.whole = None
        self.top = None

    @property
    def count(self):
        product = 1
        for size in self.sizes:
            product *= size
        return product

    def element(self, number):
        """The element with this number, at a constant place."""
        places = []
        for size in reversed(self.sizes):
            places.insert(0, number % size)
            number //= size
        return self.name + "".join("[%du]" % p for p in places)


def _value(type_, word):
    """Text of a value of the type that the text of a u32 gives."""
    if type_ in ("f32", "f16"):
        return "(%s)fz_unit(%s)" % (type_, word)
    if type_ == "f64":
        return "fz_unit64((u64)(%s) * 0x9e3779b97f4ull)" % word
    if type_ in ("u64", "i64"):
        return "(%s)((u64)(%s) * 0x9e3779b97f4ull)" % (type_, word)
    return "(%s)(%s)" % (type_, word)


def _fill(rng, array, ctx):
    """Statements that write all elements of the array."""
    first, step = rng.randrange(1024), rng.choice([1, 2, 3, 5])
    fields = array.fields
    if array.type == "v4f":
        fields = [(".x", "f32"), (".y", "f32"), (".z", "f32"), (".w", "f32")]

    # The GPU approximates, where a compiler that finds a constant does not.
    is_root = first % 5 == 0

    def value(type_, number, i):
        if is_root and type_ == "f32":
            return "fz_sqrt_approx((f32)(%du + %s))" % (first + 7 * i, number)
        return _value(type_, "src[%du + %s] + %du" % (first, number, 7 * i))

    def write(place, number):
        return " ".join("%s%s = %s;" % (place, suffix, value(type_, number, i))
                        for i, (suffix, type_) in enumerate(fields))

    style = rng.choice(["rolled", "rolled", "plain", "straight"])
    if style == "straight" and array.count <= 16:
        return "\n".join(write(array.element(n), "%du" % (n * step))
                         for n in range(array.count))
    names = [ctx.fresh("at") for _ in array.sizes]
    text, number = "", "0u"
    for name, size in zip(names, array.sizes):
        text += "%sfor (u32 %s = 0; %s < %du; ++%s) " % (
            "#pragma unroll 1\n" if style == "rolled" else "", name, name,
            size, name)
        if style == "rolled":
            text = text.rstrip() + "\n" if len(array.sizes) > 1 else text
        number = "(%s * %du + %s)" % (number, size, name)
    place = array.name + "".join("[%s]" % n for n in names)
    return "%s{ %s }" % (text, write(place, "%s * %du" % (number, step)))


def declare(ctx):
    """Declarations of a kernel's arrays, which the context gets."""
    rng, stmts, words = ctx.rng, [], 0
    for _ in range(rng.choice([1, 2, 2, 3, 4])):
        weights = dict(_SCALARS)
        weights.update({t: w for t, (w, _) in _STRUCTS.items()})
        type_ = rng.choices(list(weights), list(weights.values()))[0]
        sizes = [rng.choice(_SIZES)]
        if rng.random() < 0.2:
            sizes = [rng.randint(2, 5), rng.randint(2, 5)]
        same = ctx.indexed and rng.random() < 0.3
        if same:
            type_, sizes = ctx.indexed[-1].type, ctx.indexed[-1].sizes
        name = ctx.fresh("loc")
        array = Array(name, type_, sizes)
        if array.count * (4 if type_ in ("fz_complex", "v4f") else 2) > 96:
            array = Array(name, "u8" if type_ in _STRUCTS else type_, [6])
        words += array.count
        dims = "".join("[%d]" % s for s in array.sizes)
        if rng.random() < 0.3:
            array.whole = name
            array.name = name + ".e"
            text = "struct { %s e%s; } %s;" % (array.type, dims, name)
        else:
            text = "alignas(16) %s %s%s;" % (array.type, name, dims)
        if rng.random() < 0.15:
            text = text[:-1] + " = {};"
            if array.type == "v4f" or rng.random() < 0.5:
                text += "\n" + _fill(rng, array, ctx)
        else:
            text += "\n" + _fill(rng, array, ctx)
        if len(array.sizes) == 1 and rng.random() < 0.4:
            array.top = ctx.fresh("top")
            text += "\nu32 %s = 0u;" % array.top
        stmts.append(Stmt("indexed_array", [text]))
        ctx.indexed.append(array)
        if words > 80:
            break
    return stmts


def take_parameters(ctx):
    """Some arrays of fz_args (device.h), which the context gets."""
    arrays = [Array("args.bytes", "u8", [12]), Array("args.words", "u32", [8]),
              Array("args.longs", "u64", [3]), Array("args.reals", "f32", [6])]
    ctx.indexed += ctx.rng.sample(arrays, ctx.rng.randint(1, 3))


def epilogue(ctx, scope):
    """Statements after all others, and the values by which the arrays get into
    the output."""
    stmts, values = [], []
    for array in ctx.indexed:
        hash_ = ctx.fresh("sum")
        places = []
        if array.count <= 16 and ctx.rng.random() < 0.5:
            text = "u32 %s = 0u;" % hash_
            for number in range(array.count):
                for suffix, _ in array.fields:
                    text += " %s = fz_mix(%s, %s%s);" % (
                        hash_, hash_, array.element(number), suffix)
        else:
            text = "u32 %s = 0u;\n" % hash_
            for size in array.sizes:
                places.append(ctx.fresh("at"))
                text += "%sfor (u32 %s = 0; %s < %du; ++%s)\n" % (
                    ctx.rng.choice(["", "#pragma unroll 1\n"]), places[-1],
                    places[-1], size, places[-1])
            place = array.name + "".join("[%s]" % p for p in places)
            text += "{ %s }" % " ".join(
                "%s = fz_mix(%s, %s%s);" % (hash_, hash_, place, suffix)
                for suffix, _ in array.fields)
        stmts.append(Stmt("indexed_hash", [text]))
        values.append(("u32", hash_))
        if array.top:
            values.append(("u32", array.top))
    return stmts, values


def _index(ctx, scope, size):
    """Parts of an index below size, by a constant or by data."""
    rng = ctx.rng
    style = rng.choice(["constant", "mask", "mask", "remainder", "least",
                        "choice"])
    if style == "constant":
        return ["%du" % rng.randrange(size)]
    value = expression(rng, scope, "u32", rng.choice([0, 1, 2]))
    if style == "remainder":
        return ["(", value, ") %% %du" % size]
    if style == "least":
        name = "fz_least((%s), %du)"
        first, second = name.split("%s")
        return [first, value, second % (size - 1)]
    if style == "choice":
        return ["(", condition(rng, scope, 1), " ? %du : %du)" % (
            rng.randrange(size), rng.randrange(size))]
    most = 1 << (size.bit_length() - 1)
    bits = rng.randrange(1, most.bit_length()) if most > 1 else 0
    first = rng.randrange(size - (1 << bits) + 1)
    return ["(", value, " >> %d & %du) + %du" % (
        rng.randrange(8), (1 << bits) - 1, first)] if first else [
            "(", value, ") & %du" % ((1 << bits) - 1)]


def _place(ctx, scope, array):
    """Parts that name an element by constants or data."""
    parts = [array.name]
    for size in array.sizes:
        parts += ["["] + _index(ctx, scope, size) + ["]"]
    return parts


def _pick(ctx, wanted=lambda array: True):
    arrays = [a for a in ctx.indexed if wanted(a)]
    return ctx.rng.choice(arrays) if arrays else None


def _read(ctx, scope, parts, type_):
    """Parts of a statement that makes the value of parts matter."""
    target = pick_target_of(ctx, scope, type_)
    if target is None or ctx.rng.random() < 0.3:
        word = pick_target_of(ctx, scope, "u32")
        return ["%s = fz_mix(%s, " % (word, word)] + parts + [");"]
    form = ctx.rng.choice(["%s = ", "%s = ", "%s += "])
    if type_ in ("f16", "f32", "f64", "i32", "i64"):  # Sums may overflow.
        form = "%s = "
    return [form % target] + parts + [";"]


def _access(ctx, scope, array, parts):
    """Parts of a statement that reads or writes the element that parts name."""
    suffix, type_ = ctx.rng.choice(array.fields)
    if ctx.rng.random() < 0.5:
        return parts + [suffix + " = ", expression(ctx.rng, scope, type_, 2),
                        ";"]
    return _read(ctx, scope, parts + [suffix], type_)


def access(ctx, scope):
    """One access by a constant or by data that is in bounds by itself."""
    array = _pick(ctx)
    if scope.function or array is None:
        return None
    return Stmt("indexed_access", _access(ctx, scope, array,
                                          _place(ctx, scope, array)))


def guarded(ctx, scope):
    """An access by data that may be out of bounds, behind a guard."""
    array = _pick(ctx, lambda a: len(a.sizes) == 1)
    if scope.function or array is None:
        return None
    rng, size, at = ctx.rng, array.sizes[0], ctx.fresh("at")
    value = expression(rng, scope, "u32", 2)
    reach = rng.choice(["", " & 63u", " % 50u"])
    low = rng.choice([0, 0, rng.randrange(size)])
    style = rng.choice(["unsigned", "signed", "offset", "continue"])
    inner = Block([Stmt("indexed_guarded", _access(
        ctx, scope, array, [array.name + "[%s]" % at]))])
    if style == "unsigned":
        return Stmt("indexed_guard", ["{\nconst u32 %s = (" % at, value,
                                      ")%s;\nif (%s < %du) " % (reach, at, size),
                                      inner, "\n}"])
    if style == "signed":
        return Stmt("indexed_guard", [
            "{\nconst i32 %s = (i32)((" % at, value, ")%s) - %d;\nif (%s >= %d "
            "&& %s < %d) " % (reach or " & 0xffffu", rng.choice([0, 3, 8]), at,
                              low, at, size), inner, "\n}"])
    if style == "offset":
        return Stmt("indexed_guard", [
            "{\nconst u32 %s = (" % at, value, ")%s - %du;\nif (%s <= %du) " % (
                reach, rng.choice([1, 5, 40]), at, size - 1), inner, "\n}"])
    return Stmt("indexed_guard", [
        "{\nu32 %s = (" % at, value, ")%s;\nif (%s >= %du) %s = %du;\n" % (
            reach, at, size, at, low), inner, "\n}"])


def _header(ctx, name, size):
    """A loop over some of size places, forwards or backwards."""
    rng = ctx.rng
    pragma = rng.choice(["", "#pragma unroll 1\n", "#pragma unroll 1\n"])
    style = rng.choice(["all", "all", "part", "back", "by two"])
    if style == "back":
        return pragma + "for (i32 %s = %d; %s >= 0; --%s) " % (
            name, size - 1, name, name)
    first = rng.randrange(size) if style == "part" else 0
    return pragma + "for (u32 %s = %du; %s < %du; %s) " % (
        name, first, name, size,
        name + " += 2u" if style == "by two" else "++" + name)


def sweep(ctx, scope):
    """A loop whose counter indexes an array, and others by the way."""
    array = _pick(ctx)
    if scope.function or array is None or \
            scope.trips * array.count > _MOST_TRIPS:
        return None
    rng, inner, headers, names = ctx.rng, scope, [], []
    for size in array.sizes:
        names.append(ctx.fresh("at"))
        headers.append(_header(ctx, names[-1], size))
        inner = inner.child(uniform=False, loop="free", can_break=True,
                            trips=inner.trips * size)
        if headers[-1].find("for (u32") >= 0:
            inner.add("u32", names[-1], writable=False)
    place = [array.name + "".join("[%s]" % n for n in names)]
    suffix, type_ = rng.choice(array.fields)
    stmts = []
    for _ in range(rng.randint(1, 3)):
        style = rng.choice(["access", "access", "next", "other", "statement",
                            "leave"])
        if style == "access":
            stmts.append(Stmt("indexed_step", _access(ctx, inner, array,
                                                      place)))
        elif style == "next":
            after = [array.name] + ["[(u32)(%s + 1) %% %du]" % (n, s)
                                    for n, s in zip(names, array.sizes)]
            stmts.append(Stmt("indexed_step", place + [suffix + " = "] + after
                              + [suffix + ";"]))
        elif style == "other":
            other = _pick(ctx)
            stmts.append(Stmt("indexed_step", _access(
                ctx, inner, other, _place(ctx, inner, other))))
        elif style == "leave" and rng.random() < 0.5:
            stmts.append(Stmt("leave_break", ["if (", condition(rng, inner),
                                              ") break;"]))
        else:
            stmts.append(ctx.statement(inner))
    # A pragma starts a line.
    return Stmt("loop_indexed", ["\n".join(headers), Block(stmts)])


def triangle(ctx, scope):
    """Two loops, of which the inner one begins where the outer one is."""
    array = _pick(ctx, lambda a: len(a.sizes) == 2 or a.sizes[0] <= 9)
    if scope.function or array is None:
        return None
    rows, columns = (array.sizes * 2)[:2]
    if scope.trips * rows * columns > _MOST_TRIPS or scope.depth > 3:
        return None
    rng, i, j = ctx.rng, ctx.fresh("at"), ctx.fresh("at")
    inner = scope.child(uniform=False, loop="free", can_break=True,
                        trips=scope.trips * rows * columns)
    inner.add("u32", i, writable=False)
    inner.add("u32", j, writable=False)
    least = min(rows, columns)
    pragma = rng.choice(["", "#pragma unroll 1\n"])
    header = "for (u32 %s = 0; %s < %du; ++%s) {\n%sfor (u32 %s = %s + 1u; " \
        "%s < %du; ++%s) " % (i, i, least, i, pragma, j, i, j, least, j)
    if len(array.sizes) == 2:
        one, two = "[%s][%s]" % (i, j), "[%s][%s]" % (j, i)
    else:
        one, two = "[%s]" % i, "[%s]" % j
    suffix, type_ = rng.choice(array.fields)
    one, two = array.name + one + suffix, array.name + two + suffix
    if rng.random() < 0.5:
        body = ["if (%s < %s) " % (one, two), Block([Stmt("indexed_swap", [
            "const %s kept = %s; %s = %s; %s = kept;" % (
                type_, one, one, two, two)])])]
    else:
        body = ["%s = " % one, expression(rng, inner, type_, 1), ";\n",
                ] + _read(ctx, inner, [two], type_)
    return Stmt("loop_triangle", [pragma + header, Block([Stmt(
        "indexed_step", body)]), "\n}"])


def insert(ctx, scope):
    """Insertion into a short list that is sorted, of which data say how far."""
    array = _pick(ctx, lambda a: len(a.sizes) == 1 and a.type in _SCALARS)
    if scope.function or array is None or \
            scope.trips * array.count > _MOST_TRIPS:
        return None
    value, at = ctx.fresh("new"), ctx.fresh("at")
    name, last = array.name, array.sizes[0] - 1
    return Stmt("indexed_insert", [
        "{\nconst %s %s = " % (array.type, value),
        expression(ctx.rng, scope, array.type, 2),
        ";\nu32 {at} = {last}u;\nwhile ({at} > 0u && {name}[{at} - 1u] > "
        "{value}) {{\n  {name}[{at}] = {name}[{at} - 1u];\n  --{at};\n}}\n"
        "{name}[{at}] = {value};\n}}".format(at=at, last=last, name=name,
                                             value=value)])


def swap(ctx, scope):
    """Two elements by data change places."""
    array = _pick(ctx)
    if scope.function or array is None:
        return None
    one, two, kept = ctx.fresh("one"), ctx.fresh("two"), ctx.fresh("kept")
    parts = ["{\nconst u32 %s = " % one] \
        + _index(ctx, scope, array.sizes[0]) + [", %s = " % two] \
        + _index(ctx, scope, array.sizes[0])
    rest = "".join("[%du]" % ctx.rng.randrange(s) for s in array.sizes[1:])
    return Stmt("indexed_swap", parts + [
        ";\nconst {t} {k} = {n}[{a}]{r};\n{n}[{a}]{r} = {n}[{b}]{r};\n"
        "{n}[{b}]{r} = {k};\n}}".format(t=array.type, k=kept, n=array.name,
                                        a=one, b=two, r=rest)])


def choose(ctx, scope):
    """An access by a pointer to one of two arrays."""
    array = _pick(ctx, lambda a: len(a.sizes) == 1)
    other = array and _pick(ctx, lambda a: a is not array
                            and a.type == array.type and len(a.sizes) == 1)
    if scope.function or not other:
        return None
    pointer = ctx.fresh("ptr")
    size = min(array.sizes[0], other.sizes[0])
    return Stmt("indexed_choice", [
        "{\n%s *const %s = " % (array.type, pointer), condition(
            ctx.rng, scope, 2), " ? &%s[0] : &%s[0];\n" % (array.name,
                                                           other.name)]
        + _access(ctx, scope, array, [pointer + "["]
                  + _index(ctx, scope, size) + ["]"]) + ["\n}"])


def walk(ctx, scope):
    """A loop whose pointer goes through an array."""
    array = _pick(ctx, lambda a: len(a.sizes) == 1)
    if scope.function or array is None or \
            scope.trips * array.count > _MOST_TRIPS:
        return None
    pointer, end = ctx.fresh("ptr"), ctx.fresh("end")
    return Stmt("loop_pointer", [
        ctx.rng.choice(["", "#pragma unroll 1\n"]) +
        "for ({t} *{p} = &{n}[0], *{e} = &{n}[0] + {c}; {p} != {e}; ++{p}) "
        .format(t=array.type, p=pointer, n=array.name, e=end,
                c=array.sizes[0]),
        Block([Stmt("indexed_step", _access(
            ctx, scope, array, ["(*%s)" % pointer]))])])


def copy(ctx, scope):
    """An array is copied to another one at once."""
    array = _pick(ctx)
    other = array and _pick(ctx, lambda a: a is not array
                            and a.type == array.type
                            and a.sizes == array.sizes)
    if scope.function or not other:
        return None
    return Stmt("indexed_copy", ["__builtin_memcpy(&%s, &%s, sizeof(%s));" % (
        array.name, other.name, other.name)])


def clear(ctx, scope):
    """All bytes of an array get one value."""
    array = _pick(ctx, lambda a: a.type in _INTEGERS)
    if scope.function or array is None:
        return None
    return Stmt("indexed_clear", ["__builtin_memset(&%s, %d, sizeof(%s));" % (
        array.name, ctx.rng.choice([0, 0, 255, 90]), array.name)])


def stack(ctx, scope):
    """Pushes onto a stack or pops from it, unless it is full or empty."""
    array = _pick(ctx, lambda a: a.top)
    if scope.function or array is None:
        return None
    suffix, type_ = ctx.rng.choice(array.fields)
    if ctx.rng.random() < 0.6:
        return Stmt("indexed_push", [
            "if (%s < %du) %s[%s++]%s = " % (array.top, array.sizes[0],
                                             array.name, array.top, suffix),
            expression(ctx.rng, scope, type_, 2), ";"])
    return Stmt("indexed_pop", ["if (%s > 0u) { " % array.top] + _read(
        ctx, scope, ["%s[--%s]%s" % (array.name, array.top, suffix)], type_)
        + [" }"])


def narrow(ctx, scope):
    """Reads or writes a byte, or another part, of an array of integers."""
    array = _pick(ctx, lambda a: a.type in _INTEGERS and len(a.sizes) == 1)
    if scope.function or array is None:
        return None
    size = int(array.type[1:]) // 8 * array.sizes[0]
    types = [("u8", "unsigned char", 1), ("u16", "u16_alias", 2)]
    if not array.whole:
        types += [("u32", "u32_alias", 4), ("u64", "u64_alias", 8)]
    types = [t for t in types if t[2] <= size and (
        t[2] <= int(array.type[1:]) // 8 or not array.whole)]
    type_, alias, bytes_ = ctx.rng.choice(types)
    parts = ["((%s *)&%s[0])[" % (alias, array.name)] + _index(
        ctx, scope, size // bytes_) + ["]"]
    if ctx.rng.random() < 0.3:
        return Stmt("indexed_part", parts + [" = ", leaf(
            ctx.rng, scope, type_), ";"])
    return Stmt("indexed_part", _read(ctx, scope, parts, type_))


STATEMENTS = [(14, access), (6, guarded), (8, sweep), (3, triangle),
              (3, insert), (4, swap), (3, choose), (2, walk), (2, copy),
              (1, clear), (6, stack), (1, narrow)]
