#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a RegDem report: report.py FILE [KERNEL] [CONDITION...]

Every line must be one JSON object with all documented fields, each of its
documented type and within its range. With KERNEL, exactly one object must be
of that kernel, and each CONDITION, a Python expression over its fields, must
hold. Exit status 1 with one line about the first fault.
"""

import json
import sys

FIELDS = {
    "kernel": str, "arch": str, "block_size": int, "block_size_from": str,
    "decision": str, "reason": str, "smem_spilling": bool, "estimated": bool,
    "max_regs": int, "min_blocks": int, "slots": int, "slot_bytes": int, "static_smem": int,
    "pressure_before": int, "pressure_after": int, "blocks_per_sm_before": int,
    "blocks_per_sm_after": int, "limiter_before": str, "limiter_after": str,
    "stores": int, "reloads": int, "recomputations": int,
    "block_words": int,
}
VARIANT_FIELDS = {
    "decision": str, "smem_spilling": bool, "max_regs": int,
    "min_blocks": int, "regs": int,
    "spill_store_bytes": int, "spill_load_bytes": int, "frame_bytes": int, "smem": int,
    "blocks_per_sm": int, "score": int, "chosen": bool,
    "uniform_words": int,
}
# Of a choice without a stated cap; gain and margin are percents.
PREDICTION_FIELDS = {
    "scorer": str, "from_sass": bool, "expected_gain": float, "margin": float,
}
DECISIONS = {"stock", "omit", "cap", "pragma", "demote"}
SOURCES = {"reqntid", "maxntid", "option", "annotation", "assumed"}


def fail(text):
    sys.exit(f"report: {text}")


def check_fields(fields, record):
    for name, kind in fields.items():
        if name not in record:
            fail(f"field {name} is missing in {record}")
        kinds = (int, float) if kind is float else (kind,)
        if type(record[name]) not in kinds:
            fail(f"{name} is {record[name]!r}, not {kind.__name__}")
        if kind is int and record[name] < 0:
            fail(f"{name} is negative: {record[name]}")
    if record["decision"] not in DECISIONS:
        fail(f"unknown decision {record['decision']}")


def check_prediction(record):
    check_fields(PREDICTION_FIELDS | FIELDS, record)
    if record["scorer"] not in {"model", "paper"}:
        fail(f"unknown scorer {record['scorer']}")
    gain, margin = record["expected_gain"], record["margin"]
    if record["decision"] != "stock" and gain < margin:
        fail(f"{record['decision']} for a gain of {gain}, margin {margin}")


def check(record):
    check_fields(FIELDS, record)
    if record["block_size_from"] not in SOURCES:
        fail(f"unknown source {record['block_size_from']}")
    if not record["reason"]:
        fail("empty reason")
    words = record["slots"] * record["block_size"]
    if record["block_words"]:
        words += words % 2 + record["block_words"]
    full = -(-words // 256) * 256  # Where dynamic shared memory follows.
    if record["slot_bytes"] not in (4 * words, 4 * full):
        fail(f"slot_bytes {record['slot_bytes']} for {record['slots']} words")
    if (record["decision"] == "demote") != (
            record["slots"] + record["block_words"]
            + record["recomputations"] > 0):
        fail(f"decision {record['decision']} with {record['slots']} words")
    if "scorer" in record:
        check_prediction(record)
    for variant in record.get("variants", []):
        check_fields(VARIANT_FIELDS, variant)
    if record["estimated"] == bool(record.get("variants")):
        fail("an estimate with variants, or none without")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    if not records:
        fail("no line")
    for record in records:
        check(record)
    if len(sys.argv) < 3:
        return
    mine = [r for r in records if r["kernel"] == sys.argv[2]]
    if len(mine) != 1:
        fail(f"{len(mine)} objects for kernel {sys.argv[2]}")
    for condition in sys.argv[3:]:
        if not eval(condition, {"records": records}, mine[0]):
            fail(f"not so: {condition}; {json.dumps(mine[0])}")


if __name__ == "__main__":
    main()
