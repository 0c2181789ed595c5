# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures of results.json, and these as Markdown.

A program's time is the sum of its kernels' times, in the fastest round. Builds
of the same device code have their rounds together, and so the same time. A ratio
is the other's time over the build's: above 1 the build is faster. A kernel that
has its stock compiler's machine code is not compared.
"""

import collections
import shutil
import subprocess

import times
from harness.results import geometric_mean
from reporting.tables import markdown

LONG = 20_000  # nanoseconds of a launch that is judged by itself
EVEN = 0.99  # of a kernel, below which it is a loss
BEHIND = 0.95  # of a program, likewise, between the compilers


def pairs(programs):
    """(variant, base) that are compared, in the order of the table."""
    found = [("clang", "nvcc")]
    for program in programs:
        for name, variant in program["variants"].items():
            base = variant["base"]
            if not base:
                continue
            wanted = [(name, base)] + ([(name, "nvcc")] if base == "clang" else [])
            found += [pair for pair in wanted if pair not in found]
    return found


def grids(entry, variant):
    """{kernel: the grids that it is launched with}."""
    found = {}
    for each in entry["rounds"].get(variant, []):
        for k in each["kernels"]:
            found.setdefault(k["kernel"], set()).add(k["grid"])
    return found


def unlike(entry, variant, base):
    """Whether they launch a kernel with different grids: then they are not the
    same program."""
    own, other = grids(entry, variant), grids(entry, base)
    return any(own[k] != other[k] for k in own.keys() & other.keys())


def launch_alike(entry):
    """Counts each kernel's launches with a grid as often in all rounds as in the
    first that has any: some programs launch until so much time is over."""
    wanted = {}
    for each in (r for rounds in entry["rounds"].values() for r in rounds):
        counts = collections.Counter()
        for k in each["kernels"]:
            counts[k["kernel"], k["grid"]] += k["launches"]
        for k in each["kernels"]:
            place = k["kernel"], k["grid"]
            factor = wanted.setdefault(place, counts[place]) / counts[place]
            k["launches"], k["sum"] = k["launches"] * factor, k["sum"] * factor


def ratio(entry, variant, base):
    """Of the program's kernels in sum; None if either was not measured, or they
    launch other things."""
    if {variant, base} in entry["unlike"]:
        return None
    own, other = (times.least_total(entry["rounds"].get(v, []))
                  if v not in entry["errors"] else None for v in (variant, base))
    return other / own if own and other else None


def spread(entry, variant, base):
    """The same in the worst and the best round."""
    each = [times.total(b["kernels"]) / times.total(a["kernels"])
            for a, b in zip(entry["rounds"].get(variant, []),
                            entry["rounds"].get(base, []))]
    return (min(each), max(each)) if each else None


def demangled(names, *options):
    """{name: as it is in the source}, as far as c++filt is there."""
    if not shutil.which("c++filt") or not names:
        return {name: name for name in names}
    done = subprocess.run(["c++filt", *options], input="\n".join(names), text=True,
                          capture_output=True)
    return dict(zip(names, done.stdout.splitlines()))


def pool_rounds(entry, variants):
    """Gives builds of the same device code the rounds of all of them; the names
    of those whose code is their stock compiler's."""
    groups = {}
    for name, variant in variants.items():
        stock = variant["base"] or name
        if variant["code"] and {name, stock} not in entry["unlike"]:
            groups.setdefault((stock, variant["code"]), []).append(name)
    for names in groups.values():
        rounds = [r for n in names for r in entry["rounds"].get(n, [])]
        entry["rounds"].update({n: rounds for n in names if n in entry["rounds"]})
    return [n for (stock, _), names in groups.items() if stock in names
            for n in names if n != stock]


def name_kernels(entries):
    """Gives kernels the names of the source, as compilers mangle those of static
    functions differently; returns {name: without its parameters}."""
    kernels = [k for e in entries for rounds in e["rounds"].values()
               for each in rounds for k in each["kernels"]]
    for each in kernels:
        each["kernel"] = times.kernel(each["kernel"])
    names = sorted({k["kernel"] for k in kernels})
    full, short = demangled(names), demangled(names, "-p")
    for each in kernels:
        each["kernel"] = full[each["kernel"]]
    return {full[name]: short[name] for name in names}


