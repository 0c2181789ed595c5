#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that what runs on machines where nothing can be installed needs
nothing but Python: starts it without any installed package (-S).

usage: standard_library.py PROJECT
"""

import subprocess
import sys
from pathlib import Path

SCRIPTS = (
    "benchmarks/run.py",
    "benchmarks/programs/run.py",
    "benchmarks/programs/programs.py",
    "benchmarks/sanitize.py",
    "benchmarks/build_variants.py",
    "benchmarks/demo.py",
    "benchmarks/report.py",
    "benchmarks/compile_cost.py",
    "scripts/check-real-code.py",
    "test/fuzz/run.py",
    "test/fuzz/campaign.py",
    "test/fuzz/moved.py",
    "test/fuzz/reduce.py",
    "test/promises/run.py",
)
BARE = [sys.executable, "-S", "-E", "-s", "-B"]


def start(command):
    """What a program wrote to standard error if it failed, else None."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr.strip() or "failed" if done.returncode else None


def faults(project):
    for name in SCRIPTS:
        if error := start([*BARE, project / name, "--help"]):
            yield f"{name}: {error}"
    modules = [*project.glob("benchmarks/harness/*.py"),
               *project.glob("tools/common/regdem_common/*.py"),
               *project.glob("tools/regdem-*/app/regdem_*/cli.py")]
    for path in sorted(modules):
        folders = [str(path.parent.parent), str(project / "tools/common")]
        code = (f"import sys; sys.path[:0] = {folders!r}; "
                f"import {path.parent.name}.{path.stem}")
        if error := start([*BARE, "-c", code]):
            yield f"{path.relative_to(project)}: {error}"


def main():
    found = list(faults(Path(sys.argv[1]).resolve()))
    for fault in found:
        print(f"error: {fault}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
