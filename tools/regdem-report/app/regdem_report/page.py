# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One HTML page without any outside file."""

from html import escape

from regdem_common import words
from regdem_common.records import local, spill

from . import frames as of_finish
from .advice import advice, steps
from .picture import pictures

STYLE = """:root{color-scheme:light dark;--text:#1f2328;--dim:#59636e;--line:#d1d9e0;--back:#fff;
--soft:#f6f8fa;--good:#1a7f37;--warn:#9a6700;--bad:#cf222e}
@media(prefers-color-scheme:dark){:root{--text:#e6edf3;--dim:#9198a1;--line:#3d444d;
--back:#0d1117;--soft:#151b23;--good:#3fb950;--warn:#d29922;--bad:#f85149}}
body{font:14px/1.45 system-ui,sans-serif;color:var(--text);background:var(--back);
margin:2rem auto;max-width:72rem;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem}a{color:inherit}code{font-family:ui-monospace,monospace}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
details{border:1px solid var(--line);border-radius:6px;margin:.5rem 0}
summary{cursor:pointer;background:var(--soft)}summary,.head{display:grid;gap:0 .8rem;padding:.45rem .7rem;
grid-template-columns:minmax(0,3fr) minmax(0,3fr) 8rem 8rem 8rem 14rem}.head{padding-bottom:0;margin:0 1px}
@media(max-width:50rem){summary{grid-template-columns:1fr 1fr}.head{display:none}}
summary>*{overflow-wrap:anywhere}.in{padding:.3rem .9rem .8rem;overflow-x:auto}
.dim,small{color:var(--dim)}.good{color:var(--good)}.bad{color:var(--bad)}ul.advice{padding-left:1.2rem;color:var(--warn)}
svg{width:min(100%,21rem);height:auto;font-size:9px}svg text{fill:var(--dim)}
.axis{fill:none;stroke:var(--dim)}.limit{fill:none;stroke:var(--dim);stroke-width:1.5}
circle{fill:var(--back);stroke:var(--dim);stroke-width:1.5}circle.stock{fill:var(--dim)}
circle.chosen{fill:var(--good);stroke:var(--good)}tr.chosen td{color:var(--good);font-weight:600}
input{font:inherit;padding:.3rem .5rem;width:20rem;max-width:100%;color:inherit;background:var(--soft);
border:1px solid var(--line);border-radius:6px}"""

SCRIPT = """document.getElementById('filter').oninput=function(){var w=this.value.toLowerCase();
document.querySelectorAll('details').forEach(function(d){
d.hidden=d.firstElementChild.textContent.toLowerCase().indexOf(w)<0})};
onhashchange=function(){var d=document.getElementById(location.hash.slice(1));if(d)d.open=true}"""

COLUMNS = ("kernel", "what RegDem built", "registers", "spill code", "local memory",
           "occupancy, gain")
HEADER = ("build", "registers", "spill B", "local B", "shared B", "blocks/SM", "expected")
MOST_STEPS = 10  # that the list of what to do next has


def _variants(kernel):
    rows = []
    for v in kernel.variants:
        gain = v.get("expected_gain")
        cells = (v["regs"], spill(v), local(v), v["smem"], v["blocks_per_sm"],
                 words.percent(gain) if v.get("cycles") else "")
        raw = kernel.raw if v["chosen"] else None
        rows.append(f"<tr{' class=chosen' if v['chosen'] else ''}>"
                    f"<td>{escape(words.build(v, raw))}</td>"
                    + "".join(f"<td class=n>{c}</td>" for c in cells) + "</tr>")
    if not rows:
        return "<p class=dim>No build was assembled.</p>"
    head = "".join(f"<th{' class=n' if n else ''}>{name}</th>" for n, name in enumerate(HEADER))
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _measured(kernel):
    """What Nsight Compute and the launch log have of it."""
    found = kernel.measured
    if not found:
        return ""
    items = [f"{f['launches']} launches of {f['block_size']} threads a block"
             + (f", build {f['build']}" if f["build"] else "")
             + (f": {f['time_ms']:.4g} ms each" if f["time_ms"] else "")
             + f", {f['verdict']}" for f in found.own]
    items += [f"{threads} threads a block: {before:.4g} ms as stock, {after:.4g} ms as built "
              f"({words.percent(100 * (1 - after / before))})"
              for threads, before, after in found.pairs()]
    for launches in found.launches:
        builds = ", ".join(
            f"{count} of {f'build {build}' if build else 'the kernel itself'}"
            for build, count in sorted(launches.counts.items()))
        gain = launches.gain
        items.append(f"launches of {launches.threads} threads a block: {builds}" + (
            "" if gain is None else f"; the build against the kernel: {words.percent(gain)}"))
    return ("<p>Measured:</p><ul>" + "".join(f"<li>{escape(text)}</li>" for text in items)
            + "</ul>")


