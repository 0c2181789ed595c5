# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report's three pictures, from Results."""

from .svg import Canvas, Scale

# kind, shape, style
SPEEDUP_MARKS = (
    ("clang", "cross", "c-clang"),
    ("nvcc best cap", "square", "c-cap"),
    ("nvcc best pragma", "triangle", "c-pragma"),
    ("RegDem best", "diamond", "c-best"),
    ("RegDem auto", "circle", "c-auto"),
)


def family_style(variant):
    """Shape and style of one variant in the scatter plots."""
    if variant.startswith("regdem"):
        return "circle", "c-auto"
    if "pragma" in variant:
        return "triangle", "c-pragma"
    if variant.startswith("clang"):
        return "cross", "c-clang"
    return "square", "c-cap"


def legend(canvas, entries, x, y):
    for name, shape, css in entries:
        canvas.mark(x, y - 4, shape, css, name)
        canvas.text(x + 9, y, name, "small")
        x += 24 + 6.5 * len(name)


def speedups(results):
    """One line per kernel: speed-up of every kind over stock nvcc."""
    kernels = results.kernels
    row, left, top, width = 20, 110, 46, 860
    canvas = Canvas(width, top + row * len(kernels) + 16)
    values = [
        (k, kind, shape, css, k.speedup(kind, "nvcc"))
        for k in kernels
        for kind, shape, css in SPEEDUP_MARKS
    ]
    known = [v[4] for v in values if v[4] is not None] or [1.0]
    low, high = min(known + [0.5]), max(known + [2.0])
    scale = Scale(low / 1.05, high * 1.05, left, width - 20, log=True)
    legend(canvas, SPEEDUP_MARKS, left, 14)
    ticks = (0.1, 0.2, 0.33, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5, 10)
    last = -100.0
    for tick in ticks:
        if not low / 1.05 <= tick <= high * 1.05:
            continue
        x = scale(tick)
        canvas.line(x, top - 6, x, canvas.height - 10,
                    "one" if tick == 1 else "grid")
        if x - last > 28 or tick == 1:
            canvas.text(x, top - 10, f"{tick:g}×", "small", "middle")
            last = x
    for index, kernel in enumerate(kernels):
        y = top + row * index + row / 2
        canvas.line(left, y, width - 20, y, "grid")
        canvas.text(left - 8, y + 4, kernel.id, "small", "end")
    for kernel, kind, shape, css, value in values:
        if value is not None:
            y = top + row * kernels.index(kernel) + row / 2
            variant = kernel.fastest(kind)
            canvas.mark(scale(value), y, shape, css,
                        f"{kernel.id}, {kind} ({variant}): {value:.3f}×")
    return str(canvas)


def scatter_legend():
    canvas = Canvas(560, 24)
    entries = (
        ("nvcc", "square", "c-cap"),
        ("clang", "cross", "c-clang"),
        ("with pragma", "triangle", "c-pragma"),
        ("RegDem", "circle", "c-auto"),
        ("chosen by auto", "ring", "chosen"),
    )
    legend(canvas, entries, 10, 17)
    return str(canvas)


def scatter(kernel, x_name, x_of, step=False):
    """Time of every variant, relative to stock nvcc, over a figure of it.

    A ring marks what RegDem chose; `step` joins the best time at each x.
    """
    width, height, left, top, bottom = 260, 190, 40, 26, 30
    canvas = Canvas(width, height)
    base = kernel.fastest("nvcc") or kernel.fastest("clang")
    if base is None:
        return ""
    points = [
        (x_of(kernel.rows[v]), kernel.time(v) / kernel.time(base), v)
        for v in kernel.times
    ]
    lowest = min(y for _, y, _ in points)
    # A few very slow builds would flatten the interesting part.
    highest = min(max(y for _, y, _ in points), max(3.0, 2.5 * lowest))
    xs = [x for x, _, _ in points]
    to_x = Scale(min(xs) - 1, max(xs) + 1, left, width - 10)
    to_y = Scale(highest * 1.05, lowest * 0.95, top, height - bottom, log=True)
    canvas.text(left, 14, kernel.id, "title")
    canvas.line(left, height - bottom, width - 10, height - bottom, "axis")
    canvas.line(left, top, left, height - bottom, "axis")
    for value in sorted({min(xs), max(xs)}):
        canvas.text(to_x(value), height - bottom + 13, f"{value}", "small",
                    "middle")
    canvas.text((left + width - 10) / 2, height - 4, x_name, "small", "middle")
    for value in sorted({lowest, 1.0, highest}):
        if lowest <= value <= highest:
            canvas.text(left - 4, to_y(value) + 4, f"{value:.2f}", "small",
                        "end")
    if lowest <= 1.0 <= highest:
        canvas.line(left, to_y(1.0), width - 10, to_y(1.0), "one")
    if step:
        best = {}
        for x, y, _ in points:
            best[x] = min(y, best.get(x, y))
        canvas.path([(to_x(x), to_y(min(y, highest)))
                     for x, y in sorted(best.items())], "steps")
    for x, y, variant in points:
        shape, css = family_style(variant)
        text = f"{variant}: {x} {x_name}, {kernel.time(variant):.4f} ms"
        canvas.mark(to_x(x), to_y(min(y, highest)), shape, css, text)
        if variant == "regdem-auto":
            canvas.mark(to_x(x), to_y(min(y, highest)), "ring", "chosen", text)
    return str(canvas)
