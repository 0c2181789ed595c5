#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# package.sh PACKAGE ROOT: installs the package into an empty root, as dpkg does,
# and stops there, for what is then to be tried; with `remove` as third argument
# removes it, and fails if anything is left. Needs to be root.
set -euo pipefail
package="$1" root="$2"

if [[ "${3:-}" == remove ]]; then
  dpkg --root="$root" --force-depends --purge regdem
  left="$(cd "$root" && find . \( -iname '*regdem*' -o -type d -empty \) \
    -not -path './var/*' -print)"
  [[ -z "$left" ]] || { echo "left: $left"; exit 1; }
  exit
fi

# The package's scripts need a shell and ldconfig, as every system has them.
rm -rf "$root"
mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers} "$root"/{etc,bin,sbin,tmp}
touch "$root/var/lib/dpkg/status" "$root/etc/ld.so.conf"
install -m 755 "$(readlink -f /bin/sh)" "$root/bin/sh"
install -m 755 /sbin/ldconfig "$root/sbin/ldconfig"
for library in $(ldd /bin/sh | grep -o '/[^ ]*'); do
  install -D "$library" "$root$library"
done
touch "$root/tmp/used" "$root/etc/used"
dpkg --root="$root" --force-depends -i "$package"
