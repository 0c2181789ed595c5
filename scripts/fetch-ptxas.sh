#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Fetches other versions of NVIDIA's assembler from its packages for Python,
# each into .cuda/ptxas-VERSION/. The test ptxas-versions then assembles
# RegDem's output with every one of them. Nothing else needs them.
#   fetch-ptxas.sh [VERSION...]    as pip writes versions; default 12.9.* and
#                                  the newest
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

(($#)) || set -- '12.9.*' newest
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"

for version in "$@"; do
  # The name of the package carries the major version up to CUDA 12.
  case "$version" in
    newest) package=nvidia-cuda-nvcc ;;
    12.*) package="nvidia-cuda-nvcc-cu12==$version" ;;
    *) package="nvidia-cuda-nvcc==$version" ;;
  esac
  rm -rf "$work/wheel" "$work/files"
  "$work/venv/bin/python" -m pip --quiet download --no-deps \
    --only-binary :all: -d "$work/wheel" "$package"
  wheel="$(echo "$work"/wheel/*.whl)"
  found="$(basename "$wheel" | cut -d- -f2)"
  python3 -m zipfile -e "$wheel" "$work/files"
  ptxas="$(find "$work/files" -name ptxas -type f)"
  mkdir -p ".cuda/ptxas-$found"
  install -m 755 "$ptxas" ".cuda/ptxas-$found/ptxas"
  echo "fetch-ptxas: .cuda/ptxas-$found"
done
