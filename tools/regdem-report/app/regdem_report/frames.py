# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of frames of which `regdem-finish --report` tells: what of them it
has moved to shared memory, or why they stay."""

from regdem_common import names, words

HEADER = ("frame of", "arch", "frame B", "moved B", "shared B", "blocks/SM", "expected",
          "regdem-finish")
RIGHT = {2, 3, 4, 5, 6}


def _shown_names(frames, kernels):
    """Names by mangled ones, as the report has them or a demangler makes them."""
    known = {k.mangled: k.short for k in kernels}
    rest = sorted({f.mangled for f in frames} - known.keys())
    parts = [names.base(mangled) for mangled in rest]
    for mangled, (_, build), name in zip(rest, parts, names.demangled([p for p, _ in parts])):
        known[mangled] = names.numbered(name, build)
    return known


def _fate(frame):
    if not frame.moved:
        return f"stays: {frame.raw['reason']}"
    if frame.raw["at_end"]:
        return f"moved to shared memory: launches add {frame.raw['stride']} bytes a thread"
    return "moved to shared memory"


def _cells(frame, name):
    raw = frame.raw
    figures = ("", "", "")
    if frame.moved:
        figures = (words.pair(raw["shared_before"], raw["shared_after"]),
                   words.pair(raw["blocks_per_sm_before"], raw["blocks_per_sm_after"]),
                   words.percent(raw.get("expected_gain")))
    return (name, frame.arch, str(raw["frame_bytes"]), str(frame.moved), *figures, _fate(frame))


def rows(frames, kernels):
    """The header's cells and those of each frame; nothing without frames."""
    known = _shown_names(frames, kernels)
    return [HEADER, *(_cells(f, known[f.mangled]) for f in frames)] if frames else []
