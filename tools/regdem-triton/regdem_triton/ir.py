# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR as text, from Triton's LLVM to LLVM 22.

Line tables become lines in PTX alone. LLVM else asks ptxas for a debugger's
build, and Triton takes that word out again; RegDem's trials would have it.

LLVM 22 reads the text of earlier releases. LLVM 23 writes some floating-point
constants otherwise: bits as f0x and as many digits as the type has, decimals
that are right once rounded to the type, +inf and -inf. LLVM 22 wants bits by
a letter for the type, or those of the double of the same value, and decimals
that are exact. All others LLVM 22 refuses to read, so that nothing is taken
for something else.
"""

import re
import struct

# What a constant's type is looked for among; names and strings are passed over.
TOKEN = re.compile(
    r'(?P<skip>"[^"]*"|[%@!#$][-\w.$]+|;.*)'
    r"|(?P<bits>\bf0x[0-9A-Fa-f]+\b)"
    r"|(?P<type>\b(?:half|bfloat|float|double)\b)"
    r"|(?P<inf>(?<![\w.])[-+]inf\b)"
    r"|(?P<decimal>(?<![\w.])[-+]?\d+\.\d+(?:[eE][-+]?\d+)?(?![\w.]))"
)
DIGITS = {"half": 4, "bfloat": 4, "float": 8, "double": 16}
INFINITY = {"half": 0x7C00, "bfloat": 0x7F80, "float": 0x7F800000}


def for_llvm22(text):
    """The module, as LLVM 22 reads it."""
    text = text.replace(
        "emissionKind: LineTablesOnly", "emissionKind: DebugDirectivesOnly"
    )
    return "".join(map(_line, text.splitlines(keepends=True)))


def _line(line):
    kind = None

    def one(match):
        nonlocal kind
        if match["type"]:
            kind = match["type"]
        elif match["bits"]:
            digits = match["bits"][3:]
            if DIGITS.get(kind) != len(digits):
                raise ValueError(f"'{match['bits']}' of unknown type in LLVM IR")
            return _hexadecimal(kind, int(digits, 16))
        elif match["inf"]:
            return _infinite(kind, match["inf"][0] == "-")
        elif match["decimal"] and kind in ("half", "bfloat", "float"):
            return _hexadecimal(kind, _bits(kind, float(match["decimal"])))
        return match[0]

    return TOKEN.sub(one, line)


def _infinite(kind, negative):
    if kind is None:
        raise ValueError("an infinity of unknown type in LLVM IR")
    if kind == "double":
        return "0xFFF0000000000000" if negative else "0x7FF0000000000000"
    sign = 1 << (4 * DIGITS[kind] - 1) if negative else 0
    return _hexadecimal(kind, INFINITY[kind] | sign)


def _bits(kind, value):
    """Bits of a double, rounded to a narrower type, ties to even."""
    if kind == "half":
        return struct.unpack("<H", struct.pack("<e", value))[0]
    word = struct.unpack("<I", struct.pack("<f", value))[0]
    if kind == "float":
        return word
    # LLVM prints decimals of seven digits: rounded to float first, they are
    # still as near to the bfloat that they stand for.
    return (word + 0x7FFF + (word >> 16 & 1)) >> 16


def _hexadecimal(kind, bits):
    """A constant in the spelling of LLVM 22."""
    if kind == "half":
        return f"0xH{bits:04X}"
    if kind == "bfloat":
        return f"0xR{bits:04X}"
    if kind == "float":
        bits = _widened(bits)
    return f"0x{bits:016X}"


def _widened(word):
    """Bits of the double that has the value of a float. Payloads of NaNs keep
    their place, which a conversion by hardware need not do."""
    sign, exponent, fraction = word >> 31, word >> 23 & 0xFF, word & 0x7FFFFF
    if exponent == 0xFF:
        return sign << 63 | 0x7FF << 52 | fraction << 29
    value = struct.unpack("<f", struct.pack("<I", word))[0]
    return struct.unpack("<Q", struct.pack("<d", value))[0]
