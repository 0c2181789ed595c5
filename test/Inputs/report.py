#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a RegDem report: report.py FILE [KERNEL] [CONDITION...]

Every line must be one JSON object as docs/report.schema.json describes it. With KERNEL, exactly one object must be
of that kernel, and each CONDITION, a Python expression over its fields, must
hold. Exit status 1 with one line about the first fault.
"""

import json
import os
import sys

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "..", "..", "docs", "report.schema.json")
TYPES = {"string": str, "integer": int, "number": (int, float),
         "boolean": bool, "array": list, "object": dict}


def fail(text):
    sys.exit(f"report: {text}")


def check_schema(schema, value, where):
    """Fails unless `value` is as `schema` says, of whose keywords those are
    understood that docs/report.schema.json uses."""
    kind = schema["type"]
    if not isinstance(value, TYPES[kind]) or (
            isinstance(value, bool) and kind != "boolean"):
        fail(f"{where} is {value!r}, no {kind}")
    if "enum" in schema and value not in schema["enum"]:
        fail(f"{where} is {value!r}, none of {schema['enum']}")
    if "minimum" in schema and value < schema["minimum"]:
        fail(f"{where} is {value}, less than {schema['minimum']}")
    if kind == "string" and len(value) < schema.get("minLength", 0):
        fail(f"{where} is too short: {value!r}")
    if kind == "array":
        for index, item in enumerate(value):
            check_schema(schema["items"], item, f"{where}[{index}]")
    if kind == "object":
        for name in schema["required"]:
            if name not in value:
                fail(f"field {name} is missing in {where}: {value}")
        for name, item in value.items():
            if name not in schema["properties"]:
                fail(f"{where} has a field that the schema has not: {name}")
            check_schema(schema["properties"][name], item, name)


def check_prediction(record):
    gain, margin = record["expected_gain"], record["margin"]
    if record["decision"] != "stock" and gain < margin:
        fail(f"{record['decision']} for a gain of {gain}, margin {margin}")


def region_sizes(record):
    """The bytes that the slots of a block may take."""
    slots, threads = record["slots"], record["block_size"]
    if record["block_size_from"] == "launch":  # An odd number of 4 or 8 bytes.
        each = (4 * (slots | 1), 8 * ((slots + 1) // 2 | 1)) if slots else (0,)
        return [-(-size * threads // 16) * 16 for size in each]
    words = slots * threads
    full = -(-words // 256) * 256  # Where dynamic shared memory follows.
    return 4 * words, 4 * full


def check(record, schema):
    check_schema(schema, record, "the object")
    if record["slot_bytes"] not in region_sizes(record):
        fail(f"slot_bytes {record['slot_bytes']} for {record['slots']} words")
    if (record["decision"] == "demote") != (
            record["slots"] + record["recomputations"] > 0):
        fail(f"decision {record['decision']} with {record['slots']} words")
    if "margin" in record:
        check_prediction(record)
    if record["estimated"] == bool(record["variants"]):
        fail("an estimate with variants, or none without")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    if not records:
        fail("no line")
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    for record in records:
        check(record, schema)
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
