# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report as one HTML page without any outside file."""

from html import escape

from . import plots, spilling_report
from .results import BASELINES, KINDS

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1120px;
  margin: 2em auto; padding: 0 1em; color: #1c2330; background: #fff; }
h1, h2 { line-height: 1.2; } table { border-collapse: collapse; font-size: 13px; }
td, th { padding: 2px 8px; text-align: right; border-bottom: 1px solid #e3e6eb; }
td:first-child, th:first-child { text-align: left; }
.good { color: #0b6b3a; font-weight: 600; } .bad { color: #b3261e; font-weight: 600; }
svg { font: 11px system-ui, sans-serif; } .title { font-weight: 600; }
.grid { stroke: #e6e9ee; } .axis { stroke: #8a93a3; } .one { stroke: #5b6678; }
.steps { fill: none; stroke: #c3cad6; stroke-width: 2; }
.c-clang { fill: none; stroke: #6b7280; stroke-width: 2; }
.c-cap { fill: #0072b2; } .c-pragma { fill: #e69f00; }
.c-best { fill: none; stroke: #009e73; stroke-width: 2; } .c-auto { fill: #d6336c; }
.chosen { fill: none; stroke: #d6336c; stroke-width: 2; }
.wide { overflow-x: auto; } .wide td:last-child { text-align: left; }
.many { display: flex; flex-wrap: wrap; gap: 6px; }
"""


def cell(value):
    if value is None:
        return "<td>–</td>"
    css = "good" if value > 1.02 else "bad" if value < 0.98 else ""
    return f'<td class="{css}">{value:.2f}</td>'


def table(header, rows):
    """Rows are lists of finished cells."""
    head = "".join(f"<th>{escape(h)}</th>" for h in header)
    body = "".join("<tr>" + "".join(row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def summary(results):
    rows = []
    for name, kernels in results.groups():
        for kind in ("RegDem auto", "RegDem best", "clang"):
            cells = [f"<td>{escape(name)} ({len(kernels)}), {kind}</td>"]
            cells += [
                cell(results.mean(kernels, kind, b)) for b in BASELINES
            ]
            rows.append(cells)
    return table(["geometric mean of speed-ups over", *BASELINES], rows)


def kernel_table(results):
    kinds = [k for k in KINDS if k != "nvcc"]
    rows = []
    for kernel in results.kernels:
        base = kernel.fastest("nvcc")
        time = f"{kernel.time(base):.3f}" if base else "–"
        rows.append(
            [f'<td title="{escape(kernel.description)}">{kernel.id}</td>']
            + [f"<td>{kernel.set}</td><td>{time}</td>"]
            + [cell(kernel.speedup(kind, "nvcc")) for kind in kinds]
        )
    return table(["kernel", "set", "nvcc ms", *kinds], rows)


def spilling_section(analysis):
    """What limits each build, from analyse.py's data."""
    rows = [
        [f"<td>{escape(text)}</td>" for text in row]
        for row in spilling_report.rows(analysis)
    ]
    lines = [escape(line) for line in spilling_report.notes(analysis)]
    return (
        f"<h2>{escape(spilling_report.TITLE)}</h2>"
        f'<div class="wide">{table(spilling_report.HEADER, rows)}</div>'
        f"<p>{'<br>'.join(lines)}</p>"
    )


def page(results, analysis=None):
    """`analysis`: the data of analyse.py, or None."""
    data = results.data
    facts = [
        f"{data['device']}, driver {data['driver']}, {data['date']}",
        ", ".join(f"{n} {v}" for n, v in sorted(data["tools"].items())),
        f"revision {data['revision']}, {len(data['rows'])} measurements, "
        f"{len(results.wrong)} wrong results",
    ]
    registers = [
        plots.scatter(k, "registers", lambda row: row["regs"])
        for k in results.kernels
    ]
    occupancy = [
        plots.scatter(k, "blocks per SM", lambda row: row["blocks_per_sm"],
                      step=True)
        for k in results.kernels
    ]
    return (
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8">'
        f"<title>RegDem benchmarks</title><style>{STYLE}</style>"
        "<h1>RegDem benchmarks</h1><p>"
        + "<br>".join(escape(f) for f in facts)
        + "</p><h2>Summary</h2>"
        + summary(results)
        + "<h2>Speed-up over stock nvcc</h2>"
        + plots.speedups(results)
        + "<h2>Time against registers</h2><p>Each mark is a build; time "
        "relative to stock nvcc, lower is faster. Builds far slower than the "
        "best stand at the upper edge.</p>"
        + plots.scatter_legend()
        + '<div class="many">'
        + "".join(registers)
        + '</div><h2>Occupancy steps</h2><div class="many">'
        + "".join(occupancy)
        + "</div><h2>All kernels</h2><p>Speed-up over stock nvcc; above 1 is "
        "faster.</p>"
        + kernel_table(results)
        + (spilling_section(analysis) if analysis else "")
        + "</html>\n"
    )
