# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A folder of builds that needs no more than Python 3 and a CUDA driver: how
build_variants.py writes it, and how the scripts that work on a GPU take it:
their common options, the manifest, and where results go."""

import datetime
import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from . import gpu


@dataclass(frozen=True)
class Folder:
    root: Path
    out: Path  # where results go; exists
    manifest: dict
    kernels: list  # those of the manifest's that were asked for


def add_arguments(parser, script):
    """script: path of the script, beside which the folder's files lie."""
    parser.add_argument("names", nargs="*", help="benchmarks (default: all)")
    parser.add_argument("--folder", type=Path,
                        default=Path(script).resolve().parent)
    parser.add_argument("--out", type=Path, help="default: the folder")


def from_arguments(options):
    """The Folder; ends the program if it has nothing to run or no GPU is
    there."""
    root = options.folder.resolve()
    manifest = read_json(root / "manifest.json")
    kernels = [k for k in manifest["kernels"]
               if not options.names or k["id"] in options.names]
    if not kernels:
        sys.exit("error: no such benchmark in the manifest")
    if not gpu.present():
        sys.exit("error: no CUDA device on this machine")
    out = (options.out or root).resolve()
    out.mkdir(parents=True, exist_ok=True)
    return Folder(root, out, manifest, kernels)


def read_json(path):
    """Contents of a JSON file; ends the program if it cannot be read."""
    try:
        return json.loads(path.read_text())
    except (OSError, json.JSONDecodeError) as error:
        sys.exit(f"error: {path}: {error}")


def manifest_of(tools, revision, kernels):
    """The manifest of kernels, entries as describe() makes them, that tools
    built now from that revision of the project."""
    return {
        "format": 1,
        "arch": tools.arch,
        "tools": tools.versions(),
        "regdem": tools.has_plugin,
        "revision": revision,
        "built": datetime.datetime.now(datetime.timezone.utc).isoformat(
            timespec="seconds"
        ),
        "kernels": kernels,
    }


def write(out, manifest, benchmarks, scripts):
    """Puts into out what its builds need to run: the manifest, scripts (paths)
    and the packages that these import from the folder benchmarks."""
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    for script in scripts:
        shutil.copy2(script, out)
    for package in ("harness", "regdem_common"):
        shutil.copytree(
            benchmarks / package,
            out / package,
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
