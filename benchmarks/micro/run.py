#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the microbenchmarks on this machine's GPU and keeps what they print.

Writes latencies.txt, slot_width.txt, code_size.txt, constant_turns.txt and, where Nsight Compute may read the
GPU's counters, bank_conflicts.txt, and prints them. Compiles the programs
with nvcc first unless --programs names a folder that holds them (the CMake
target bench-micro makes one). Exit code 1 if something could not be measured.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness import gpu
from regdem_common import ncu
from regdem_common.metrics import METRICS
from regdem_common.process import ToolError, run

PROGRAMS = ("latencies", "slot_width", "code_size", "constant_turns")
TIMEOUT = 120  # seconds for one program
CONFLICTS = {
    "launched": METRICS["time_ns"][0],
    "load conflicts": METRICS["conflicts_ld"][0],
    "store conflicts": METRICS["conflicts_st"][0],
    "shared passes": METRICS["shared_wavefronts"][0],
}


def call(command):
    """What the command printed. Raises ToolError."""
    code, output, errors = run(command, TIMEOUT)
    if code:
        text = (errors or output).strip().splitlines() or ["failed"]
        raise ToolError(f"{Path(command[0]).name}: {text[-1]}")
    return output


def compile_command(nvcc, arch, name, out):
    return [nvcc, "-std=c++17", "-O3", f"-arch={arch}",
            HERE / f"{name}.cu", "-o", out / name]


def conflict_table(text, rows):
    """Bank conflicts of each launch. `text`: what slot_width --once printed, a
    line per launch; `rows`: ncu's, in the same order. Raises ToolError."""
    names = re.findall(r"^(.*) (loads|stores)$", text, re.MULTILINE)
    if len(names) != len(rows):
        raise ToolError(f"{len(rows)} of {len(names)} launches were profiled")
    kinds = [k for k in CONFLICTS if k != "launched"]
    lines = [["bits, parts", "access", *kinds]] + [
        [name, access] + [
            "" if row.get(CONFLICTS[k]) is None
            else f"{row[CONFLICTS[k]]:.0f}" for k in kinds
        ]
        for (name, access), row in zip(names, rows)
    ]
    form = "{:14}{:8}" + "{:>17}" * len(kinds)
    return "\n".join(form.format(*line).rstrip() for line in lines)


def bank_conflicts(tool, program):
    """The table, measured. Raises ToolError."""
    command = [program, "--once"]
    names = ncu.known_metrics(tool, list(CONFLICTS.values()), command, TIMEOUT)
    rows, _, text = ncu.profile(tool, names, command, TIMEOUT)
    return conflict_table(text, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--programs", type=Path, metavar="DIR")
    parser.add_argument("--nvcc", default="nvcc", metavar="PROGRAM")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--ncu", metavar="PROGRAM")
    options = parser.parse_args()
    if not gpu.present():
        sys.exit("error: no CUDA device on this machine")
    options.out.mkdir(parents=True, exist_ok=True)
    errors = []

    def keep(name, produce):
        try:
            text = produce()
        except ToolError as error:
            errors.append(str(error))
            return
        (options.out / f"{name}.txt").write_text(text.rstrip() + "\n")
        print(text.rstrip() + "\n", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        programs = options.programs or Path(folder)
        for name in PROGRAMS:
            def produce(name=name):
                if not options.programs:
                    call(compile_command(options.nvcc, options.arch, name,
                                         programs))
                return call([programs.resolve() / name])
            keep(name, produce)
        tool = ncu.find(options.ncu)
        if not tool:
            print("note: no ncu, hence no count of bank conflicts")
        elif (programs / "slot_width").exists():
            program = programs.resolve() / "slot_width"
            keep("bank_conflicts", lambda: bank_conflicts(tool, program))
    for line in errors:
        print(f"error: {line}")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