def unchanged(entry, about, variant, base):
    """Names of kernels, as in the source, that have the base's machine code in the
    variant, which launches no build of them."""
    codes, stock = (about["variants"][v].get("kernels", {}) for v in (variant, base))
    built = {times.kernel(k["kernel"]) for r in entry["rounds"].get(variant, [])
             for k in r["kernels"] if times.kernel(k["kernel"]) != k["kernel"]}
    same = {k for k, code in codes.items() if stock.get(k) == code} - built
    return set(demangled(same).values())


def kernel_rows(entry, variant, base, same):
    """[{"program", "kernel", "launches", "microseconds" (base's), "ratio"}] of all
    kernels but the same."""
    if ratio(entry, variant, base) is None:
        return []
    own = times.least_by_kernel(entry["rounds"][variant])
    other = times.least_by_kernel(entry["rounds"][base])
    return [{"program": entry["name"], "kernel": name, "launches": round(other[name][0]),
             "microseconds": other[name][1] / 1e3,
             "ratio": other[name][1] / own[name][1]}
            for name in other if name in own and name not in same]


def compile_ratios(programs, variant, base):
    """{program: processor time over the base's}, of the sources that both builds
    compiled: what programs share is compiled for one of them only."""
    found = {}
    for program in programs:
        own, other = (program["variants"].get(v, {}).get("compilations", {})
                      for v in (variant, base))
        both = set(own) & set(other)
        spent = sum(other[s] for s in both)
        if spent:
            found[program["name"]] = sum(own[s] for s in both) / spent
    return found


def figures(results):
    """All that the report says, as plain data."""
    programs = {p["name"]: p for p in results["manifest"]}
    entries = results["programs"]
    ran = [programs[e["name"]] for e in entries]
    kept = {(e["name"], v, b): unchanged(e, programs[e["name"]], v, b)
            for e in entries for v, b in pairs([programs[e["name"]]])}
    short = name_kernels(entries)
    for e in entries:
        e["unlike"] = [{v, b} for v, b in pairs([programs[e["name"]]])
                       if unlike(e, v, b)]
        launch_alike(e)
    same = {e["name"]: pool_rounds(e, programs[e["name"]]["variants"])
            for e in entries}
    found = {"device": results["device"], "pairs": {}, "programs": []}
    for entry in entries:
        about = programs[entry["name"]]
        found["programs"].append({
            "name": entry["name"], "set": about["set"], "commit": about["commit"],
            "chosen": about["chosen"], "held_out": about["held_out"],
            "milliseconds": {v: times.least_total(r) / 1e6
                             for v, r in entry["rounds"].items() if r},
            "launches": {v: round(sum(k["launches"] for k in r[0]["kernels"]))
                         for v, r in entry["rounds"].items() if r},
            "same_code": same[entry["name"]],
            "errors": entry["errors"], "differs": entry["differs"],
            "between": entry.get("between", ""),
            "unlike": [" and ".join(sorted(pair)) for pair in entry["unlike"]]})
    bases = {v: {p["variants"][v]["base"] for p in ran if v in p["variants"]}
             for p in ran for v in p["variants"]}
    for variant, base in pairs(ran):
        each = {e["name"]: ratio(e, variant, base) for e in entries}
        each = {name: value for name, value in each.items() if value}
        kernels = [row for e in entries for row in kernel_rows(
            e, variant, base, kept.get((e["name"], variant, base), ()))]
        for row in kernels:
            row["kernel"] = short[row["kernel"]]
        spent = compile_ratios(ran, variant, base)
        found["pairs"][f"{variant} over {base}"] = {
            "variant": variant, "base": base, "stock": base in bases[variant],
            "mean": geometric_mean(each.values()) if each else None,
            "programs": each,
            "spread": {e["name"]: spread(e, variant, base) for e in entries
                       if e["name"] in each},
            "kernels": [k for k in kernels if k["microseconds"] * 1e3 >= LONG],
            "short": [k for k in kernels if k["microseconds"] * 1e3 < LONG],
            "compile": spent}
    return found


def number(value, digits=3):
    return "–" if value is None else f"{value:.{digits}f}"


def _cell(pair, program):
    if pair["stock"] and pair["variant"] in program["same_code"]:
        return "same code"
    return number(pair["programs"].get(program["name"]))


