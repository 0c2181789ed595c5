#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What this machine has that some tests need.

lit.cfg.py asks for all features at once; ctest runs this file for each, so
that one that is missing shows up as a skipped test (exit status 77), and as
a failed one where REGDEM_REQUIRE, a list divided by commas, names it.
"""

import argparse
import os
import shutil
import subprocess
import sys

# Front ends in Python: a test that there is one that the tests can use.
FRONT_ENDS = {
    "triton": "import triton; assert int(triton.__version__.split('.')[1]) >= 7"
              " or int(triton.__version__.split('.')[0]) > 3",
    "numba-cuda": "import numba.cuda; numba.cuda.compile",
}


def interpreter(front_end):
    """A Python that has the front end, or '': REGDEM_PYTHON, a list of
    interpreters divided by colons, or this one."""
    stated = os.environ.get("REGDEM_PYTHON", sys.executable)
    for python in stated.split(os.pathsep):
        try:
            done = subprocess.run([python, "-c", FRONT_ENDS[front_end]],
                                  stdin=subprocess.DEVNULL, timeout=120,
                                  capture_output=True, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return python
    return ""


def nvdisasm(cuda):
    """Path of the disassembler: the toolkit's, or bootstrap.sh's; or ''."""
    local = os.path.join(os.path.dirname(__file__), "..", ".cuda", "nvdisasm")
    for folder in (os.path.join(cuda, "bin") if cuda else local, local):
        path = os.path.abspath(os.path.join(folder, "nvdisasm"))
        if os.access(path, os.X_OK):
            return path
    return ""


def present(cuda, clang):
    """Names of the features that a toolkit in `cuda` and `clang` give."""
    found = {"nvdisasm"} if nvdisasm(cuda) else set()
    for program in ("ptxas", "nvcc"):
        if cuda and os.access(os.path.join(cuda, "bin", program), os.X_OK):
            found.add(program)
    if "ptxas" in found:
        header = os.path.join(cuda, "include", "cuda_runtime.h")
        if os.path.exists(header) and clang and shutil.which(clang):
            found.add("clang-cuda")
    found |= {name for name in ("ccache", "sccache") if shutil.which(name)}
    found |= {name for name in FRONT_ENDS if interpreter(name)}
    if os.path.exists("/dev/nvidiactl") and "clang-cuda" in found:
        found.add("gpu")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("feature",
                        choices=("ptxas", "nvdisasm", "nvcc", "clang-cuda",
                                 "gpu", *FRONT_ENDS))
    parser.add_argument("--cuda", default="")
    parser.add_argument("--clang", default="")
    options = parser.parse_args()
    if options.feature in present(options.cuda, options.clang):
        print(f"{options.feature}: present")
        return 0
    hint = " (REGDEM_PYTHON states a Python that has it)"
    print(f"{options.feature}: missing; tests that require it are skipped"
          f"{hint * (options.feature in FRONT_ENDS)}")
    required = os.environ.get("REGDEM_REQUIRE", "").split(",")
    return 1 if options.feature in required else 77


if __name__ == "__main__":
    sys.exit(main())
