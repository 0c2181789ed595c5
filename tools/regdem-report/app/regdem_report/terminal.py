# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table for the terminal."""

from regdem_common import words

from .advice import advice

HEADER = ("kernel", "source", "arch", "regs", "spill B", "blocks/SM", "limiter",
          "RegDem", "expected")
MEASURED = ("measured", "limited by", "spilling")


def row(kernel, measured):
    source = kernel.source.rpartition("/")[2]
    cells = (kernel.short, source, kernel.arch, *words.figures(kernel),
             kernel.raw["limiter_after"], words.done(kernel), words.percent(kernel.gain))
    if not measured:
        return cells
    shown = kernel.measured.weightiest
    return (*cells, words.percent(kernel.measured.gain),
            f"{shown['limit'] or 'unknown'}" if shown else "",
            shown["spilling"] if shown else "")


def table(kernels, with_advice=True):
    """Lines of text; advice stands below its kernel."""
    measured = any(k.measured for k in kernels)
    header = HEADER + MEASURED if measured else HEADER
    rows = [row(k, measured) for k in kernels]
    widths = [max(map(len, column)) for column in zip(header, *rows)]
    right = {3, 4, 5, 8, 9}

    def line(cells):
        return "  ".join(c.rjust(w) if i in right else c.ljust(w)
                         for i, (c, w) in enumerate(zip(cells, widths))).rstrip()

    lines = [line(header)]
    for kernel, cells in zip(kernels, rows):
        lines.append(line(cells))
        if with_advice:
            lines += [f"    * {text}" for text in advice(kernel)]
    return lines + ["", words.summary(kernels)]
