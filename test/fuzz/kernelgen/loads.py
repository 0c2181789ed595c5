"""Text of initial values: loads from the thread's part of the input.

'src' points to one of the first 512 * 4 words of 4096, aligned to 16 bytes,
so that offsets of up to 2047 words stay inside.
"""

from .operations import VECTORS


def load(rng, type_):
    """Text that loads a value of the type from the input."""
    word = "src[%du]" % rng.randrange(2048)
    if type_ in VECTORS:
        element, count = VECTORS[type_]
        if type_ == "v4u":
            return "((const v4u_alias *)src)[%du]" % \
                rng.randrange(512)
        return "{%s}" % ", ".join(load(rng, element)
                                  for _ in range(count))
    if type_ == "b":
        return "(%s & %du) != 0u" % (word, 1 << rng.randrange(31))
    if type_ == "u64":
        return "((const u64_alias *)src)[%du]" % rng.randrange(1024)
    if type_ in ("f32", "f16"):
        return "(%s)fz_unit(%s)" % (type_, word)
    if type_ == "f64":
        return "fz_unit64(%s)" % load(rng, "u64")
    if type_ in ("u128", "i128"):
        return "(%s)%s << %du ^ %s" % ("u128", load(rng, "u64"),
                                       rng.randrange(40, 64),
                                       load(rng, "u64"))
    return "(%s)%s" % (type_, word)


def initial(rng, type_):
    """The same as an expression, which a list in braces is not."""
    text = load(rng, type_)
    return "(%s)%s" % (type_, text) if text.startswith("{") else text
