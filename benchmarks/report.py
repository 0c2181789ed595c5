#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns results.json into report.md; with --nvcc prints how regdem-nvcc's builds
compare with nvcc's."""

import argparse
import json
import sys
from pathlib import Path

from harness.results import Results
from reporting import markdown, nvcc


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="results.json of run.py")
    parser.add_argument("--out", type=Path,
                        help="folder (default: where the results are)")
    parser.add_argument("--nvcc", action="store_true",
                        help="of a folder that build_variants.py --nvcc made")
    options = parser.parse_args()
    try:
        results = Results.read(options.results)
    except (OSError, json.JSONDecodeError, KeyError) as error:
        sys.exit(f"error: {options.results}: {error}")
    if not results.kernels:
        sys.exit(f"error: {options.results}: no correct measurement in it")
    if options.nvcc:
        print("\n".join(nvcc.table(results)))
        return
    out = options.out or options.results.parent
    out.mkdir(parents=True, exist_ok=True)
    (out / "report.md").write_text(markdown.document(results))
    print(out / "report.md")


if __name__ == "__main__":
    main()
