#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds RegDem and runs the tests; sets up what the machine lacks first.
#   test.sh           release build; compiler warnings are errors
#   test.sh --debug   with address and undefined-behaviour sanitizers
#   test.sh --all     the tests that take long, too
# Further arguments go to ctest (such as -R lit). The exit status and the last
# lines printed are ctest's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=release
suite=
settings=()
while (($#)); do
  case "$1" in
    --debug)
      preset=debug
      # The benchmarks do not contain RegDem's code.
      settings=(-DREGDEM_BUILD_BENCHMARKS=OFF)
      ;;
    --all) suite=-all ;;
    *) break ;;
  esac
  shift
done

scripts/bootstrap.sh
source scripts/env.sh
jobs="$(nproc)"
((jobs >= 2)) || jobs=2
((jobs <= 16)) || jobs=16

cmake --preset "$preset" "${settings[@]}"
cmake --build --preset "$preset" -j "$jobs"
exec ctest --preset "$preset$suite" -j "$jobs" "$@"
