#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of the folder it lies in (see programs.py pack).

Needs Python 3 and a CUDA driver. Round after round, each program runs once with
each variant, one after the other, under a library that times every kernel. The
first round's output is compared with that of the variant's stock compiler.
Writes results.json. Exit code 1 if a run failed or a result differs.
"""

import argparse
import functools
import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import outputs
import times


KEPT = 4000  # characters of each first round's stdout that results.json keeps


def environment(root, record):
    library = root / "lib"
    return {**os.environ,
            "LD_LIBRARY_PATH": f"{library}:/usr/local/cuda/lib64:"
                               f"{os.environ.get('LD_LIBRARY_PATH', '')}",
            "CUDA_INJECTION64_PATH": str(library / "libKernelTimes.so"),
            "REGDEM_KERNEL_TIMES": str(record), "LC_ALL": "C"}


def shell(text, folder, timeout, variables=None):
    """(what went wrong or "", stdout, seconds)."""
    begin = time.monotonic()
    try:
        done = subprocess.run(
            ["bash", "-c", text], cwd=folder, env=variables, timeout=timeout,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace", stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"not done after {timeout} s", "", timeout
    fault = ""
    if done.returncode:
        fault = f"exit code {done.returncode}: {done.stderr[-500:]}{done.stdout[-300:]}"
    return fault, done.stdout, time.monotonic() - begin


class Runner:
    def __init__(self, root, scratch, timeout):
        self.root, self.scratch, self.timeout = root, scratch, timeout

    def prepare(self, program):
        """The folder with all inputs; an error's text second."""
        place = self.scratch / program["name"] / "inputs"
        shutil.rmtree(place.parent, ignore_errors=True)
        given = self.root / "programs" / program["name"] / "inputs"
        if given.is_dir():
            shutil.copytree(given, place)
        else:
            place.mkdir(parents=True)
        if program["prepare"]:
            fault, _, _ = shell(program["prepare"], place, 120)
            return place, fault
        return place, ""

    def run(self, program, variant, inputs):
        """One run: {"error"} or {"kernels", "wall", "stdout", "files"}."""
        folder = self.scratch / program["name"] / variant
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for entry in inputs.iterdir():
            (folder / entry.name).symlink_to(entry)
        record = folder.with_suffix(".times")
        record.unlink(missing_ok=True)
        binaries = self.root / "programs" / program["name"] / variant
        fault, stdout, wall = shell(
            program["run"].replace("{bin}", str(binaries)), folder,
            min(program["timeout"], self.timeout), environment(self.root, record))
        if not record.exists():
            return {"error": fault or "no kernel was timed"}
        kernels, lost = times.read(record.read_text(errors="replace"))
        if not kernels or lost:
            return {"error": fault or f"{len(kernels)} kernels, {lost} records lost"}
        files = {}
        for name in program["outputs"]:
            path = folder / name
            files[name] = path.read_text(errors="replace") if path.exists() else None
        stdout = stdout.replace(str(binaries), "{bin}")
        return {"kernels": kernels, "wall": round(wall, 4), "stdout": stdout,
                "files": files, "error": fault}


def compare(program, runs):
    """{variant: what differs from its stock compiler's output}, and what
    differs between the stock compilers."""
    found = {}
    for variant, run in runs.items():
        base = program["variants"][variant]["base"]
        if base in runs:
            found[variant] = outputs.difference(runs[base], run, program["ignore"],
                                                program["tolerance"])
    between = ""
    if {"nvcc", "clang"} <= set(runs):
        between = outputs.difference(runs["nvcc"], runs["clang"], program["ignore"],
                                     program["between"])
    return {v: d for v, d in found.items() if d}, between


def begin(runner, program, variants):
    """The program's entry of results.json, and the folder with its inputs."""
    inputs, fault = runner.prepare(program)
    return {"name": program["name"], "rounds": {v: [] for v in variants},
            "errors": {v: f"inputs: {fault}" for v in variants} if fault else {},
            "differs": {}, "between": "", "stdout": {}}, inputs


def add_round(runner, program, entry, inputs, number):
    """One run of each variant. Each round begins with another variant, so that
    none always follows the same one."""
    runs, variants = {}, list(entry["rounds"])
    turn = number % len(variants)
    for variant in variants[turn:] + variants[:turn]:
        if variant in entry["errors"]:
            continue
        run = runner.run(program, variant, inputs)
        if run["error"]:
            entry["errors"][variant] = run["error"]
            continue
        runs[variant] = run
        entry["rounds"][variant].append(
            {"kernels": run["kernels"], "wall": run["wall"]})
    if number == 0:
        entry["differs"], entry["between"] = compare(program, runs)
        entry["stdout"] = {v: run["stdout"][:KEPT] for v, run in runs.items()}


@functools.cache
def device():
    program = shutil.which("nvidia-smi")
    if not program:
        return "unknown"
    done = subprocess.run([program, "--query-gpu=name,driver_version",
                           "--format=csv,noheader"], capture_output=True, text=True)
    return done.stdout.strip()


def write(out, manifest, entries):
    result = {"device": device(), "programs": [e for e, _ in entries.values()],
              "manifest": manifest["programs"]}
    (out / "results.json").write_text(json.dumps(result) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    here = Path(__file__).resolve().parent
    parser.add_argument("names", nargs="*", help="programs (default: all)")
    parser.add_argument("--folder", type=Path, default=here)
    parser.add_argument("--out", type=Path, default=here)
    parser.add_argument("--scratch", type=Path, default=Path("/tmp/regdem-programs"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--variants", nargs="*", help="only these")
    parser.add_argument("--held-out", action="store_true",
                        help="those that are held out, and no others")
    parser.add_argument("--budget", type=float, default=1e9, metavar="SECONDS",
                        help="begin no run after that")
    parser.add_argument("--timeout", type=float, default=1e9, metavar="SECONDS",
                        help="of one run, at most; beside the table's")
    options = parser.parse_args()
    manifest = json.loads((options.folder / "manifest.json").read_text())
    options.out.mkdir(parents=True, exist_ok=True)
    runner = Runner(options.folder.resolve(), options.scratch, options.timeout)
    chosen = [p for p in manifest["programs"]
              if (not options.names or p["name"] in options.names)
              and p["held_out"] == options.held_out]
    started, entries = time.monotonic(), {}
    for number, program in itertools.product(range(options.rounds), chosen):
        if time.monotonic() - started > options.budget:
            print(f"no time left: round {number + 1}, {program['name']}", flush=True)
            break
        name = program["name"]
        if number == 0:
            entries[name] = begin(runner, program, [
                v for v in program["variants"]
                if not options.variants or v in options.variants])
        add_round(runner, program, *entries[name], number)
        if number in (0, options.rounds - 1):
            print(f"{name}: {times.summary(entries[name][0])}", flush=True)
        write(options.out, manifest, entries)
    shutil.rmtree(options.scratch, ignore_errors=True)
    entries = [entry for entry, _ in entries.values()]
    bad = [e for e in entries if e["errors"] or e["differs"]]
    sys.exit(1 if bad or not entries else 0)


if __name__ == "__main__":
    main()
