"""Reads what the plugin and ptxas say about kernels."""

import json
import re

_ENTRY = re.compile(r"Compiling entry function '([^']+)'")
_SPILL = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, "
                    r"(\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_SMEM = re.compile(r"(\d+) bytes smem")


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
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return report
    for line in lines:
        if line.strip():
            entry = json.loads(line)
            if "kernel" not in entry or "decision" not in entry:
                raise ValueError("report line without kernel or decision")
            report[entry["kernel"]] = entry
    return report


def reason_class(entry):
    """Decision and reason with its numbers removed, for counting."""
    reason = re.sub(r"\d+", "N", str(entry.get("reason", "")))
    return "%s: %s" % (entry["decision"], reason)
