# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Columns of text for the terminal."""


def aligned(rows, right, between="  "):
    """A line for each row of cells, in columns as wide as their widest cell;
    those whose index is in `right` are flush right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [between.join(c.rjust(w) if i in right else c.ljust(w)
                      for i, (c, w) in enumerate(zip(cells, widths))).rstrip()
            for cells in rows]