def _gains(kernel):
    """Expected and measured gain, with a comma before; the measured one counts."""
    gain, expected = kernel.measured.gain if kernel.measured else None, words.gain(kernel)
    if gain is None:
        return f", <span class=good>{escape(expected)}</span>" if expected else ""
    kind = "good" if gain >= 0 else "bad"
    return (f", <span class={kind}>{words.percent(gain)}</span>"
            f"<br><small>{escape(expected) or 'none'} expected</small>")


def _kernel(kernel, number, with_arch):
    registers, spilled, in_local, blocks = words.figures(kernel)
    file = escape(kernel.source.rpartition("/")[2])
    weight = words.share(kernel.measured.weight) if kernel.measured else ""
    about = " ".join(filter(None, (file, escape(kernel.arch) if with_arch else "",
                                   f"{weight} of the program" if weight else "")))
    cells = (f"<b>{escape(kernel.short)}</b> <small>{about}</small>", escape(words.done(kernel)),
             f"<span class=n>{registers}{' regs' if registers else ''}</span>",
             f"<span class=n>{spilled}{' B spill' if spilled else ''}</span>",
             f"<span class=n>{in_local}{' B local' if in_local else ''}</span>",
             f"<span class=n>{blocks} blocks/SM{_gains(kernel)}</span>")
    raw = kernel.raw
    known = {"assumed": "assumed", "reqntid": "of the kernel", "maxntid": "launch bounds"}
    notes = "".join(f"<li>{escape(text)}</li>" for text in advice(kernel))
    where = f"<code>{escape(kernel.source)}</code> · " if kernel.source else ""
    return (f"<details id=k{number}><summary>{' '.join(f'<span>{c}</span>' for c in cells)}"
            "</summary>"
            f"<div class=in><p><code>{escape(kernel.name)}</code><br><small>{where}"
            f"{escape(kernel.arch)} · {raw['block_size']} threads a block "
            f"({known.get(raw['block_size_from'], raw['block_size_from'])}) · limited by "
            f"{escape(raw['limiter_before'])}"
            + (f", then {escape(raw['limiter_after'])}"
               if raw["limiter_after"] != raw["limiter_before"] else "")
            + f"</small></p><p>{escape(kernel.reason)}</p>"
            + (f"<ul class=advice>{notes}</ul>" if notes else "")
            + f"{_measured(kernel)}{pictures(kernel)}{_variants(kernel)}</div></details>")


def _next_steps(order, with_arch):
    """What to do first, each with a link to its kernel."""
    first = [(n, k, todo[0]) for n, k in enumerate(order) if (todo := steps(k))][:MOST_STEPS]
    if not first:
        return ""
    items = "".join(
        f"<li><a href='#k{n}'>{escape(k.short)}{' ' + escape(k.arch) if with_arch else ''}</a>: "
        f"{escape(text)}</li>" for n, k, text in first)
    return f"<h2>What to do next</h2><ol>{items}</ol>"


def _frames(frames, kernels):
    """What regdem-finish has moved."""
    if not frames:
        return ""
    head, *rows = of_finish.rows(frames, kernels)

    def line(tag, cells):
        return "<tr>" + "".join(
            f"<{tag}{' class=n' if n in of_finish.RIGHT else ''}>{escape(c)}</{tag}>"
            for n, c in enumerate(cells)) + "</tr>"

    return (f"<h2>Frames that regdem-finish saw</h2><table>{line('th', head)}"
            + "".join(line("td", cells) for cells in rows) + "</table>")


def _order(kernel):
    """Those that weigh most come first, then what was changed, the largest gains
    first, and what has something to do."""
    weight = kernel.measured.weight if kernel.measured else None
    gain = kernel.raw.get("expected_gain", 0) if kernel.is_changed else 0
    return -(weight or 0), not kernel.is_changed, -gain, not steps(kernel)


def page(kernels, frames=()):
    """The whole page."""
    order = sorted(kernels, key=_order)
    with_arch = len({k.arch for k in kernels}) > 1
    return (f'<!DOCTYPE html><html lang=en><meta charset=utf-8><meta name=viewport '
            f'content="width=device-width"><title>RegDem report</title>'
            f"<style>{STYLE}</style><h1>RegDem report</h1>"
            f"<p>{escape(words.summary(kernels))}. Dots are builds that were tried: "
            "<span class=good>green</span> the one that was built, grey stock, hollow rejected; the "
            "line is what the GPU allows. Expected: percent of time saved, as predicted; under a stated cap "
            "over that cap alone. Measured: by Nsight Compute or the launch log, against stock.</p>"
            f"<p class=dim>{escape(words.dearest(kernels))}</p>"
            f"{_next_steps(order, with_arch)}"
            "<p><input id=filter placeholder='Filter by name or build' aria-label=Filter></p>"
            f"<div class='head dim'>{''.join(f'<span>{c}</span>' for c in COLUMNS)}</div>"
            + "".join(_kernel(k, n, with_arch) for n, k in enumerate(order)).replace(
                "<details ", "<details open ", 1)
            + f"{_frames(frames, kernels)}<script>{SCRIPT}</script></html>\n")
