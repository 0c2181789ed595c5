#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Packs what build.py wrote for a machine with a GPU, a CUDA driver and Python:
#   bundle.sh BUILT FOLDER
# FOLDER then holds run.sh and all else in one archive.
set -euo pipefail
built=$(realpath "$1")
mkdir -p "$2"
rm -f "$2/real.tar.xz"
# What the manifest names, so that a build may go on meanwhile.
python3 - "$built/manifest.json" > "$2/files" <<'PY'
import json, sys
print("manifest.json\nrun.py\nreport.py\nharness\nregdem_common")
for kernel in json.load(open(sys.argv[1]))["kernels"]:
    print(kernel["program"])
    for path in sorted({v["cubin"] for v in kernel["variants"] if "cubin" in v}):
        print(path)
PY
tar -C "$built" -c -T "$2/files" | xz -T1 -5 > "$2/real.tar.xz"
rm "$2/files"
cat > "$2/run.sh" <<'SH'
#!/usr/bin/env bash
# Runs all kernels on the GPU; results.json and the printed table go to $OUT.
#   run.sh [SECONDS]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/out}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m tarfile -e "$here/real.tar.xz" "$work"
status=0
python3 "$work/run.py" --out "$out" --budget "${1:-225}" --seeds 2 --reps 9 \
  --timeout 60 > "$out/run.log" 2>&1 || status=$?
tail -n 12 "$out/run.log"
[ -f "$out/results.json" ] || exit $status
python3 "$work/report.py" "$out/results.json" --out "$out/report.md"
python3 "$work/report.py" "$out/results.json" --short
exit $status
SH
chmod +x "$2/run.sh"
du -sh "$2"
