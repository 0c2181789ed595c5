#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# tidy.sh RUN-CLANG-TIDY BUILD: fails if clang-tidy finds a fault, by the list
# in .clang-tidy, in RegDem's own sources, whose commands BUILD knows. Run from
# the project's folder.
set -euo pipefail
"$1" -p "$2" -quiet -j 2 -extra-arg=-Wno-deprecated-declarations \
  "^$PWD/(lib|tools)/" >"$2/tidy.log" 2>&1 || {
  grep -vE '^\[|^[0-9]+ warnings|^Suppressed|^Use -' "$2/tidy.log" || true
  exit 1
}
