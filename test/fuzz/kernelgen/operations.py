"""Table of operations: result type -> (weight, template, operand types).

Every entry is defined for all operand values: signed arithmetic is done
unsigned, shift counts are masked, divisors are made positive. '@' stands for
an operand.
"""

UNSIGNED = {"u8": 8, "u16": 16, "u32": 32, "u64": 64, "u128": 128}
SIGNED = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "i128": 128}
VECTORS = {"v2u": ("u32", 2), "v4u": ("u32", 4), "v2l": ("u64", 2),
           "v4f": ("f32", 4), "v2d": ("f64", 2), "v2h": ("f16", 2),
           "v2s": ("u16", 2), "v2b": ("bf16", 2)}
# Size in 32-bit words, rounded up: what a variable adds to the pressure.
WORDS = {"u8": 1, "i8": 1, "u16": 1, "i16": 1, "u32": 1, "i32": 1, "u64": 2,
         "i64": 2, "u128": 4, "i128": 4, "f16": 1, "f32": 1, "f64": 2,
         "bf16": 1, "v2b": 1, "b": 0, "v2u": 2, "v4u": 4, "v2l": 4, "v4f": 4, "v2d": 4, "v2h": 1,
         "v2s": 1}


def c_type(type_):
    return "bool" if type_ == "b" else type_


def _integer_rows(name, bits, unsigned):
    """Rows shared by all integer types; narrow ones compute in 32 bits."""
    wide = unsigned if bits >= 32 else "u32"

    def row(weight, expression, kids):
        return (weight, "(%s)(%s)" % (name, expression), kids)

    op = "(%s)@ %%s (%s)@" % (wide, wide)
    rows = [row(6, op % "+", [name, name]), row(4, op % "-", [name, name]),
            row(4, op % "*", [name, name]), row(5, op % "^", [name, name]),
            row(2, op % "&", [name, name]), row(2, op % "|", [name, name]),
            row(2, "(%s)@ << (@ & %du)" % (wide, bits - 1), [name, "u32"]),
            row(2, "@ >> (@ & %du)" % (bits - 1), [name, "u32"]),
            row(1, "~@", [name]),
            row(1, "(%s)0 - (%s)@" % (wide, wide), [name]),
            (3, "(@ ? @ : @)", ["b", name, name]),
            row(1, "@ < @", [name, name])]
    return rows


def _conversion_rows(name):
    others = [t for t in list(UNSIGNED) + list(SIGNED) if t != name]
    return [(0.35, "(%s)@" % name, [t]) for t in others]


