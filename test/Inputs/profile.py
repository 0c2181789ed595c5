#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""profile.py REPORT KERNEL [FIELD=VALUE...]: prints a profile with one entry.

The entry's kernel, arch and hash are those in the report's line of KERNEL; each
FIELD is laid over them, its VALUE as JSON if it is any and as a string if not.
"""

import json
import sys


def value(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def main():
    report, kernel, *fields = sys.argv[1:]
    with open(report, encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    [record] = [r for r in records if r["kernel"] == kernel]
    entry = {key: record[key] for key in ("kernel", "arch", "hash")}
    for field in fields:
        key, _, text = field.partition("=")
        entry[key] = value(text)
    json.dump({"version": 1, "entries": [entry]}, sys.stdout)


if __name__ == "__main__":
    main()
