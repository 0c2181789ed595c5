# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report's three pictures, from Results, drawn by matplotlib.

A mark's label says what it stands for and becomes its tooltip.
"""

import io
from xml.etree import ElementTree

import matplotlib
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

# Not a user's own settings, so that everybody gets the same picture.
matplotlib.rcdefaults()
matplotlib.rcParams.update({
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.labelsize": 8,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "font.sans-serif": ["DejaVu Sans"],
    "grid.color": "#e6e9ee",
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linestyle": "none",
    "lines.markersize": 5,
    "svg.fonttype": "none",  # text stays text
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
})

# The colours differ for colour-blind readers, too.
CLANG = {"marker": "x", "color": "#6b7280"}
CAP = {"marker": "s", "color": "#0072b2"}
PRAGMA = {"marker": "^", "color": "#e69f00"}
BEST = {"marker": "D", "color": "#009e73", "markerfacecolor": "none"}
AUTO = {"marker": "o", "color": "#d6336c"}
CHOSEN = {**AUTO, "markerfacecolor": "none", "markersize": 10}

SPEEDUP_MARKS = {
    "clang": CLANG,
    "nvcc best cap": CAP,
    "nvcc best pragma": PRAGMA,
    "RegDem best": BEST,
    "RegDem auto": AUTO,
}
SCATTER_MARKS = {
    "nvcc": CAP,
    "clang": CLANG,
    "with pragma": PRAGMA,
    "RegDem": AUTO,
    "chosen by auto": CHOSEN,
}
COLUMNS = 4
NAMESPACES = {"": "http://www.w3.org/2000/svg",
              "xlink": "http://www.w3.org/1999/xlink"}


def marks(figure):
    """The lines that stand for something; matplotlib gives all others names
    that begin with an underscore."""
    return [line for axes in figure.axes for line in axes.lines
            if not line.get_label().startswith("_")]


def svg(figure, name):
    """SVG text of a figure, the same whenever it is drawn. `name` keeps the
    identifiers of several pictures on one page apart."""
    titles = {}
    for number, line in enumerate(marks(figure)):
        line.set_gid(f"mark{number}")
        titles[line.get_gid()] = line.get_label()
    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": name}):
        figure.savefig(text, format="svg", metadata=dict.fromkeys(
            ("Creator", "Date", "Format", "Type")))
    for prefix, space in NAMESPACES.items():
        ElementTree.register_namespace(prefix, space)
    root, by_id = ElementTree.XMLID(text.getvalue())
    for gid, title in titles.items():
        element = ElementTree.Element(f"{{{NAMESPACES['']}}}title")
        element.text = title
        by_id[gid].insert(0, element)
    for element in root.iter():
        # Line ends and indents make up a tenth of the text.
        element.tail = None
        element.text = (element.text or "").strip() or None
        # matplotlib numbers its groups in each picture from 1; nothing refers
        # to them.
        if element.tag == f"{{{NAMESPACES['']}}}g":
            element.attrib.pop("id", None)
    return ElementTree.tostring(root, encoding="unicode")


def mark(axes, x, y, style, label):
    axes.plot([x], [y], label=label, clip_on=False, **style)


def legend(figure, marks):
    figure.legend(
        handles=[Line2D([], [], label=name, **style)
                 for name, style in marks.items()],
        loc="outside upper left", ncols=len(marks))


def speedups(results):
    """One line per kernel: speed-up of every kind over stock nvcc."""
    kernels = results.kernels
    figure = Figure(figsize=(9, 1 + 0.2 * len(kernels)), layout="constrained")
    legend(figure, SPEEDUP_MARKS)
    axes = figure.add_subplot(xscale="log")
    for y, kernel in enumerate(kernels):
        for kind, style in SPEEDUP_MARKS.items():
            value = kernel.speedup(kind, "nvcc")
            if value is not None:
                mark(axes, value, y, style,
                     f"{kernel.id}, {kind} ({kernel.fastest(kind)}): "
                     f"{value:.3f}×")
    axes.set_yticks(range(len(kernels)), [k.id for k in kernels])
    axes.set_ylim(len(kernels) - 0.5, -0.5)
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.5), max(high, 2.0))
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 1.5, 2, 3, 5, 7)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:g}×")
    axes.tick_params(length=0, labeltop=True)
    axes.axvline(1, linestyle="-", linewidth=1, color="#5b6678", zorder=1)
    return figure


def family_style(variant):
    """Style of one variant in the scatter plots."""
    if variant.startswith("regdem"):
        return AUTO
    if "pragma" in variant:
        return PRAGMA
    return CLANG if variant.startswith("clang") else CAP


def scatter(kernels, x_name, x_of, step=False):
    """For each kernel that has a stock build: time of every variant, relative
    to stock nvcc (clang, if there is none), over a figure of it.

    A ring marks what RegDem chose; `step` joins the best time at each x.
    """
    kernels = [k for k in kernels if k.fastest("nvcc") or k.fastest("clang")]
    rows = max(1, -(-len(kernels) // COLUMNS))
    figure = Figure(figsize=(11, 0.4 + 1.9 * rows), layout="constrained")
    legend(figure, SCATTER_MARKS)
    places = list(figure.subplots(rows, COLUMNS, squeeze=False).flat)
    for axes, kernel in zip(places, kernels):
        scatter_kernel(axes, kernel, x_name, x_of, step)
    for axes in places[len(kernels):]:
        axes.remove()
    return figure


def scatter_kernel(axes, kernel, x_name, x_of, step):
    base = kernel.time(kernel.fastest("nvcc") or kernel.fastest("clang"))
    points = [(x_of(kernel.rows[v]), kernel.time(v) / base, v)
              for v in kernel.times]
    lowest = min(y for _, y, _ in points)
    # A few very slow builds would flatten the interesting part.
    highest = min(max(y for _, y, _ in points), max(3.0, 2.5 * lowest))
    axes.set_title(kernel.id, loc="left")
    axes.set_xlabel(x_name)
    axes.set_yscale("log")
    axes.set_ylim(lowest * 0.93, highest * 1.07)
    xs = [x for x, _, _ in points]
    axes.set_xlim(min(xs) - 1, max(xs) + 1)
    axes.xaxis.set_major_locator(
        MaxNLocator(5, integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=(1, 2, 5, 10)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter("{x:.2f}")
    axes.spines[["top", "right"]].set_visible(False)
    axes.axhline(1, linestyle="-", linewidth=1, color="#5b6678", zorder=1)
    if step:
        best = {}
        for x, y, _ in points:
            best[x] = min(y, best.get(x, highest))
        axes.plot(*zip(*sorted(best.items())), linestyle="-", linewidth=2,
                  color="#c3cad6", zorder=1.5)
    for x, y, variant in points:
        label = f"{variant}: {x} {x_name}, {kernel.time(variant):.4f} ms"
        mark(axes, x, min(y, highest), family_style(variant), label)
        if variant == "regdem-auto":
            mark(axes, x, min(y, highest), CHOSEN, label)
