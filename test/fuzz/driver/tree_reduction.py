"""Shrinks a generated kernel by cutting subtrees out of it.

Knows nothing of what a statement means: a cut that leaves a program which the
stock compiler refuses is not interesting, and is undone.
"""

import random

from kernelgen.expressions import literal
from kernelgen.tree import Block, Expr, Stmt, walk


class TreeReduction:
    """interesting: a function of the kernel; at most 'tests' calls of it."""

    def __init__(self, kernel, interesting, tests=4000):
        self.kernel = kernel
        self.interesting = interesting
        self.tests = tests

    def run(self):
        """Repeats all passes until none of them removes anything."""
        before = None
        while self._size() != before and self.tests > 0:
            before = self._size()
            self._cut_list(self.kernel, "functions")
            for block in self._blocks():
                self._cut_list(block, "stmts")
            self._cut_list(self.kernel, "functions")
            self._hoist()
            self._simplify()

    def _size(self):
        return sum(1 for _ in walk(self.kernel)), len(self.kernel.text())

    def _blocks(self):
        return [n for n in walk(self.kernel) if isinstance(n, Block)]

    def _try(self, holder, name, value):
        """Sets holder.name to the value; keeps it if still interesting."""
        old = getattr(holder, name)
        setattr(holder, name, value)
        self.tests -= 1
        if self.tests >= 0 and self.interesting(self.kernel):
            return True
        setattr(holder, name, old)
        return False

    def _cut_list(self, holder, name):
        """Removes runs of elements, of half the list down to one."""
        size = len(getattr(holder, name))
        while size >= 1:
            start = 0
            while start < len(getattr(holder, name)):
                items = getattr(holder, name)
                if not self._try(holder, name,
                                 items[:start] + items[start + size:]):
                    start += size
            size //= 2

    def _hoist(self):
        """Replaces a compound statement by the statements of one of its
        blocks, in braces if they do not stand without."""
        for block in self._blocks():
            index = 0
            while index < len(block.stmts):
                stmt = block.stmts[index]
                choices = []
                for child in stmt.children():
                    if isinstance(child, Block):
                        choices.append(child.stmts)
                        if len(stmt.parts) > 1:
                            choices.append([Stmt("block", [child])])
                for choice in choices:
                    if self._try(block, "stmts", block.stmts[:index] + choice
                                 + block.stmts[index + 1:]):
                        break
                index += 1

    def _simplify(self):
        """Replaces expressions by a constant or by an operand."""
        for node in list(walk(self.kernel)):
            if isinstance(node, (Stmt, Expr)):
                for index, part in enumerate(node.parts):
                    if isinstance(part, Expr) and len(part.parts) > 1:
                        self._simplify_part(node, index, part)

    def _simplify_part(self, node, index, part):
        choices = [literal(random.Random(0), part.type)]
        choices += [n for n in walk(part) if isinstance(n, Expr)
                    and n is not part and n.type == part.type]
        for choice in choices[:6]:
            new = list(node.parts)
            new[index] = choice
            if self._try(node, "parts", new):
                return
