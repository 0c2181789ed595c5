# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table for the terminal."""

from regdem_common import columns, words

from . import frames as of_finish
from .advice import advice

HEADER = ("kernel", "source", "arch", "regs", "spill B", "local B", "blocks/SM", "limiter",
          "RegDem", "expected")
MEASURED = ("weight", "measured", "limited by", "spilling")
RIGHT = {3, 4, 5, 6, 10, 11}


def row(kernel, measured):
    source = kernel.source.rpartition("/")[2]
    cells = (kernel.short, source, kernel.arch, *words.figures(kernel),
             kernel.raw["limiter_after"], words.done(kernel), words.gain(kernel))
    if not measured:
        return cells
    shown = kernel.measured.weightiest
    return (*cells, words.share(kernel.measured.weight), words.percent(kernel.measured.gain),
            f"{shown['limit'] or 'unknown'}" if shown else "",
            shown["spilling"] if shown else "")


def frame_table(frames, kernels):
    """Lines of text; the kernels may give their names."""
    return columns.aligned(of_finish.rows(frames, kernels), of_finish.RIGHT)


def table(kernels, with_advice=True):
    """Lines of text; advice stands below its kernel."""
    measured = any(k.measured for k in kernels)
    header, *rows = columns.aligned(
        [HEADER + MEASURED if measured else HEADER,
         *(row(k, measured) for k in kernels)], RIGHT)
    lines = [header]
    for kernel, text in zip(kernels, rows):
        lines.append(text)
        if with_advice:
            lines += [f"    * {text}" for text in advice(kernel)]
    return lines + ["", words.summary(kernels), *filter(None, [words.dearest(kernels)])]
