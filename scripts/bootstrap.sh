#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what building and testing RegDem needs and this machine lacks, and
# nothing else: Debian packages through apt-get (as root or with sudo); where
# there is no CUDA toolkit, or none with nvdisasm, NVIDIA's packages for
# Python, which go into .cuda/ of this folder. For Debian 12 and for Ubuntu
# releases that offer LLVM 22. Scripts find the toolkit through env.sh. Exit
# status 1, with the reason, if something cannot be installed; nvdisasm is not
# worth that: without it some tests are skipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
project="$PWD"

fail() {
  echo "bootstrap: error: $*" >&2
  exit 1
}

# package, and a file that shows it is there: a path, or a program in PATH.
needed=(
  clang-22        clang++-22
  llvm-22-dev     /usr/lib/llvm-22/lib/cmake/llvm/LLVMConfig.cmake
  libclang-22-dev /usr/lib/llvm-22/lib/cmake/clang/ClangConfig.cmake
  llvm-22-tools   /usr/lib/llvm-22/bin/lit
  clang-format-22 clang-format-22
  clang-tidy-22   clang-tidy-22
  g++             g++
  cmake           cmake
  ninja-build     ninja
  libgtest-dev    /usr/include/gtest/gtest.h
  python3         python3
)

is_there() {
  case "$1" in
    /*) [[ -e "$1" ]] ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

install_packages() {
  local as_root=()
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null ||
      fail "not root and no sudo; as root: apt-get install $*"
    as_root=(sudo)
  fi
  command -v apt-get >/dev/null ||
    fail "no apt-get here; install by other means: $*"
  echo "bootstrap: installing $*"
  "${as_root[@]}" apt-get -qq update || true
  local package
  for package in "$@"; do
    apt-cache show "$package" >/dev/null 2>&1 ||
      fail "apt offers no package $package; add a source that does"
  done
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -y --no-install-recommends install "$@" >/dev/null ||
    fail "apt-get could not install: $*"
}

# Installs NVIDIA's packages and lays their files out as --cuda-path of clang
# and nvcc expect them. The layout is complete or absent: it is built aside
# and renamed.
install_cuda() {
  local venv="$project/.cuda/venv" root="$project/.cuda/toolkit"
  echo "bootstrap: installing CUDA 13.0 (compiler and headers) into .cuda/"
  rm -rf "$venv" "$root" "$root.new"
  mkdir -p "$project/.cuda"
  python3 -m venv "$venv" || fail "python3 cannot make a virtual environment"
  "$venv/bin/python" -m pip --quiet install --no-deps --only-binary :all: \
    'nvidia-cuda-nvcc==13.0.*' 'nvidia-nvvm==13.0.*' \
    'nvidia-cuda-crt==13.0.*' 'nvidia-cuda-runtime==13.0.*' \
    'nvidia-cuda-cccl==13.0.*' 'nvidia-curand==10.4.*' ||
    fail "pip could not install the CUDA packages"
  local files
  files="$(echo "$venv"/lib/python3*/site-packages/nvidia/cu13)"
  [[ -x "$files/bin/ptxas" && -f "$files/include/cuda.h" ]] ||
    fail "the CUDA packages have an unknown layout: see .cuda/venv"
  # clang includes one header of cuRAND in every CUDA file; the library is not
  # needed.
  rm -f "$files"/lib/libcurand*
  cp -a "$files" "$root.new"
  ln -sfn lib "$root.new/lib64"
  # The packages carry libcudart.so.13 without the name that linkers look for.
  [[ -e "$root.new/lib/libcudart.so" ]] ||
    ln -s libcudart.so.13 "$root.new/lib/libcudart.so"
  mv "$root.new" "$root"
  rm -rf "$venv"
}

# The toolkit's own nvdisasm, or else one in .cuda/nvdisasm/.
has_nvdisasm() {
  [[ -x "${CUDA_PATH:-}/bin/nvdisasm" || -x .cuda/nvdisasm/nvdisasm ]]
}

# One release reads what ptxas of earlier ones writes, from CUDA 12 on.
install_nvdisasm() {
  local work
  echo "bootstrap: installing nvdisasm into .cuda/"
  work="$(mktemp -d "$project/.cuda/nvdisasm.XXXXXX")" || return 1
  if python3 -m venv "$work/venv" &&
     "$work/venv/bin/python" -m pip --quiet download --no-deps \
       --only-binary :all: -d "$work" 'nvidia-cuda-nvdisasm==13.*' &&
     python3 -m zipfile -e "$work"/*.whl "$work/files" &&
     mkdir -p "$work/new" &&
     find "$work/files" -name nvdisasm -type f \
       -exec install -m 755 {} "$work/new/nvdisasm" \; &&
     [[ -x "$work/new/nvdisasm" ]]; then
    rm -rf .cuda/nvdisasm
    mv "$work/new" .cuda/nvdisasm
  fi
  rm -rf "$work"
  has_nvdisasm
}

missing=()
for ((i = 0; i < ${#needed[@]}; i += 2)); do
  is_there "${needed[i + 1]}" || missing+=("${needed[i]}")
done
source scripts/env.sh
if { [[ -z "${CUDA_PATH:-}" ]] || ! has_nvdisasm; } &&
   ! python3 -c 'import ensurepip' 2>/dev/null; then
  missing+=(python3-venv)
fi
if ((${#missing[@]})); then
  install_packages "${missing[@]}"
fi
if [[ -z "${CUDA_PATH:-}" ]]; then
  install_cuda
  source scripts/env.sh
  [[ -n "${CUDA_PATH:-}" ]] || fail "the CUDA toolkit in .cuda/ is incomplete"
fi
if ! has_nvdisasm; then
  mkdir -p .cuda
  install_nvdisasm ||
    echo "bootstrap: warning: no nvdisasm; tests that need it are skipped" >&2
fi
echo "bootstrap: ready, CUDA toolkit in $CUDA_PATH"
