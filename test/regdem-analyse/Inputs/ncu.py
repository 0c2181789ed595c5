#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for ncu: runs the program that it is given, and writes the log that
FAKE_NCU asks for: a recorded file, `denied`, `none` (no kernel), `busy` (the
driver refuses), `unknown` (a counter that this GPU does not have ends the run)
or `crash` (nothing at all). FAKE_ARGUMENTS: a file for its command line."""

import os
import subprocess
import sys
from pathlib import Path

UNKNOWN = "sass__inst_executed_register_spilling_mem_local"
DENIED = ("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access "
          "NVIDIA GPU Performance Counters on the target device 0.\n")
BUSY = ("==ERROR== Profiling failed because a driver resource was unavailable. Ensure "
        "that no other tool (like DCGM) is concurrently collecting profiling data.\n")


def main():
    words = sys.argv[1:]
    if "FAKE_ARGUMENTS" in os.environ:
        Path(os.environ["FAKE_ARGUMENTS"]).write_text("\n".join(words))
    start = 0
    while words[start].startswith("--"):
        start += 1 if words[start] == "--csv" else 2
    options, program = words[:start], words[start:]
    log = Path(options[options.index("--log-file") + 1])
    asked = options[options.index("--metrics") + 1].split(",")
    mode = os.environ["FAKE_NCU"]
    if mode == "crash":
        print("ncu: out of memory", file=sys.stderr)
        return 9
    text = {"denied": DENIED, "busy": BUSY,
            "none": "==WARNING== No kernels were profiled.\n"}.get(mode)
    if text is None and mode == "unknown" and UNKNOWN in asked:
        text = f"==ERROR== Failed to find metric {UNKNOWN}\n"
    status = subprocess.run(program, check=False).returncode
    if text is None:
        file = "stock.csv" if mode == "unknown" else mode
        text = (Path(__file__).parent / file).read_text()
    if status:
        text = f"==ERROR== The application returned an error code ({status}).\n{text}"
    log.write_text(text)
    return 1 if "==ERROR==" in text else 0


if __name__ == "__main__":
    sys.exit(main())
