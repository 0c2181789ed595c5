#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Fetches other releases of nvcc, of CUDA 13, from NVIDIA's packages for Python,
# each into .cuda/nvcc-VERSION/. The test regdem-nvcc/versions then builds
# programs with every one of them. Nothing else needs them.
#   fetch-nvcc.sh [RELEASE...]    such as 13.3; default 13.0 and the newest
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

(($#)) || set -- 13.0 newest
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

for release in "$@"; do
  of=
  [[ "$release" == newest ]] || of="==$release.*"
  rm -rf "$work/venv"
  python3 -m venv "$work/venv"
  "$work/venv/bin/python" -m pip --quiet install --no-deps --only-binary :all: \
    "nvidia-cuda-nvcc$of"
  found="$("$work/venv/bin/python" -m pip show nvidia-cuda-nvcc |
    sed -n 's/^Version: //p')"
  # The parts of one release have its first two numbers.
  of="==$(cut -d. -f1,2 <<< "$found").*"
  "$work/venv/bin/python" -m pip --quiet install --no-deps --only-binary :all: \
    "nvidia-nvvm$of" "nvidia-cuda-crt$of" "nvidia-cuda-runtime$of"
  rm -rf ".cuda/nvcc-$found"
  mkdir -p .cuda
  cp -a "$work"/venv/lib/python3*/site-packages/nvidia/cu13 ".cuda/nvcc-$found"
  echo "fetch-nvcc: .cuda/nvcc-$found"
done