def program_table(found):
    names = list(found["pairs"])
    rows = []
    for program in found["programs"]:
        ms = program["milliseconds"]
        rows.append([program["name"], program["chosen"],
                     number(ms.get("clang")), number(ms.get("nvcc")),
                     *(_cell(found["pairs"][n], program) for n in names)])
    rows.append(["geometric mean", "", "", "",
                 *(number(found["pairs"][n]["mean"]) for n in names)])
    return markdown(["program", "chosen by", "clang ms", "nvcc ms", *names], rows)


def short_name(kernel, length=48):
    return kernel if len(kernel) <= length else kernel[:length - 1] + "…"


def kernel_table(pair, least):
    rows = [[k["program"], short_name(k["kernel"]), str(k["launches"]),
             number(k["microseconds"], 1), number(k["ratio"])]
            for k in sorted(pair["kernels"], key=lambda k: k["ratio"])
            if abs(k["ratio"] - 1) >= least]
    return markdown(["program", "kernel", "launches", "µs", "ratio"], rows)


def slow_kernels(kernels, limit):
    """One text a program: how many of its kernels are slower, and the worst."""
    by_program = {}
    for each in sorted(kernels, key=lambda k: k["ratio"]):
        if each["ratio"] < limit:
            by_program.setdefault(each["program"], []).append(each)
    return [f"{name} {short_name(found[0]['kernel'])} {found[0]['ratio']:.3f}"
            + (f" (and {len(found) - 1} more)" if len(found) > 1 else "")
            for name, found in by_program.items()]


def losses(found):
    lines = []
    for name, pair in found["pairs"].items():
        limit = EVEN if pair["stock"] else BEHIND
        slow = sorted((r, n) for n, r in pair["programs"].items() if r < limit)
        text = ", ".join(f"{n} {r:.3f}" for r, n in slow)
        lines.append(f"- {name}, programs below {limit}: {text or 'none'}")
        text = ", ".join(slow_kernels(pair["kernels"], limit))
        lines.append(f"- {name}, kernels of {LONG // 1000} µs and more below "
                     f"{limit}: {text or 'none'}")
    return "\n".join(lines)


def kernel_means(found):
    rows = []
    for name, pair in found["pairs"].items():
        for label, kernels in ((f"{LONG // 1000} µs and more", pair["kernels"]),
                               ("shorter", pair["short"])):
            ratios = [k["ratio"] for k in kernels]
            if ratios:
                rows.append([f"{name}, {label}", str(len(ratios)),
                             number(geometric_mean(ratios)), number(min(ratios)),
                             number(max(ratios))])
    return markdown(["kernels", "number", "mean", "worst", "best"], rows)


def compile_table(found):
    rows = []
    for name, pair in found["pairs"].items():
        ratios = sorted(pair["compile"].items(), key=lambda item: -item[1])
        if ratios:
            values = sorted(pair["compile"].values())
            worst = ", ".join(f"{n} {r:.1f}" for n, r in ratios[:3])
            rows.append([name, str(len(ratios)), number(values[len(values) // 2], 2),
                         number(geometric_mean(values), 2), worst])
    return markdown(["processor time of compiling", "programs", "median", "mean",
                     "most"], rows)


def faults(found):
    lines = []
    for program in found["programs"]:
        lines += [f"- {program['name']}, {v}: {' '.join(e.split())[:200]}"
                  for v, e in program["errors"].items()]
        lines += [f"- {program['name']}, {v} differs from its stock compiler: "
                  f"{d[:200]}" for v, d in program["differs"].items()]
        lines += [f"- {program['name']}, {pair} launch different things and are not "
                  "compared" for pair in program["unlike"]]
        if program["between"]:
            lines.append(f"- {program['name']}, nvcc and clang differ: "
                         f"{program['between'][:200]}")
    return "\n".join(lines) or "None."


def document(found):
    parts = [f"{len(found['programs'])} programs; {found['device']}.",
             program_table(found), "## Losses", losses(found),
             "## Failures and differences", faults(found),
             "## Kernels", kernel_means(found)]
    for name, pair in found["pairs"].items():
        if pair["stock"] and pair["kernels"]:
            parts += [f"{name}: kernels of {LONG // 1000} µs and more that differ "
                      "by 1 % or more", kernel_table(pair, 0.01)]
    parts += ["## Compile time", compile_table(found)]
    return "\n\n".join(parts) + "\n"
