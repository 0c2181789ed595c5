#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# deb-in-root.sh DEB ROOT CUDA: installs the package with all it depends on into
# ROOT, a Debian that debootstrap has made, compiles an example there with the
# toolkit in the folder CUDA, purges the package, and fails if a file that was not
# there before is left, but for what apt and other packages write. Needs to be root,
# and a network or mirror as ROOT's apt has it.
set -euo pipefail
deb="$(realpath "$1")" root="$(realpath "$2")" cuda="$(realpath "$3")"

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
  DEBIAN_FRONTEND=noninteractive "$@"; }
ours() { find "$root" -xdev \( -iname '*regdem*' -o -path '*/regdem/*' \) -not -path '*/proc/*' |
  sort; }

before="$(ours)"
inside apt-get -qq update
cp "$deb" "$root/tmp/regdem.deb"
inside apt-get -qq -y --no-install-recommends install /tmp/regdem.deb \
  llvm-22 >/dev/null # which it recommends
rm "$root/tmp/regdem.deb"
mkdir -p "$root/tmp/cuda"
mount --bind "$cuda" "$root/tmp/cuda"
trap 'umount "$root/tmp/cuda"' EXIT
inside clang++-22 --cuda-device-only -S -O3 --cuda-path=/tmp/cuda -Wno-unknown-cuda-version \
  --cuda-gpu-arch=sm_90 -fpass-plugin=/usr/lib/RegDem.so -Rpass=regdem -Rpass-missed=regdem \
  /usr/share/doc/regdem/examples/stencil.cu -o /tmp/stencil.s
grep -q '\.shared' "$root/tmp/stencil.s"
for program in regdem-opt regdem-llc; do inside "$program" --version >/dev/null; done
for program in regdem-tune regdem-report regdem-analyse regdem-finish; do
  inside "$program" --help >/dev/null
done
echo "installed: $(inside dpkg -L regdem | wc -l) paths"
rm -rf "$root/tmp/stencil.s" "$root/root/.cache/regdem"
inside apt-get -qq -y purge regdem >/dev/null
after="$(ours)"
diff <(echo "$before") <(echo "$after") || { echo "left behind: see above"; exit 1; }
echo "purged: nothing is left"
