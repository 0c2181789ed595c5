"""The manifest and the launch program of a GPU run."""

import json
import os
import subprocess

from . import figures, files

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def write(folder, result):
    """Beside the cubins: kernels.json, manifest.txt and the program
    gpu_check."""
    pairs = sorted(result.pairs, key=lambda p: result.metadata[p[1][0]]["seed"])
    files.write(os.path.join(folder, "manifest.txt"), manifest(result, pairs))
    names = [name for _, kernels in pairs for name in kernels]
    files.write(os.path.join(folder, "kernels.json"), json.dumps(
        [entry(result, name) for name in names], indent=0) + "\n")
    build_launcher(os.path.join(folder, "gpu_check"))


def manifest(result, pairs):
    """What gpu_check reads: 'pair STEM', then one line per kernel."""
    text = ""
    for stem, names in pairs:
        text += "pair %s\n" % stem
        for name in names:
            meta = result.metadata[name]
            report = result.reports.get(name, {})
            numbers = (meta["block"] + meta["grid"]
                       + [meta["dynamic_smem"], meta["in_words"],
                          meta["out_words"], meta["n"], meta["seed"],
                          int(figures.is_changed(report))])
            text += "%s %s\n" % (name, " ".join(map(str, numbers)))
    return text


def entry(result, name):
    """All that is known of a kernel, for JSON."""
    return dict(result.metadata[name], report=result.reports.get(name),
                stock=result.stock.get(name), regdem=result.regdem.get(name))


def build_launcher(path):
    subprocess.run(["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror",
                    "-static-libstdc++", "-static-libgcc",
                    os.path.join(_FOLDER, "gpu", "gpu_check.cpp"), "-o", path,
                    "-ldl"], check=True)
