#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns results.json into report.html (self-contained) and report.md.

If analyse.py has left its analysis.json beside the results, the report says
for each analysed build what limits it and whether spilling matters. Needs the
packages of requirements.txt.
"""

import argparse
import json
import sys
from pathlib import Path

from reporting import packages

packages.require()

from harness.results import Results
from reporting import html, markdown, spilling_report


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="results.json of run.py")
    parser.add_argument("--out", type=Path,
                        help="folder (default: where the results are)")
    parser.add_argument("--analysis", type=Path, metavar="FILE",
                        help="default: analysis.json beside the results")
    options = parser.parse_args()
    path = options.results
    try:
        results = Results.read(path)
        path = options.analysis or path.parent / "analysis.json"
        analysis = spilling_report.read(path)
    except (OSError, json.JSONDecodeError, KeyError) as error:
        sys.exit(f"error: {path}: {error}")
    if options.analysis and analysis is None:
        sys.exit(f"error: {path}: no such file")
    if not results.kernels:
        sys.exit(f"error: {options.results}: no correct measurement in it")
    out = options.out or options.results.parent
    out.mkdir(parents=True, exist_ok=True)
    (out / "report.html").write_text(html.page(results, analysis))
    (out / "report.md").write_text(markdown.document(results, analysis))
    print(f"{out / 'report.html'}, {out / 'report.md'}")


if __name__ == "__main__":
    main()
