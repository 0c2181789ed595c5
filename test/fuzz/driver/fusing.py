"""Compares what ptxas made of a kernel's floating-point products and sums.

Whether a product was fused into a sum, or scaled by a power of two while it
was multiplied, is visible in the machine code without running it. Counts say
so only as long as ptxas copies or drops no code: a kernel whose sums and fused
sums together are as many as before, but not either of them, is fused
otherwise; one whose total differs was copied or cut, and counts say nothing.
RegDem's build is compared with stock's PTX under RegDem's cap and bounds, and
that with stock's build as it is: what differs there is the cap's doing.
"""

import os
import re
from collections import Counter

from .files import read, write

_ENTRY = r"(\.entry %s\([^)]*\))([^{]*)"
_SECTION = re.compile(r"^//-+ +\.text\.(\S+) +-+", re.M)
_LINE = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?"
                   r"([A-Z0-9]+)((?:\.\w+)*) ([^;]*);", re.M)
_KINDS = {"MUL": "product", "ADD": "sum", "FMA": "fused"}
_ROUNDINGS = {"RZ", "RM", "RP"}


def same_directives(stock, regdem, kernel):
    """Stock PTX whose kernel has RegDem's bounds and cap."""
    pattern = _ENTRY % re.escape(kernel)
    theirs = re.search(pattern, regdem)
    ours = re.search(pattern, stock)
    if not theirs or not ours:
        raise ValueError("no entry " + kernel)
    return stock[:ours.start(2)] + theirs.group(2) + stock[ours.end(2):]


def _kind(name, modifiers, operands):
    """(kind, type and modifiers) of an instruction, or None."""
    found = re.fullmatch(r"([FDH])(MUL|ADD|FMA)(2?)", name)
    if not found or _ROUNDINGS & set(modifiers):
        return None
    type_, kind = found.group(1), _KINDS[found.group(2)]
    kept = [m for m in modifiers if m in ("BF16_V2", "SAT", "D2", "D4", "D8",
                                          "M2", "M4", "M8")]
    # Halves are multiplied and added by their fused instruction, too, and
    # moved and converted by their addition.
    if type_ == "H":
        sources = [o.split(".")[0].strip("-|") for o in operands[1:]]
        if sources[0] == "RZ":
            return None
        if kind == "fused" and sources[-1] == "RZ":
            kind = "product"
        elif kind == "fused" and "1" in sources[1:3]:
            kind = "sum"
    return kind, ".".join([type_] + kept)


def counts(text):
    """Kernel -> Counter of (kind, type and modifiers), of nvdisasm's text."""
    heads = list(_SECTION.finditer(text))
    ends = [h.start() for h in heads[1:]] + [len(text)]
    result = {}
    for head, end in zip(heads, ends):
        table = Counter()
        for name, modifiers, operands in _LINE.findall(text, head.end(), end):
            found = _kind(name, modifiers.split(".")[1:],
                          [o.strip() for o in operands.split(",")])
            if found:
                table[found] += 1
        result[head.group(1)] = table
    return result


def _of_type(table, type_):
    """Products, scaled products, sums and fused sums of F, D or H."""
    products = scaled = sums = fused = 0
    for (kind, name), count in table.items():
        parts = name.split(".")
        if parts[0] != type_:
            continue
        if kind == "product" and set(parts) & {"D2", "D4", "D8", "M2", "M4",
                                               "M8"}:
            scaled += count
        elif kind == "product":
            products += count
        elif kind == "sum":
            sums += count
        else:
            fused += count
    return products, scaled, sums, fused


def verdict(before, after):
    """'same'; 'fused otherwise': as many sums and fused sums together, but not
    of each, or the like of products and scaled ones; 'recomputed': only as
    many products, sums or scaled products more or fewer as repeating or
    dropping some of them gives; 'unclear' otherwise."""
    found = "same"
    for type_ in "FDH":
        old, new = _of_type(before, type_), _of_type(after, type_)
        if old == new:
            continue
        products, scaled, sums, fused = (b - a for a, b in zip(old, new))
        if fused and fused == -sums or scaled and products and \
                not sums and not fused and products in (-scaled, -2 * scaled):
            return "fused otherwise"
        if fused:
            found = "unclear"
        elif found == "same":
            found = "recomputed"
    return found


def compare(tools, nvdisasm, folder, kernels, reports):
    """Kernel -> (what the cap does to stock's code, what RegDem does besides),
    verdicts, of those that RegDem changed. The folder holds stock.ptx and
    regdem.ptx, and gets their cubins."""
    changed = [k.name for k in kernels
               if reports.get(k.name, {}).get("decision", "stock") != "stock"]
    if not changed:
        return {}
    texts = {}
    for side in ("stock", "regdem"):
        texts[side] = read(os.path.join(folder, side + ".ptx"))
    texts["capped"] = texts["stock"]
    for name in changed:
        texts["capped"] = same_directives(texts["capped"], texts["regdem"],
                                          name)
    write(os.path.join(folder, "capped.ptx"), texts["capped"])
    tables = {}
    for side in ("stock", "capped", "regdem"):
        path = os.path.join(folder, side)
        outcome = tools.assemble(path + ".ptx", path + ".cubin")
        if outcome.ok:
            outcome = tools.run([nvdisasm, "-c", path + ".cubin"])
        if not outcome.ok:
            return {}  # ptxas may crash under the cap alone.
        tables[side] = counts(outcome.text)
    return {name: (verdict(tables["stock"][name], tables["capped"][name]),
                   verdict(tables["capped"][name], tables["regdem"][name]))
            for name in changed}
