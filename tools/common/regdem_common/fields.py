# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fields of a report that the tools read, and what may be in them;
docs/report.schema.json has all fields. Reports of another version, and lines
that something else has written, are told from those that can be shown."""

from .tool import UserError

WRITERS = "-mllvm -regdem-report=FILE, or REGDEM_REPORT=FILE with regdem-nvcc"
DECISIONS = ("stock", "rewrite", "cap", "pragma", "demote")


def _is_whole(value, least=0):
    return type(value) is int and least <= value < 1 << 31


# What a value must be, in words, and whether it is.
TEXT = "text", lambda v: isinstance(v, str)
FLAG = "true or false", lambda v: isinstance(v, bool)
WHOLE = "a whole number from 0", _is_whole
COUNT = "a whole number from 1", lambda v: _is_whole(v, 1)
NUMBER = "a number", lambda v: type(v) in (int, float) and abs(v) < 1e18
OBJECT = "an object", lambda v: isinstance(v, dict)
OBJECTS = ("a list of objects",
           lambda v: isinstance(v, list) and all(isinstance(e, dict) for e in v))
DECISION = ("one of " + ", ".join(DECISIONS),
            lambda v: isinstance(v, str) and v in DECISIONS)

BUILD = {"decision": DECISION, "rewrites": TEXT, "order": TEXT, "smem_spilling": FLAG,
         "max_regs": WHOLE, "min_blocks": WHOLE}
VARIANT = {**BUILD, "chosen": FLAG, "regs": WHOLE, "spill_store_bytes": WHOLE,
           "spill_load_bytes": WHOLE, "smem": WHOLE, "blocks_per_sm": WHOLE,
           "frame_bytes": WHOLE, "l1_bytes": WHOLE}
VARIANT_MAY = {"moved_frame_bytes": WHOLE, "cycles": NUMBER, "expected_gain": NUMBER}
KERNEL = {**BUILD, "arch": TEXT, "kernel": TEXT, "name": TEXT, "source": TEXT, "reason": TEXT,
          "block_size": COUNT, "block_size_from": TEXT, "slots": WHOLE,
          "blocks_per_sm_before": WHOLE, "blocks_per_sm_after": WHOLE,
          "limiter_before": TEXT, "limiter_after": TEXT, "variants": OBJECTS}
KERNEL_MAY = {"expected_gain": NUMBER, "margin": NUMBER, "work": NUMBER, "dynamic_smem": WHOLE, "from_ptx": FLAG,
              "unbounded": OBJECT, "launches": OBJECTS, "arrays": OBJECTS}
UNBOUNDED = {"regs": WHOLE, "blocks_per_sm": WHOLE, "expected_gain": NUMBER}
LAUNCHES = {"expected_gain": NUMBER}
FRAME = {"kernel": TEXT, "arch": TEXT, "moved": FLAG, "at_end": FLAG, "reason": TEXT,
         "frame_bytes": WHOLE, "moved_bytes": WHOLE, "stride": WHOLE, "shared_before": WHOLE,
         "shared_after": WHOLE, "blocks_per_sm_before": WHOLE, "blocks_per_sm_after": WHOLE}
FRAME_MAY = {"expected_gain": NUMBER}
ARRAY = {"name": TEXT, "bytes": WHOLE, "fate": TEXT, "reason": TEXT}
ARRAY_MAY = {"source": TEXT, "help": TEXT}


def _refuse(problem):
    raise UserError(f"no object of RegDem's report: {problem}; "
                    f"give what this version of RegDem wrote ({WRITERS})")


def _check(found, required, may, where=""):
    """Refuses an object that lacks a required field, or has another kind of value."""
    for name in required:
        if name not in found:
            _refuse(f"'{name}'{where} is missing")
    for name, (kind, holds) in {**required, **may}.items():
        if name in found and not holds(found[name]):
            _refuse(f"'{name}'{where} is not {kind}")


def is_frame(raw):
    """Whether the object is one of `regdem-finish --report`, not of a kernel."""
    return isinstance(raw, dict) and "moved" in raw and "decision" not in raw


def check_frame(raw):
    """As check_kernel(), of regdem-finish's object of a frame."""
    _check(raw, FRAME, FRAME_MAY)


def check_kernel(raw):
    """Raises UserError, which tells the field, where the tools cannot read the
    object of a kernel. Of builds that ptxas refuses they read nothing."""
    if not isinstance(raw, dict):
        _refuse("the line is not an object")
    _check(raw, KERNEL, KERNEL_MAY)
    for variant in raw["variants"]:
        if "refused" not in variant:
            _check(variant, VARIANT, VARIANT_MAY, " in 'variants'")
    if "unbounded" in raw:
        _check(raw["unbounded"], UNBOUNDED, {}, " in 'unbounded'")
    for row in raw.get("launches", ()):
        _check(row, LAUNCHES, {}, " in 'launches'")
    for entry in raw.get("arrays", ()):
        _check(entry, ARRAY, ARRAY_MAY, " in 'arrays'")
