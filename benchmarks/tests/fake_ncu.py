#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for ncu in test_analyse.py: writes the log that `ncu --csv --page
raw` writes, with values that depend on the variant's name only.

FAKE_NCU says how it behaves: "named" and "silent" end with an error for the
metric in FAKE_UNKNOWN, with or without its name; "blank" leaves its cell
blank; "denied" has no access to the counters; "sleep" never ends; "short"
profiles one launch too few; "several" profiles two of each build, the second
of which has other values.
"""

import json
import os
import subprocess
import sys


def main():
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        print("NVIDIA (R) Nsight Compute Command Line Profiler\n"
              "Version 2025.3.1.0 (build 0)")
        return 0
    log = open(arguments[arguments.index("--log-file") + 1], "w")
    names = arguments[arguments.index("--metrics") + 1].split(",")
    launches = [
        arguments[i + 1].partition("=")[0].partition(":")[2]
        for i, word in enumerate(arguments)
        if word == "--cubin"
    ]
    mode = os.environ.get("FAKE_NCU", "")
    unknown = os.environ.get("FAKE_UNKNOWN", "")
    log.write("==PROF== Connected to process 42 (program)\n")
    if mode == "denied":
        log.write("==ERROR== ERR_NVGPUCTRPERM - The user does not have "
                  "permission to access NVIDIA GPU Performance Counters\n")
        return 1
    if mode == "sleep":  # as ncu does, in a process of its own
        child = subprocess.Popen(["sleep", "60"])
        with open(os.environ["FAKE_PID"], "w") as file:
            file.write(str(child.pid))
        return child.wait()
    if mode in ("named", "silent") and unknown in names:
        text = f"Failed to find metric {unknown}" if mode == "named" else "no"
        log.write(f"==ERROR== {text}\n")
        return 1

    values = json.loads(os.environ["FAKE_VALUES"])
    about = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name",
             "Context", "Stream", "Block Size", "Grid Size", "Device", "CC"]

    def line(cells):
        log.write(",".join(f'"{c}"' for c in cells) + "\n")

    for variant in launches:
        log.write(f'==PROF== Profiling "{variant}" - 0: 0%....100% - 7 passes\n')
        print(json.dumps({"variant": variant, "correct": True}))
    log.write("==PROF== Disconnected from process 42\n")
    line(about + names)
    line([""] * len(about)
         + ["ns" if "time" in name else "" for name in names])
    profiled = launches[mode == "short":]
    if mode == "several":
        profiled = [name for v in launches for name in (v, "another launch")]
    for number, variant in enumerate(profiled):
        row = values.get(variant, {})
        cells = ["" if name == unknown else f"{row.get(name, 0):,}"
                 for name in names]
        line([number, 42, "program", "127.0.0.1", "kernel", 1, 7,
              "(256, 1, 1)", "(64, 1, 1)", 0, "9.0"] + cells)
    return 0


if __name__ == "__main__":
    sys.exit(main())
