"""C++ for single PTX instructions; see operations.h."""

import re

_TYPES = {"pred": "bool", "bf16": "bf16", "bf16x2": "v2b", "f16": "f16", "f32": "f32", "f64": "f64",
          "f16x2": "v2h", "s16x2": "v2s", "u16x2": "v2s", "b128": "u128"}
for _bits in (8, 16, 32, 64):
    _TYPES["s%d" % _bits] = "i%d" % _bits
    _TYPES["u%d" % _bits] = _TYPES["b%d" % _bits] = "u%d" % _bits

_SPECIAL = {"%%%s.%s" % (register, axis): "fz_%s_%s()" % (register, axis)
            for register in ("tid", "ntid", "ctaid", "nctaid")
            for axis in "xyz"}
_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">",
            "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
_PLAIN = {"add": "op_add", "sub": "op_sub", "and": "op_and", "or": "op_or",
          "xor": "op_xor", "not": "op_not", "div": "op_div", "rem": "op_rem",
          "neg": "op_neg", "abs": "op_abs", "min": "op_min", "max": "op_max",
          "fma": "op_fma", "sqrt": "op_sqrt", "brev": "op_brev",
          "popc": "op_popc", "clz": "op_clz", "mul": "op_mul"}
_SHIFTS = {"shl": "op_shl", "shr": "op_shr"}
_MODIFIERS = {"rn", "lo", "wrap", "uni", "sync", "aligned"}
_INEXACT = {"ftz", "approx", "full"}
_ATOMIC = {"add": "op_add<%s>", "and": "op_and<%s>", "or": "op_or<%s>",
           "xor": "op_xor<%s>", "min": "op_min<%s>", "max": "op_max<%s>",
           "exch": "[](%s, %s v) { return v; }"}


class Unknown(Exception):
    """An instruction or a declaration that the translation does not know."""


def register(text):
    """C++ for a register, a special register or a name's address."""
    if text in _SPECIAL:
        return _SPECIAL[text]
    found = re.fullmatch(r"%([a-z]+)(\d+)", text)
    if found:
        return "%s[%s]" % found.groups()
    if re.fullmatch(r"%SPL?", text) or text == "p":
        return text.lstrip("%")
    if re.fullmatch(r"[A-Za-z_$][\w$]*", text):
        return "reinterpret_cast<u64>(%s)" % text
    raise Unknown("operand " + text)


def operand(text, type_):
    """C++ for an operand read as a PTX type."""
    if text.startswith("!"):
        return "!" + operand(text[1:], type_)
    c_type = _TYPES[type_]
    bits = re.fullmatch(r"0[fFdD]([0-9a-fA-F]+)", text)
    if bits:
        return "as<%s>(0x%sull)" % (c_type, bits.group(1))
    if text == "1.0":
        return "static_cast<%s>(1)" % c_type
    if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)U?", text):
        value = int(text.rstrip("U"), 0)
        return "as<%s>(0x%xull)" % (c_type, value & (1 << 64) - 1)
    return "as<%s>(%s)" % (c_type, register(text))


def address(text):
    name, offset = re.fullmatch(r"\[([^+\]]+)(?:\+(-?\d+))?\]", text).groups()
    return "%s + %sll" % (register(name), offset or 0)


def _put(target, value):
    return "put(%s, %s);" % (register(target), value)


def _vector(text):
    return [t.strip() for t in text.strip("{}").split(",")]


def _load(parts, ops):
    type_ = parts[-1]
    c_type, size = _TYPES[type_], int(type_[1:]) // 8
    targets = _vector(ops[0]) if ops[0].startswith("{") else [ops[0]]
    lines = ["{ const u64 a = %s;" % address(ops[1])]
    for index, target in enumerate(targets):
        lines.append(" const auto v%d = load<%s>(a + %d);" % (
            index, c_type, index * size))
    lines += [" " + _put(t, "v%d" % i) for i, t in enumerate(targets)
              if t != "_"]
    return "".join(lines) + " }"


def _store(parts, ops):
    type_ = parts[-1]
    size = int(type_[1:]) // 8
    values = _vector(ops[1]) if ops[1].startswith("{") else [ops[1]]
    stores = ["store<%s>(a + %d, %s);" % (_TYPES[type_], i * size,
                                          operand(v, type_))
              for i, v in enumerate(values)]
    if "shared" in parts:
        stores.append("fz_end_turn();")
    return "{ const u64 a = %s; %s }" % (address(ops[0]), " ".join(stores))


