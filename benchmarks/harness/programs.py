# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host programs: building them with CMake and running them."""

import json
import subprocess

from . import catalog
from .toolchain import run


def build(folder, cuda, benchmarks=(), jobs=2):
    """Builds the host programs (all, or those of `benchmarks`) under
    `folder`; returns the folder that holds one program per benchmark id."""
    run(
        ["cmake", "-S", str(catalog.ROOT), "-B", str(folder)]
        + ["-DCMAKE_BUILD_TYPE=Release", f"-DBENCH_CUDA_PATH={cuda}"]
    )
    targets = [f"bench_{b.id}" for b in benchmarks] or ["bench-programs"]
    run(
        ["cmake", "--build", str(folder), "-j", str(jobs), "--target"]
        + targets
    )
    return folder / "programs"


def command(program, cubins, options=()):
    """Command line that runs the host program on (family, name, path)
    triples, in this order."""
    line = [str(program)]
    for family, name, path in cubins:
        line += ["--cubin", f"{family}:{name}={path}"]
    return line + list(options)


def manifest_command(root, kernel, entries, options=()):
    """The same for entries of a kernel of the manifest in the folder root."""
    return command(root / kernel["program"],
                   [(v["family"], v["name"], root / v["cubin"])
                    for v in entries], options)


def measure(line, timeout=600):
    """Runs a command line of a host program.

    Returns (rows, error): the JSON objects it printed and "" or what went
    wrong. A wrong result is in the rows and is no error here.
    """
    try:
        done = subprocess.run(
            line, capture_output=True, text=True, timeout=timeout
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return [], str(error)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    failed = done.returncode not in (0, 1) or not rows
    return rows, (done.stderr.strip() or "no output") if failed else ""
