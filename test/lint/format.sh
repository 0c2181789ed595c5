#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# format.sh CLANG-FORMAT: fails if a C++ or CUDA file is not formatted as
# .clang-format says. Run from the project's folder.
set -euo pipefail
find lib include tools test benchmarks examples \
  \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' \) -print0 |
  xargs -0 -n 20 -P 2 "$1" --dry-run -Werror
