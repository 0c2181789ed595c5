"""The manifest and the launch program of a GPU run."""

import json
import os
import subprocess

from . import figures

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def write(folder, result):
    """Beside the cubins: kernels.json, manifest.txt and the program
    gpu_check."""
    pairs = sorted(result.pairs, key=lambda p: result.metadata[p[1][0]]["seed"])
    write_manifest(os.path.join(folder, "manifest.txt"), result, pairs)
    names = [name for _, kernels in pairs for name in kernels]
    with open(os.path.join(folder, "kernels.json"), "w",
              encoding="ascii") as file:
        json.dump([entry(result, name) for name in names], file, indent=0)
        file.write("\n")
    build_launcher(os.path.join(folder, "gpu_check"))


def write_manifest(path, result, pairs):
    """What gpu_check reads: 'pair STEM', then one line per kernel."""
    with open(path, "w", encoding="ascii") as file:
        for stem, names in pairs:
            file.write("pair %s\n" % stem)
            for name in names:
                meta = result.metadata[name]
                report = result.reports.get(name, {})
                numbers = (meta["block"] + meta["grid"]
                           + [meta["dynamic_smem"], meta["in_words"],
                              meta["out_words"], meta["n"], meta["seed"],
                              int(figures.is_changed(report))])
                file.write("%s %s\n" % (name, " ".join(map(str, numbers))))


def entry(result, name):
    """All that is known of a kernel, for JSON."""
    return dict(result.metadata[name], report=result.reports.get(name),
                stock=result.stock.get(name), regdem=result.regdem.get(name))


def build_launcher(path):
    subprocess.run(["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror",
                    "-static-libstdc++", "-static-libgcc",
                    os.path.join(_FOLDER, "gpu", "gpu_check.cpp"), "-o", path,
                    "-ldl"], check=True)
