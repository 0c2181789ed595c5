#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds every variant of every benchmark into one self-contained folder.

The folder needs only Python 3 and a CUDA driver to run: host programs, one
cubin per variant, manifest.json, run.py and sanitize.py.
Variants with identical machine code are stored and run once.
"""

import argparse
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import catalog, programs, toolchain
from harness import folder as gpu_folder
from harness.variants import Builder, without_bounds


def git_revision():
    """The revision with "+" if the tree has changes; "unknown" outside git."""

    def git(*arguments):
        return subprocess.run(
            ["git", "-C", str(catalog.ROOT), *arguments],
            capture_output=True,
            text=True,
        )

    head = git("rev-parse", "HEAD")
    if head.returncode:
        return "unknown"
    changed = git("status", "--porcelain", "--untracked-files=no").stdout
    return head.stdout.strip() + ("+" if changed.strip() else "")


def describe(bench, built, out):
    """The manifest's entry for one benchmark; drops duplicate cubins."""
    first = {}
    variants = []
    for variant in built:
        entry = variant.as_json(out)
        if "sha256" in entry:
            key = (entry["family"], entry["sha256"])
            original = first.setdefault(key, entry)
            if original is not entry:
                variant.cubin.unlink()
                entry["cubin"] = original["cubin"]
                entry["same_as"] = original["name"]
        variants.append(entry)
    return {
        "id": bench.id,
        "set": bench.set,
        "description": bench.description,
        "block": bench.block,
        "program": f"programs/{bench.id}",
        "variants": variants,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="benchmarks (default: all)")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--programs", type=Path, help="built host programs")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--no-bounds",
        action="store_true",
        help="kernels without launch bounds, and their caps only",
    )
    parser.add_argument(
        "--nvcc",
        action="store_true",
        help="nvcc's builds and what regdem-nvcc makes of them only",
    )
    toolchain.add_arguments(parser)
    options = parser.parse_args()

    try:
        tools = toolchain.from_arguments(options)
        chosen = catalog.select(catalog.load(), options.names)
        out = options.out.resolve()
        out.mkdir(parents=True, exist_ok=True)
        built_programs = options.programs or programs.build(
            out.parent / (out.name + "-host"), tools.cuda, chosen, options.jobs
        )
        (out / "programs").mkdir(exist_ok=True)
        for bench in chosen:
            shutil.copy2(built_programs / bench.id, out / "programs")
        if not tools.has_plugin:
            print(f"note: no {tools.plugin}: variants of RegDem left out")

        def build(bench):
            folder = out / "cubins" / bench.id
            shutil.rmtree(folder, ignore_errors=True)
            if options.no_bounds:
                bench = without_bounds(bench)
            builder = Builder(tools, bench, folder)
            if options.nvcc:
                built = builder.nvcc_sweep()
            elif options.no_bounds:
                built = builder.unbounded_sweep()
            else:
                built = builder.sweep()
            for text in folder.glob("*.ptx*"):
                text.unlink()
            entry = describe(bench, built, out)
            for variant in entry["variants"]:
                if "error" in variant:
                    print(f"{bench.id} {variant['name']}: {variant['error']}")
            print(f"{bench.id}: {len(built)} variants", flush=True)
            return entry

        with ThreadPoolExecutor(options.jobs) as pool:
            kernels = list(pool.map(build, chosen))
        manifest = gpu_folder.manifest_of(tools, git_revision(), kernels)
    except (toolchain.ToolError, OSError) as error:
        sys.exit(f"error: {error}")
    gpu_folder.write(
        out,
        manifest,
        catalog.ROOT,
        [catalog.ROOT / f"{name}.py" for name in ("run", "sanitize")],
    )
    size = sum(f.stat().st_size for f in out.rglob("*") if f.is_file())
    print(f"{out}: {len(kernels)} benchmarks, {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
