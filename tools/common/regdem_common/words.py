# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was done and what it costs, in few words."""

from collections import Counter

from .records import is_plain, local, moved, spill


def build(variant, raw=None):
    """A variant's recipe: `cap 40, skip-slsr`. `raw` is its kernel's object,
    for the words of a demotion that was chosen."""
    parts = {"stock": "stock", "rewrite": "stock", "cap": "cap",
             "pragma": "ptxas spills to shared", "demote": "demotion"}
    text = parts[variant["decision"]]
    if variant["decision"] != "stock" and variant["max_regs"]:
        text += f" {variant['max_regs']}" if text == "cap" else f", cap {variant['max_regs']}"
    elif text == "cap":
        text = f".minnctapersm {variant['min_blocks']}"
    if raw and variant["decision"] == "demote":
        text += f", {raw['slots']} words"
    if variant["decision"] == "demote" and variant["smem_spilling"]:
        text += ", ptxas spills the rest to shared"
    if variant["rewrites"]:
        text += ", " + variant["rewrites"].replace(",", ", ")
    if variant["order"]:
        text += f", order {variant['order']}"
    if moved(variant):
        left = local(variant)
        text += (f", {moved(variant)} of {moved(variant) + left} B of its frame in shared memory"
                 if left else ", frame in shared memory")
    return text


def done(kernel):
    """What RegDem did."""
    if not kernel.is_changed:
        return "kept"
    if kernel.is_stock_beside_builds:
        return "stock, and builds for launches"
    return build(kernel.chosen or kernel.raw, kernel.raw)


def percent(value):
    return "" if value is None else f"{value:+.1f} %"


def staying_arrays(kernel):
    """A sentence for each array that is in local memory: what keeps it there, and
    what to do."""
    found = []
    for entry in kernel.raw.get("arrays", ()):
        if entry["fate"] == "local":
            place = entry["source"].rpartition("/")[2] + ", " if "source" in entry else ""
            ways = entry.get("help") or "put it into __shared__ memory"
            found.append(f"'{entry['name']}' ({place}{entry['bytes']} bytes a thread) stays in "
                         f"local memory: {entry['reason']}; {ways}.")
    return found


def share(part):
    """A weight: `41 %`."""
    return "" if part is None else f"{100 * part:.0f} %"


def gain(kernel):
    """The expected gain, and over what where that is not stock: `+28.8 % over
    cap 40`."""
    if kernel.is_stock_beside_builds:
        most = max(row["expected_gain"] for row in kernel.raw["launches"])
        return f"up to {percent(most)}"
    text = percent(kernel.gain)
    base = kernel.base
    if not text or not base or (base["decision"] == "stock" and is_plain(base)):
        return text
    return f"{text} over {build(base)}"


def pair(before, after):
    """A figure, before and after where these differ, as far as they are known."""
    if before is None or after is None:
        return "?" if after is None else str(after)
    return str(after) if before == after else f"{before} → {after}"


def figures(kernel):
    """(registers, bytes of spill code, bytes of local memory a thread, blocks per
    SM) as text, each before and after where they differ."""
    old, new, raw = kernel.stock, kernel.chosen, kernel.raw
    if new is None:  # nothing was assembled
        return "", "", "", pair(raw["blocks_per_sm_before"], raw["blocks_per_sm_after"])
    return (pair(old and old["regs"], new["regs"]), pair(spill(old), spill(new)),
            pair(local(old), local(new)),
            pair(old and old["blocks_per_sm"], new["blocks_per_sm"]))


def summary(kernels):
    changed = sum(k.is_changed for k in kernels)
    limited = sum(k.raw["limiter_before"] == "registers" for k in kernels)
    spilling = sum(bool(spill(k.stock)) for k in kernels)
    before = sum(bool(local(k.stock)) for k in kernels)
    after = sum(bool(local(k.chosen)) for k in kernels)
    unknown = sum(not k.chosen and not k.is_plain for k in kernels)
    return (f"{len(kernels)} kernel{'s' * (len(kernels) != 1)}: registers limit {limited}, "
            f"{spilling} spill as stock; local memory is used by {before} as stock and by "
            f"{after} now; RegDem changed {changed}"
            + (f"; {unknown} unknown: no figures of ptxas" if unknown else ""))


def dearest(kernels, most=5):
    """Whose builds took most of the time for all of them, or nothing: `tti 41 %,
    lu8 20 %`. Kernels of one name count together."""
    work = Counter()
    for kernel in kernels:
        work[kernel.short] += kernel.raw.get("work", 0)
    if len(+work) < 2:
        return ""
    whole = sum(work.values())
    return ("dearest to compile, of all builds: "
            + ", ".join(f"{name} {share(part / whole)}"
                        for name, part in (+work).most_common(most)))
