# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The project's tables: cells are text, or print as they are."""

from regdem_common.columns import aligned


def plain(header, rows, left):
    """For a terminal. A row of None draws a line."""
    rows = [row and [str(cell) for cell in row] for row in rows]
    columns = list(zip(header, *filter(None, rows)))
    rule = ["-" * max(map(len, column)) for column in columns]
    right = set(range(len(header))) - set(left)
    return "\n".join(aligned(
        [header, rule, *(row or rule for row in rows)], right))


def markdown(header, rows):
    """The first column to the left."""
    rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    widths = [max(3, *map(len, column)) for column in zip(header, *rows)]
    rule = [":" + "-" * (widths[0] - 1),
            *("-" * (width - 1) + ":" for width in widths[1:])]
    lines = aligned([header, rule, *rows], set(range(1, len(header))), " | ")
    return "\n".join(f"| {line} |" for line in lines)