def build():
    table = {}
    for name, bits in list(UNSIGNED.items()) + list(SIGNED.items()):
        unsigned = "u" + name[1:]
        table[name] = _integer_rows(name, bits, unsigned)
        table[name] += _conversion_rows(name)
    table["u8"] += [(2, "(u8)@", ["u32"])]
    table["u16"] += [(2, "fz_asm_add16(@, @)", ["u16", "u16"]),
                     (1, "@.y", ["v2s"]), (1, "@.x", ["v2s"])]
    table["u32"] += [
        (3, "in[@ & 4095u]", ["u32"]),
        (1, "@ / (@ | 1u)", ["u32", "u32"]),
        (1, "@ % (@ | 3u)", ["u32", "u32"]),
        (2, "(u32)((u64)@ * @ >> 32)", ["u32", "u32"]),
        (2, "__builtin_rotateleft32(@, @)", ["u32", "u32"]),
        (1, "(u32)__builtin_clz(@ | 1u)", ["u32"]),
        (1, "(u32)__builtin_popcount(@)", ["u32"]),
        (1, "__builtin_bitreverse32(@)", ["u32"]),
        (1, "__builtin_bswap32(@)", ["u32"]),
        (2, "fz_bits(@)", ["f32"]), (1, "(u32)fz_bits64(@)", ["f64"]),
        (1, "fz_bits16(@)", ["f16"]), (1, "fz_to_u32(@)", ["f32"]),
        (1, "@.x", ["v4u"]), (1, "@.w", ["v4u"]), (1, "@.y", ["v2u"]),
        (1, "fz_asm_add(@, @)", ["u32", "u32"]),
        # Rare: ptxas 13.0 crashes on some lop3 whose result is compared.
        (0.15, "fz_asm_xor3(@, @, @)", ["u32", "u32", "u32"]),
        (0.15, "fz_asm_maj(@, @, @)", ["u32", "u32", "u32"]),
        (1, "fz_asm_prmt(@, @)", ["u32", "u32"]),
        (0.5, "fz_asm_bfe(@)", ["u32"]),
        (1, "fz_asm_select(@, @, @)", ["u32", "u32", "u32"])]
    table["i32"] += [
        (1, "@ / ((i32)(@ & 0x7fffu) + 1)", ["i32", "u32"]),
        (1, "@ % ((i32)(@ & 0x7fffu) + 1)", ["i32", "u32"]),
        (1, "fz_to_i32(@)", ["f32"])]
    table["u64"] += [
        (2, "((const u64_alias *)in)[@ & 2047u]", ["u32"]),
        (0.3, "@ / (@ | 1ull)", ["u64", "u64"]),
        (3, "((u64)@ * @ + @)", ["u32", "u32", "u64"]),
        (1, "__builtin_rotateleft64(@, @)", ["u64", "u64"]),
        (1, "(u64)((u128)@ * @ >> 64)", ["u64", "u64"]),
        (2, "fz_bits64(@)", ["f64"]), (0.5, "fz_to_u64(@)", ["f64"]),
        (1, "@.x", ["v2l"]), (1, "@.y", ["v2l"]),
        (1, "fz_asm_mad64(@, @, @)", ["u64", "u64", "u64"]),
        (1, "fz_asm_madwide(@, @, @)", ["u32", "u32", "u64"]),
        (1, "fz_asm_pack(@, @)", ["u32", "u32"])]
    table["u128"] += [
        (3, "((u128)@ << 64 | @)", ["u64", "u64"]),
        (2, "(u128)@ * @", ["u64", "u64"]),
        (1, "fz_asm_pack128(@, @)", ["u64", "u64"])]
    for name, suffix, bits in (("f32", "f", "u32"), ("f64", "", "u64")):
        unit = "fz_unit(@)" if name == "f32" else "fz_unit64(@)"
        table[name] = [
            (6, "(@ + @)", [name, name]), (4, "(@ - @)", [name, name]),
            (6, "(@ * @)", [name, name]), (3, "-@", [name]),
            (4, "__builtin_fma%s(@, @, @)" % suffix, [name] * 3),
            (0.5, "(@ / @)", [name, name]),
            (0.5, "__builtin_sqrt%s(__builtin_fabs%s(@))" % (suffix, suffix),
             [name]),
            (1, "__builtin_fmin%s(@, @)" % suffix, [name, name]),
            (1, "__builtin_fmax%s(@, @)" % suffix, [name, name]),
            (1, "__builtin_fabs%s(@)" % suffix, [name]),
            (3, unit, [bits]), (1, "(%s)@" % name, ["u32"]),
            (1, "(%s)@" % name, ["i64"]),
            (1, "__builtin_bit_cast(%s, @)" % name, [bits]),
            (2, "(@ ? @ : @)", ["b", name, name])]
    table["f32"] += [(1, "(f32)@", ["f64"]), (1, "(f32)@", ["f16"]),
                     (1, "@.x", ["v4f"]), (1, "@.z", ["v4f"]),
                     (1, "fz_asm_fma(@, @, @)", ["f32"] * 3)]
    table["f64"] += [(1, "(f64)@", ["f32"]), (1, "@.y", ["v2d"]),
                     (1, "fz_asm_fma64(@, @, @)", ["f64"] * 3)]
    table["f16"] = [(4, "(f16)(@ + @)", ["f16", "f16"]),
                    (4, "(f16)(@ * @)", ["f16", "f16"]),
                    (2, "(f16)(@ - @)", ["f16", "f16"]), (2, "-@", ["f16"]),
                    (3, "(f16)@", ["f32"]), (1, "@.x", ["v2h"]),
                    (2, "(@ ? @ : @)", ["b", "f16", "f16"])]
    table["b"] = [(3, "!@", ["b"]), (3, "(@ && @)", ["b", "b"]),
                  (2, "(@ || @)", ["b", "b"]), (2, "(@ != @)", ["b", "b"]),
                  (3, "((@ & @) != 0u)", ["u32", "u32"])]
    for name in list(UNSIGNED) + list(SIGNED) + ["f16", "f32", "f64"]:
        weight = 3 if name in ("u32", "i32", "u64", "f32", "f64") else 1
        for relation in ("<", "==", ">="):
            table["b"].append((weight * (0.4 if relation == "==" else 1.0),
                               "(@ %s @)" % relation, [name, name]))
    for name, (element, count) in VECTORS.items():
        table[name] = [(4, "(@ + @)", [name, name]),
                       (3, "(@ * @)", [name, name]),
                       (3, "(@ - @)", [name, name]),
                       (3, "((%s){%s})" % (name, ", ".join(["@"] * count)),
                        [element] * count),
                       (1, "@.%s" % "yxwz"[:count], [name])]
        if element[0] == "u":
            table[name] += [(3, "(@ ^ @)", [name, name]),
                            (1, "(@ | @)", [name, name])]
    table["v4u"] += [(4, "((const v4u_alias *)in)[@ & 1023u]", ["u32"])]
    table["v2u"] += [(4, "((const v2u_alias *)in)[@ & 2047u]", ["u32"])]
    return table


OPERATIONS = build()
