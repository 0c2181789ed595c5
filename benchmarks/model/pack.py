#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs what evaluate.py needs of a folder of build_variants.py into one file:
the cubins of one compiler's builds, how each was made and, with --times, how
long it took: all that is needed to judge the choice on a machine without a GPU.
Of benchmarks/real only what may be passed on: --licences."""

import argparse
import io
import json
import lzma
import sys
import tarfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from harness.results import FIGURES  # noqa: E402

RECIPE = ("max_regs", "min_blocks", "smem_spilling", "rewrites",
          "pressure_after")


def recipe(report):
    """What evaluate.py reads of a report."""
    return {
        **{name: report[name] for name in ("kernel", *RECIPE)},
        "variants": [
            {name: built[name] for name in ("rewrites", "pressure_after")}
            for built in report["variants"]
        ],
    }


def packed(manifest, family, licences):
    """The manifest with no more than that, for builds of `family`; with
    `licences` only of libraries under these."""
    kernels = []
    for kernel in manifest["kernels"]:
        if licences and kernel["licence"] not in licences:
            continue
        variants = []
        for variant in kernel["variants"]:
            if variant["family"] != family or "error" in variant:
                continue
            entry = {name: variant[name]
                     for name in ("name", "family", "cubin", "sha256",
                                  "same_as", "stack", *FIGURES) if name in variant}
            if "regdem" in variant:
                entry["regdem"] = [recipe(r) for r in variant["regdem"]]
            variants.append(entry)
        kernels.append({"id": kernel["id"], "set": kernel["set"],
                        "block": kernel["block"], "variants": variants})
    return {"arch": manifest["arch"], "tools": manifest["tools"],
            "kernels": kernels}


def measured(times, manifest):
    """Text of a times.csv with the manifest's builds alone."""
    wanted = {(k["id"], v["name"])
              for k in manifest["kernels"] for v in k["variants"]}
    header, *lines = times.splitlines(keepends=True)
    return header + "".join(
        line for line in lines if tuple(line.split(",")[:2]) in wanted)


def add(archive, name, data):
    """Adds a file that is the same whoever packs it, and when."""
    info = tarfile.TarInfo(name)
    info.size = len(data)
    archive.addfile(info, io.BytesIO(data))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variants", type=Path, help="folder to pack")
    parser.add_argument("out", type=Path, help="file to write (.tar.xz)")
    parser.add_argument("--family", default="clang", help="clang or nvcc")
    parser.add_argument("--times", type=Path,
                        help="times.csv of the same builds")
    parser.add_argument("--licences", nargs="*", default=(),
                        help="only kernels of libraries under these")
    options = parser.parse_args()
    manifest = packed(
        json.loads((options.variants / "manifest.json").read_text()),
        options.family, options.licences)
    cubins = sorted({v["cubin"] for k in manifest["kernels"]
                     for v in k["variants"]})
    with lzma.open(options.out, "wb", preset=9) as compressed:
        with tarfile.open(fileobj=compressed, mode="w") as archive:
            text = json.dumps(manifest, indent=1, sort_keys=True) + "\n"
            add(archive, "manifest.json", text.encode())
            if options.times:
                text = measured(options.times.read_text(), manifest)
                add(archive, "times.csv", text.encode())
            for cubin in cubins:
                add(archive, cubin, (options.variants / cubin).read_bytes())
    print(f"{options.out}: {len(cubins)} builds of "
          f"{len(manifest['kernels'])} kernels")


if __name__ == "__main__":
    main()