def _move(parts, ops):
    target, source, type_ = ops[0], ops[1], parts[-1]
    bits = 1 if type_ == "pred" else int(type_[1:])
    if target.startswith("{"):
        pieces = _vector(target)
        width = bits // len(pieces)
        return "{ const auto v = %s;%s }" % (operand(source, type_), "".join(
            " " + _put(t, "static_cast<u%d>(v >> %d)" % (width, width * i))
            for i, t in enumerate(pieces) if t != "_"))
    if source.startswith("{"):
        pieces = _vector(source)
        width = bits // len(pieces)
        return _put(target, " | ".join("static_cast<%s>(%s) << %d" % (
            _TYPES[type_], operand(s, "b%d" % width), width * i)
            for i, s in enumerate(pieces)))
    return _put(target, operand(source, type_))


def _holds(relation, type_, a, b):
    nan = "(%s != %s || %s != %s)" % (a, a, b, b)
    if relation == "nan":
        return nan
    if relation == "num":
        return "!" + nan
    if "f" in type_ and relation == "ne":
        return "(!%s && %s != %s)" % (nan, a, b)
    if relation.endswith("u") and len(relation) == 3:
        return "(%s || %s %s %s)" % (nan, a, _COMPARE[relation[:2]], b)
    return "(%s %s %s)" % (a, _COMPARE[relation], b)


def _compare(parts, ops):
    if len(parts) != 3:
        raise Unknown(".".join(parts))
    relation, type_ = parts[1], parts[2]
    a, b = operand(ops[1], type_), operand(ops[2], type_)
    if not type_.endswith("x2"):
        return _put(ops[0], _holds(relation, type_, a, b))
    return " ".join(_put(target, _holds(relation, type_, a + half, b + half))
                    for target, half in zip(ops[0].split("|"), (".x", ".y")))


_WHOLE = {"rzi": "trunc", "rni": "nearbyint", "rmi": "floor", "rpi": "ceil"}


def _convert(parts, ops):
    target, source = parts[-2], parts[-1]
    rounding = parts[1:-2]
    if target == source and target in ("f32", "f64") and len(rounding) == 1:
        whole = _WHOLE.get(rounding[0])
        if whole:
            return _put(ops[0], "std::%s(%s)" % (whole, operand(ops[1],
                                                                source)))
    if target in ("f16x2", "bf16x2") and rounding == ["rn"]:
        half = _TYPES[target[:-2]]
        return _put(ops[0], "(%s{op_cvt<%s>(%s), op_cvt<%s>(%s)})" % (
            _TYPES[target], half, operand(ops[2], source), half,
            operand(ops[1], source)))
    to_integer = target[0] != "f" and source[0] == "f"
    if rounding != (["rzi"] if to_integer else []) and rounding != ["rn"]:
        raise Unknown(".".join(parts))
    return _put(ops[0], "op_cvt<%s>(%s)" % (_TYPES[target],
                                            operand(ops[1], source)))


def _atomic(parts, ops):
    if parts[0] == "red":
        ops = [None] + ops
    kind, type_ = parts[-2], parts[-1]
    c_type = _TYPES[type_]
    combine = _ATOMIC[kind].replace("%s", c_type)
    value = "op_atom<%s>(%s, %s, %s)" % (c_type, address(ops[1]),
                                         operand(ops[2], type_), combine)
    return _put(ops[0], value) if ops[0] else value + ";"


def _together(parts, ops):
    """Barriers, shuffles and votes."""
    name = ".".join(parts)
    if name == "barrier.sync" and len(ops) == 2:
        return "fz_barrier_part(%s, %s);" % (ops[1], ops[0])
    if name in ("bar.sync", "barrier.sync", "barrier.sync.aligned"):
        return "fz_barrier();"
    if name == "bar.warp.sync" and ops == ["-1"]:
        return "fz_syncwarp();"
    found = re.match(r"bar(?:rier)?(?:\.cta)?\.red\.(popc|and|or)\b", name)
    if found:
        return _put(ops[0], "fz_barrier_%s(%s)" % (found.group(1),
                                                   operand(ops[-1], "pred")))
    if parts[:2] == ["shfl", "sync"]:
        kind = {"bfly": "xor"}.get(parts[2], parts[2])
        return _put(ops[0].split("|")[0], "fz_shfl_%s(%s, %s)" % (
            kind, operand(ops[1], "b32"), operand(ops[2], "b32")))
    if parts[:2] == ["vote", "sync"]:
        return _put(ops[0], "fz_%s(%s)" % (parts[2], operand(ops[1], "pred")))
    raise Unknown(name)


