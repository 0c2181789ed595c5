#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Shows RegDem on real CUDA kernels: sets up what the machine lacks, builds what
# `cmake --install` installs, compiles the demo kernels with nvcc, clang, and clang with RegDem,
# and prints a table. With a GPU it also runs and checks them. Arguments go to
# benchmarks/demo.py (see its --help).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case " $* " in
*" -h "* | *" --help "*) exec python3 benchmarks/demo.py "$@" ;;
esac
scripts/bootstrap.sh
source scripts/env.sh
cmake --preset release >/dev/null
cmake --build --preset release --target programs
exec python3 benchmarks/demo.py --plugin build/lib/RegDem.so \
  --cuda "$CUDA_PATH" "$@"
