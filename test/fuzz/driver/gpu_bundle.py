"""The manifest and the launch program of a GPU run."""

import json
import os
import subprocess

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def write(folder, result):
    """Beside the cubins: kernels.json, manifest.txt (what gpu_check reads:
    'pair STEM', then one line per kernel) and the program gpu_check."""
    pairs = sorted(result.pairs, key=lambda p: result.metadata[p[1][0]]["seed"])
    with open(os.path.join(folder, "manifest.txt"), "w",
              encoding="ascii") as file:
        for stem, names in pairs:
            file.write("pair %s\n" % stem)
            for name in names:
                meta = result.metadata[name]
                report = result.reports.get(name, {})
                numbers = (meta["block"] + meta["grid"]
                           + [meta["dynamic_smem"], meta["in_words"],
                              meta["out_words"], meta["n"], meta["seed"],
                              int(report.get("decision") == "demote")])
                file.write("%s %s\n" % (name, " ".join(map(str, numbers))))
    entries = []
    for _, names in pairs:
        for name in names:
            entry = dict(result.metadata[name])
            entry.update(report=result.reports.get(name),
                         stock=result.stock.get(name),
                         regdem=result.regdem.get(name))
            entries.append(entry)
    with open(os.path.join(folder, "kernels.json"), "w",
              encoding="ascii") as file:
        json.dump(entries, file, indent=0)
        file.write("\n")
    subprocess.run(["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror",
                    "-static-libstdc++", "-static-libgcc",
                    os.path.join(_FOLDER, "gpu_check.cpp"), "-o",
                    os.path.join(folder, "gpu_check"), "-ldl"], check=True)
