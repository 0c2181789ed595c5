# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads reports: what became of each kernel, by the last line that has it."""

import json

from . import fields, names
from .tool import UserError, read_text


def objects(path, text, make, problem):
    """What `make` makes of each line's JSON object in the text of a file. Raises
    UserError, which tells the line and the `problem`, or what `make` says is
    wrong, where it cannot."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.strip():
                found.append(make(json.loads(line)))
        except UserError as error:
            raise UserError(f"{path}:{number}: {error}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UserError(f"{path}:{number}: {problem}") from None
    return found


class Kernel:
    """One kernel for one architecture; `raw` is its object in the report, whose
    fields docs/report.md describes. Raises UserError if tools cannot read it."""

    def __init__(self, raw):
        fields.check_kernel(raw)
        self.raw = raw
        self.arch, self.mangled = raw["arch"], raw["kernel"]
        self.name, self.source = raw["name"], raw["source"]
        self.decision, self.reason = raw["decision"], raw["reason"]
        self.variants = [v for v in raw["variants"] if "refused" not in v]
        self.measured = None  # where a tool has measured it

    @property
    def key(self):
        return self.mangled, self.arch

    @property
    def place(self):
        """(file, line or 0) of its source."""
        file, _, line = self.source.rpartition(":")
        return (file, int(line)) if line.isdecimal() else (self.source, 0)

    @property
    def short(self):
        """The name without its parameters, with the number of a build at launch."""
        return names.numbered(self.name, names.base(self.mangled)[1])

    @property
    def is_plain(self):
        """ptxas was not asked, as registers leave room for all warps: the kernel
        is as clang makes it, and spills nothing."""
        return (not self.chosen and self.raw["decision"] == "stock"
                and self.reason.startswith("registers do not limit it"))

    @property
    def chosen(self):
        """The variant that was built, or None: ptxas gave no figures of it."""
        return next((v for v in self.variants if v["chosen"]), None)

    @property
    def stock(self):
        return next((v for v in self.variants if v["decision"] == "stock"
                     and is_plain(v) and not v["smem_spilling"]), None)

    @property
    def dynamic(self):
        """Bytes of a block's dynamic shared memory that figures count."""
        return self.raw.get("dynamic_smem", 0)

    @property
    def is_from_ptx(self):
        """Whether regdem-ptxas has decided: the environment has its options, and
        kernels have no annotations."""
        return self.raw.get("from_ptx", False)

    @property
    def is_changed(self):
        """Whether the program has other code for it than without RegDem: in its
        place, in its frame, or beside it for some launches."""
        return (self.decision != "stock" or bool(moved(self.chosen))
                or bool(self.raw.get("launches")))

    @property
    def is_stock_beside_builds(self):
        """Whether it is as without RegDem, but launches may take other builds."""
        return (self.decision == "stock" and not moved(self.chosen)
                and bool(self.raw.get("launches")))

    @property
    def gain(self):
        """Percent of the base's time, as predicted, or None."""
        if not self.is_changed or not self.chosen or self.is_stock_beside_builds:
            return None
        if "expected_gain" in self.raw:
            return self.raw["expected_gain"]
        return self.chosen.get("expected_gain")

    @property
    def base(self):
        """The variant that gains are over: stock's or, under a stated cap, the
        cap alone; None where nothing was predicted."""
        return next((v for v in self.variants if v.get("cycles")), None)


class Frame:
    """What `regdem-finish --report` tells of a kernel's frame. Raises UserError if
    tools cannot read it."""

    def __init__(self, raw):
        fields.check_frame(raw)
        self.raw = raw
        self.arch, self.mangled = raw["arch"], raw["kernel"]
        self.moved = raw["moved_bytes"] if raw["moved"] else 0


def moved(variant):
    """Bytes a thread of its frame that are in shared memory."""
    return variant.get("moved_frame_bytes", 0) if variant else 0


def local(variant):
    """Bytes a thread in local memory, spilled values and arrays, or None."""
    return variant["frame_bytes"] if variant else None


def is_plain(variant):
    """Whether the build is as without RegDem, but for its cap."""
    return not variant["rewrites"] and not variant["order"] and not moved(variant)


def spill(variant):
    """Bytes of spill code, stores and loads, or None."""
    if variant is None:
        return None
    return variant["spill_store_bytes"] + variant["spill_load_bytes"]


def arrays(kernel):
    """Bytes a thread of arrays in local memory, by the builds that do not spill,
    whose local memory holds nothing else."""
    return min((v["frame_bytes"] for v in kernel.variants if not spill(v)), default=0)


def _of_line(raw):
    return Frame(raw) if fields.is_frame(raw) else Kernel(raw)


def read_all(paths):
    """All kernels of the files, sorted by source and name, and all frames that
    regdem-finish has added to them, by name."""
    kernels, frames = {}, {}
    for path in paths:
        for found in objects(path, read_text(path), _of_line,
                             "no object of RegDem's report: "
                             f"give what RegDem wrote ({fields.WRITERS})"):
            if isinstance(found, Frame):
                frames[found.mangled, found.arch] = found
            else:
                kernels[(found.place[0], *found.key)] = found
    return (sorted(kernels.values(), key=lambda k: (k.place, k.name, k.arch)),
            [frames[key] for key in sorted(frames)])


def read(paths):
    """The kernels of read_all()."""
    return read_all(paths)[0]
