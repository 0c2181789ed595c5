"""Reads what the plugin and ptxas say about kernels."""

import json
import re
from collections import Counter

from .files import read

_ENTRY = re.compile(r"Compiling entry function '([^']+)'")
_SPILL = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, "
                    r"(\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_SMEM = re.compile(r"(\d+) bytes smem")
_REFUSED = "the checker finds that the rewritten kernel does something else"


def ptxas_figures(text):
    """Kernel -> registers a thread, and bytes of stack, spills, shared."""
    figures, kernel, spill = {}, None, (0, 0, 0)
    for line in text.splitlines():
        entry = _ENTRY.search(line)
        if entry:
            kernel, spill = entry.group(1), (0, 0, 0)
        found = _SPILL.search(line)
        if found and kernel and kernel not in figures:
            spill = tuple(int(g) for g in found.groups())
        used = _USED.search(line)
        if used and kernel:
            smem = _SMEM.search(line)
            figures[kernel] = {"registers": int(used.group(1)),
                               "stack": spill[0], "spill_stores": spill[1],
                               "spill_loads": spill[2],
                               "smem": int(smem.group(1)) if smem else 0}
    return figures


def read_report(path):
    """Kernel -> its report object. Raises ValueError on a malformed line."""
    report = {}
    try:
        lines = read(path).splitlines()
    except FileNotFoundError:
        return report
    for line in lines:
        if line.strip():
            entry = json.loads(line)
            if "kernel" not in entry or "decision" not in entry:
                raise ValueError("report line without kernel or decision")
            report[entry["kernel"]] = entry
    return report


# ptxas raises smaller caps to this on sm_90.
_LEAST_CAP = 24
# Most bytes that alignment may add between shared variables.
_PADDING = 128
# Most static shared memory of a block; ptxas's own spilling may fill it up.
_STATIC_SHARED = 48 * 1024
# What slots are filled up to a multiple of where dynamic shared memory follows.
_DYNAMIC_START = 1024


def contradiction(entry, metadata, ptxas):
    """Text that says where a kernel's report and ptxas's figures disagree,
    or None. The region must hold every thread of the launch, its size must
    be what ptxas finds, and the cap, if there is one, must have been kept.
    Rewritten arrays must have passed RegDem's own check."""
    if any(_REFUSED in a["reason"] for a in entry.get("arrays", [])):
        return "error: " + _REFUSED
    missing = [f for f in ("slots", "slot_bytes", "block_size", "static_smem",
                           "max_regs") if not isinstance(entry.get(f), int)]
    if missing or ptxas is None:
        return "error: no figures: %s" % (", ".join(missing) or "of ptxas")
    slot_bytes = entry["slot_bytes"]
    block = metadata["block"]
    threads = block[0] * block[1] * block[2]
    known = entry["static_smem"] + slot_bytes
    if slot_bytes and entry["block_size"] < threads:
        return "error: region for %d of %d threads" % (entry["block_size"],
                                                       threads)
    words = entry["slots"] * entry["block_size"]
    full = -(-4 * words // _DYNAMIC_START) * _DYNAMIC_START
    if slot_bytes not in (4 * words, metadata["dynamic_smem"] and full):
        return "error: %d bytes for %d slots of %d threads" % (
            slot_bytes, entry["slots"], entry["block_size"])
    most = known + _PADDING - 1
    if entry.get("smem_spilling"):
        most = _STATIC_SHARED
    # Where ptxas was not asked, variables count in the order of declaration.
    least = known - _PADDING + 1 if entry.get("estimated") else known
    if not least <= ptxas["smem"] <= most:
        return "error: ptxas finds %d bytes of shared memory, the report " \
            "says %d" % (ptxas["smem"], known)
    # "cap" may lift ptxas's own limit instead, and "pragma" leave it alone.
    capped = entry["decision"] == "demote" or (
        entry["decision"] in ("cap", "pragma") and entry["max_regs"])
    if capped and ptxas["registers"] > max(_LEAST_CAP, entry["max_regs"]):
        return "error: %d registers, the cap is %d" % (ptxas["registers"],
                                                       entry["max_regs"])
    return None


_FUNCTION = re.compile(r"\.entry ([$\w]+)\(|\.func ")
_NAMED_READ = re.compile(r"\bld\.shared\.\w+\s+%\w+, (\[[A-Za-z_$][^\]]*\]);")


def _named_reads(path):
    """Kernel -> counts of its reads of shared memory, by named place."""
    reads, kernel = {}, None
    for line in read(path).splitlines():
        head = _FUNCTION.search(line)
        if head:
            kernel = head.group(1)
        found = _NAMED_READ.search(line)
        if found and kernel:
            reads.setdefault(kernel, Counter())[found.group(1)] += 1
    return reads


def read_again(stock, regdem):
    """Kernel -> how many more reads of named places in shared memory that
    stock's PTX reads there are in RegDem's (paths)."""
    ours, found = _named_reads(regdem), {}
    for kernel, theirs in _named_reads(stock).items():
        more = ours.get(kernel, Counter()) - theirs
        found[kernel] = sum(more[place] for place in theirs)
    return found


def is_changed(entry):
    """Whether the kernel's code is another than stock's, by its report."""
    return entry.get("decision") == "demote" or bool(entry.get("rewrites"))


def reason_class(entry):
    """Decision and reason with its numbers removed, for counting."""
    reason = re.sub(r"\d+", "N", str(entry.get("reason", "")))
    return "%s: %s" % (entry["decision"], reason)
