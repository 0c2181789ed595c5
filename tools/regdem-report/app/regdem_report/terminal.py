# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table for the terminal."""

from regdem_common import words

from .advice import advice

HEADER = ("kernel", "source", "arch", "regs", "spill B", "blocks/SM", "limiter",
          "RegDem", "expected")


def row(kernel):
    source = kernel.source.rpartition("/")[2]
    return (kernel.short, source, kernel.arch, *words.figures(kernel),
            kernel.raw["limiter_after"], words.done(kernel), words.percent(kernel.gain))


def table(kernels, with_advice=True):
    """Lines of text; advice stands below its kernel."""
    rows = [row(k) for k in kernels]
    widths = [max(map(len, column)) for column in zip(HEADER, *rows)]
    right = {3, 4, 5, 8}

    def line(cells):
        return "  ".join(c.rjust(w) if i in right else c.ljust(w)
                         for i, (c, w) in enumerate(zip(cells, widths))).rstrip()

    lines = [line(HEADER)]
    for kernel, cells in zip(kernels, rows):
        lines.append(line(cells))
        if with_advice:
            lines += [f"    * {text}" for text in advice(kernel)]
    return lines + ["", words.summary(kernels)]
