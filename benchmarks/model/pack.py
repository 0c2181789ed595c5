#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs what evaluate.py needs of a folder of build_variants.py into one file:
the cubins of one compiler's builds and how each was made. With the results.json
of the same builds it is all that is needed to judge the choice on a machine
without a GPU."""

import argparse
import io
import json
import lzma
import tarfile
from pathlib import Path

FIGURES = ("regs", "stack", "spill_store_bytes", "spill_load_bytes", "smem")
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


def packed(manifest, family):
    """The manifest with no more than that, for builds of `family`."""
    kernels = []
    for kernel in manifest["kernels"]:
        variants = []
        for variant in kernel["variants"]:
            if variant["family"] != family or "error" in variant:
                continue
            entry = {name: variant[name]
                     for name in ("name", "family", "cubin", "sha256",
                                  "same_as", *FIGURES) if name in variant}
            if "regdem" in variant:
                entry["regdem"] = [recipe(r) for r in variant["regdem"]]
            variants.append(entry)
        kernels.append({"id": kernel["id"], "set": kernel["set"],
                        "block": kernel["block"], "variants": variants})
    return {"arch": manifest["arch"], "tools": manifest["tools"],
            "kernels": kernels}


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
    options = parser.parse_args()
    manifest = packed(
        json.loads((options.variants / "manifest.json").read_text()),
        options.family)
    cubins = sorted({v["cubin"] for k in manifest["kernels"]
                     for v in k["variants"]})
    with lzma.open(options.out, "wb", preset=9) as compressed:
        with tarfile.open(fileobj=compressed, mode="w") as archive:
            text = json.dumps(manifest, indent=1, sort_keys=True) + "\n"
            add(archive, "manifest.json", text.encode())
            for cubin in cubins:
                add(archive, cubin, (options.variants / cubin).read_bytes())
    print(f"{options.out}: {len(cubins)} builds of "
          f"{len(manifest['kernels'])} kernels")


if __name__ == "__main__":
    main()