def _carry(parts, ops):
    """add.cc, addc.cc and the like."""
    type_ = parts[-1]
    function = "op_" + parts[0][:3] + "c"
    reads, sets = parts[0].endswith("c"), "cc" in parts
    flag = "bool c = %s;" % ("carry" if reads else "false")
    return "{ %s const auto v = %s(%s, %s, c); %s%s }" % (
        flag, function, operand(ops[1], type_), operand(ops[2], type_),
        _put(ops[0], "v"), " carry = c;" if sets else "")


def _bits(parts, ops):
    """Instructions on 32 bits, or with counts of 32 bits."""
    type_ = parts[-1]
    args = [operand(o, type_) for o in ops[1:]]
    counts = [operand(o, "u32") for o in ops[1:]]
    name = parts[0]
    if name in _SHIFTS:
        return _put(ops[0], "%s(%s, %s)" % (_SHIFTS[name], args[0], counts[1]))
    if name == "shf" and parts[2] == "wrap":
        return _put(ops[0], "op_shf_%s(%s, %s, %s & 31u)" % (
            parts[1], args[0], args[1], counts[2]))
    if name == "bfe":
        return _put(ops[0], "op_bfe(%s, %s, %s)" % (args[0], *counts[1:]))
    if name == "bfi":
        return _put(ops[0], "op_bfi(%s, %s, %s, %s)" % (
            args[0], args[1], *counts[2:]))
    if name in ("prmt", "lop3") and len(parts) == 2:
        return _put(ops[0], "op_%s(%s)" % (name, ", ".join(args)))
    raise Unknown(".".join(parts))


def _multiply(parts, ops):
    type_ = parts[-1]
    args = [operand(o, type_) for o in ops[1:]]
    wide = "wide" in parts
    function = "op_mul_wide" if wide else "op_mul_hi" if "hi" in parts \
        else "op_mul"
    value = "%s(%s, %s)" % (function, args[0], args[1])
    if parts[0] == "mad":
        third = type_[0] + str(2 * int(type_[1:])) if wide else type_
        value = "op_add(%s, %s)" % (value, operand(ops[3], third))
    return _put(ops[0], value)


_GROUPS = {"ld": _load, "st": _store, "mov": _move, "setp": _compare,
           "cvt": _convert, "atom": _atomic, "red": _atomic,
           "bar": _together, "barrier": _together, "shfl": _together,
           "vote": _together, "addc": _carry, "subc": _carry, "shl": _bits,
           "shr": _bits, "shf": _bits, "bfe": _bits, "bfi": _bits,
           "prmt": _bits, "lop3": _bits, "mad": _multiply}


def instruction(opcode, ops):
    """A C++ statement. Raises Unknown. Subnormals are not flushed and nothing
    is approximated: both builds are computed alike, if not as on a GPU."""
    parts = [p for p in opcode.split(".") if p not in _INEXACT]
    name, type_ = parts[0], parts[-1]
    if name == "cvta":
        return _put(ops[0], operand(ops[1], type_))
    if name == "mul" and type_[0] != "f":
        return _multiply(parts, ops)
    if "cc" in parts:
        return _carry(parts, ops)
    if name in _GROUPS:
        return _GROUPS[name](parts, ops)
    if name == "selp":
        return _put(ops[0], "%s ? %s : %s" % (
            operand(ops[3], "pred"), operand(ops[1], type_),
            operand(ops[2], type_)))
    if name == "rcp":
        name, ops = "div", [ops[0], "1.0"] + ops[1:]
    if name in _PLAIN and set(parts[1:-1]) <= _MODIFIERS:
        return _put(ops[0], "%s<%s>(%s)" % (
            _PLAIN[name], _TYPES[type_],
            ", ".join(operand(o, type_) for o in ops[1:])))
    raise Unknown(opcode)
