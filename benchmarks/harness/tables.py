# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plain text tables."""


def render(header, rows, left=()):
    """Aligned columns; those whose index is in `left` to the left.

    A row of None draws a line.
    """
    cells = [[str(c) for c in row] for row in [header, *rows] if row]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    line = "  ".join("-" * w for w in widths)

    def text(row):
        if row is None:
            return line
        return "  ".join(
            str(c).ljust(w) if i in left else str(c).rjust(w)
            for i, (c, w) in enumerate(zip(row, widths))
        ).rstrip()

    return "\n".join([text(header), line] + [text(row) for row in rows])
