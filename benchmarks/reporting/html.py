# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report as one HTML page without any outside file."""

from html import escape

from harness.results import BASELINES, KINDS

from . import plots, spilling_report
from .tables import html as table

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1120px;
  margin: 2em auto; padding: 0 1em; color: #1c2330; background: #fff; }
h1, h2 { line-height: 1.2; } table { border-collapse: collapse; font-size: 13px; }
td, th { padding: 2px 8px; text-align: right; border-bottom: 1px solid #e3e6eb; }
td:first-child, th:first-child { text-align: left; }
.good { color: #0b6b3a; font-weight: 600; } .bad { color: #b3261e; font-weight: 600; }
svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; } .wide td:last-child { text-align: left; }
"""


def cell(value):
    if value is None:
        return "–"
    css = "good" if value > 1.02 else "bad" if value < 0.98 else ""
    text = f"{value:.2f}"
    return f'<span class="{css}">{text}</span>' if css else text


def summary(results):
    rows = []
    for name, kernels in results.groups():
        for kind in ("RegDem auto", "RegDem best", "clang"):
            means = [results.mean(kernels, kind, b) for b in BASELINES]
            label = f"{escape(name)} ({len(kernels)}), {kind}"
            rows.append([label] + [cell(mean) for mean in means])
    return table(["geometric mean of speed-ups over", *BASELINES], rows)


def kernel_table(results):
    kinds = [k for k in KINDS if k != "nvcc"]
    rows = []
    for kernel in results.kernels:
        base = kernel.fastest("nvcc")
        about = escape(kernel.description)
        rows.append([
            f'<span title="{about}">{escape(kernel.id)}</span>', kernel.set,
            f"{kernel.time(base):.3f}" if base else "–",
            *(cell(kernel.speedup(kind, "nvcc")) for kind in kinds),
        ])
    return table(["kernel", "set", "nvcc ms", *kinds], rows)


def spilling_section(analysis):
    """What limits each build, from analyse.py's data."""
    rows = [
        [escape(text) for text in row]
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
    registers = plots.scatter(
        results.kernels, "registers", lambda row: row["regs"])
    occupancy = plots.scatter(
        results.kernels, "blocks per SM", lambda row: row["blocks_per_sm"],
        step=True)
    return (
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8">'
        f"<title>RegDem benchmarks</title><style>{STYLE}</style>"
        "<h1>RegDem benchmarks</h1><p>"
        + "<br>".join(escape(f) for f in facts)
        + "</p><h2>Summary</h2>"
        + summary(results)
        + "<h2>Speed-up over stock nvcc</h2>"
        + plots.svg(plots.speedups(results), "speedups")
        + "<h2>Time against registers</h2><p>Each mark is a build; time "
        "relative to stock nvcc, lower is faster. Builds far slower than the "
        "best stand at the upper edge.</p>"
        + plots.svg(registers, "registers")
        + "<h2>Occupancy steps</h2><p>The line joins the fastest builds.</p>"
        + plots.svg(occupancy, "occupancy")
        + "<h2>All kernels</h2><p>Speed-up over stock nvcc; above 1 is "
        "faster.</p>"
        + kernel_table(results)
        + (spilling_section(analysis) if analysis else "")
        + "</html>\n"
    )
