#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts.sh PYTHON: fails if a shell or Python script of the project does not
# parse. Run from the project's folder.
set -euo pipefail
folders=(scripts .ci tools test benchmarks)
find "${folders[@]}" \( -name '*.sh' -o -path .ci/run \) -print0 |
  xargs -0 -n 1 bash -n
find "${folders[@]}" -name '*.py' -print0 |
  xargs -0 "$1" -c '
import ast, sys
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        ast.parse(file.read(), name)'
