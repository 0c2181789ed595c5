# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The project's tables, as tabulate lays them out. Cells are shown as they
are: tabulate would read "1.50" as a number and print 1.5."""

from tabulate import SEPARATING_LINE, tabulate


def lay_out(header, rows, form, left):
    """Columns whose index is in `left` to the left, the others to the right."""
    sides = ["left" if i in left else "right" for i in range(len(header))]
    return tabulate(rows, header, tablefmt=form, disable_numparse=True,
                    # tabulate 0.9 cannot align the columns of no rows.
                    colalign=sides if rows else None)


def plain(header, rows, left):
    """For a terminal. A row of None draws a line."""
    rows = [SEPARATING_LINE if row is None else row for row in rows]
    return lay_out(header, rows, "simple", left)


def markdown(header, rows):
    """The first column to the left."""
    rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return lay_out(header, rows, "pipe", left=(0,))


def html(header, rows):
    """Cells are finished HTML; alignment is left to the style sheet."""
    return tabulate(rows, header, tablefmt="unsafehtml", disable_numparse=True)
