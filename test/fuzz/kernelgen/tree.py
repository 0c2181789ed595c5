"""The generated program as a tree, so that a reducer can cut subtrees out.

An Expr or Stmt is a list of parts: strings, and child nodes. A Block holds
statements and prints braces around them. No node knows what it means: the
generator decides what is valid, and the reducer lets the compiler judge.
"""


class Expr:
    __slots__ = ("type", "parts")

    def __init__(self, type_, parts):
        self.type = type_
        self.parts = parts

    def text(self, pad=""):
        return "".join(p if isinstance(p, str) else p.text(pad)
                       for p in self.parts)

    def children(self):
        return [p for p in self.parts if not isinstance(p, str)]


class Stmt:
    """One statement. A newline in a part starts a line of the same depth."""
    __slots__ = ("kind", "parts")

    def __init__(self, kind, parts):
        self.kind = kind
        self.parts = parts

    def text(self, pad=""):
        return "".join(p.replace("\n", "\n" + pad) if isinstance(p, str)
                       else p.text(pad) for p in self.parts)

    def children(self):
        return [p for p in self.parts if not isinstance(p, str)]


class Block:
    __slots__ = ("stmts",)

    def __init__(self, stmts=None):
        self.stmts = stmts if stmts is not None else []

    def text(self, pad=""):
        inner = pad + "  "
        lines = [inner + s.text(inner) + "\n" for s in self.stmts]
        return "{\n" + "".join(lines) + pad + "}"

    def children(self):
        return list(self.stmts)


def walk(node):
    """All nodes below and including this one, parents first."""
    yield node
    for child in node.children():
        yield from walk(child)


def fill(template, kids):
    """Parts of a template in which each '@' stands for the next child."""
    pieces = template.split("@")
    assert len(pieces) == len(kids) + 1, template
    parts = [pieces[0]]
    for kid, piece in zip(kids, pieces[1:]):
        parts.append(kid)
        if piece:
            parts.append(piece)
    return parts
