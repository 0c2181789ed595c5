# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results as Markdown tables."""

from harness.results import BASELINES, KINDS, geometric_mean

from . import same_cap
from .tables import markdown as table


def ratio(value):
    return "–" if value is None else f"{value:.2f}"


def summary(results):
    """Geometric means of RegDem over every baseline, per group."""
    rows = []
    for name, kernels in results.groups():
        for kind in ("RegDem auto", "RegDem best"):
            means = [results.mean(kernels, kind, b) for b in BASELINES]
            label = f"{name} ({len(kernels)}), {kind}"
            rows.append([label] + [ratio(m) for m in means])
        clang = results.mean(kernels, "clang", "nvcc")
        rows.append([f"{name}, clang", "1.00", "–", ratio(clang), "–", "–"])
    header = ["geometric mean of speed-ups over"] + list(BASELINES)
    return table(header, rows)


def kernel_table(results):
    """Speed-up of every kind over stock nvcc, per kernel."""
    kinds = [k for k in KINDS if k != "nvcc"]
    rows = []
    for kernel in results.kernels:
        base = kernel.fastest("nvcc")
        time = f"{kernel.time(base):.3f}" if base else "–"
        limited = "yes" if kernel.register_limited(results.arch) else "no"
        ratios = [ratio(kernel.speedup(kind, "nvcc")) for kind in kinds]
        best = kernel.fastest("RegDem best") or "–"
        spread = kernel.spread("RegDem auto", "clang")
        text = f"{spread[0]:.3f}–{spread[1]:.3f}" if spread else "–"
        rows.append([kernel.id, limited, time] + ratios + [best, text])
    header = ["kernel", "limited", "nvcc ms"] + kinds
    return table(header + ["best build", "auto/clang, spread"], rows)


def same_cap_table(results):
    """RegDem over the other builds under the same cap; "" without cells."""
    rows = same_cap.rows(results)
    if not rows:
        return ""
    header = ["RegDem demote, same cap, over", "mean", "of one repetition",
              "at least 0.99", "worst cells"]
    return table(header, rows)


def losses(results):
    lines = []
    for baseline in ("clang", "nvcc"):
        found = results.losses("RegDem auto", baseline)
        names = ", ".join(f"{k.id} {r:.2f}" for k, r in found)
        lines.append(
            f"- RegDem auto slower than {baseline} by more than 2 %: "
            + (names or "none")
        )
    return "\n".join(lines)


def over_best(results, most=1.05):
    """What auto's choices take over the fastest builds, and where that is
    more than `most`."""
    lines = []
    for keep_promise, label in (
        (False, "RegDem auto's time over RegDem best's"),
        (True, "The same over the best with the blocks per SM that the "
               "source asks for"),
    ):
        found = [(k.over_best("RegDem auto", keep_promise), k.id)
                 for k in results.kernels]
        found = sorted((p for p in found if p[0]), reverse=True)
        if not found:
            continue
        names = ", ".join(f"{name} {r:.3f}" for r, name in found if r > most)
        lines.append(
            f"- {label}: mean {geometric_mean(r for r, _ in found):.4f}; "
            f"above {most}: {names or 'none'}"
        )
    return "\n".join(lines)


def document(results):
    data = results.data
    tools = ", ".join(f"{n} {v}" for n, v in sorted(data["tools"].items()))
    repeats = data["options"]["repeats"]
    parts = [
        f"{data['device']}, driver {data['driver']}, {data['date']}; {tools}; "
        f"revision {data['revision']}; {len(data['rows'])} measurements, "
        f"{len(results.wrong)} wrong results; {repeats} repetition(s).",
    ]
    if results.has_regdem:
        parts.append(summary(results))
        parts.append(losses(results) + "\n" + over_best(results))
        if cells := same_cap_table(results):
            parts.append(cells)
    else:
        parts.append("No builds with RegDem among these results.")
    parts += [
        "Speed-up over stock nvcc (above 1 is faster):",
        kernel_table(results),
    ]
    return "\n\n".join(parts) + "\n"
