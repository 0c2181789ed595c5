#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints docs/constants.md, made of the table that the cost model is compiled
from (include/regdem/Constants.def), or checks that a file is just that."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

KINDS = {
    "Fitted": "Set by measured times. `benchmarks/model/leave_one_out.py` "
    "sets those with a range anew on all kernels but one.",
    "Judged": "Set by what ptxas makes of kernels, or by what the model "
    "cannot see.",
    "Effort": "They bound what is tried: more costs compile time."
}


def page(rows):
    """Lines of the page."""
    yield "# Constants of the decision"
    yield ""
    yield ("Every number that decides between builds and has neither a "
           "publication nor the hardware as its source. This page")
    yield ("is made of `include/regdem/Constants.def` by "
           "`benchmarks/model/constants.py`; times are of an H200, cells are "
           "kernels")
    yield "under a cap."
    for kind, meaning in KINDS.items():
        chosen = [row for row in rows if row["kind"] == kind]
        yield ""
        yield f"## {kind} ({len(chosen)})"
        yield ""
        yield meaning
        yield ""
        yield "| constant | value | unit | range | evidence |"
        yield "|---|---:|---|---|---|"
        for row in chosen:
            cells = (f"`{row['name']}`", f"{row['value']:g}", row["unit"],
                     row["range"].replace(" ", ", "), row["evidence"])
            yield "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--predict", required=True, help="regdem-predict")
    parser.add_argument("--check", type=Path, metavar="FILE")
    options = parser.parse_args()
    done = subprocess.run([options.predict, "--constants"], check=True,
                          capture_output=True, text=True)
    text = "\n".join(page(json.loads(done.stdout))) + "\n"
    if not options.check:
        print(text, end="")
    elif options.check.read_text() != text:
        sys.exit(f"{options.check} is not what the table says: write it by "
                 f"{Path(__file__).name} --predict {options.predict}")


if __name__ == "__main__":
    main()
