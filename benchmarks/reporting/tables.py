# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The project's tables: cells are text, or print as they are."""


def widths_of(rows):
    return [max(len(cell) for cell in column) for column in zip(*rows)]


def line(cells, widths, left, between):
    """Columns whose index is in `left` to the left, the others to the right."""
    return between.join(
        cell.ljust(width) if i in left else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths)))


def plain(header, rows, left):
    """For a terminal. A row of None draws a line."""
    rows = [row and [str(cell) for cell in row] for row in rows]
    widths = widths_of([header, *filter(None, rows)])
    rule = ["-" * width for width in widths]
    return "\n".join(line(row or rule, widths, left, "  ").rstrip()
                     for row in [header, None, *rows])


def markdown(header, rows):
    """The first column to the left."""
    rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    widths = [max(3, width) for width in widths_of([header, *rows])]
    rule = [":" + "-" * (widths[0] - 1),
            *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(f"| {line(row, widths, (0,), ' | ')} |"
                     for row in [header, rule, *rows])
