#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""each_nvcc.py REGDEM_NVCC CMAKE RUNTIME TOOLKIT...: builds programs with the nvcc
of each toolkit, in three ways, and starts them. Each has to launch its kernels,
and their frames have to move; the program with relocatable code keeps them.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

INPUTS = Path(__file__).resolve().parent
LAUNCHES = {"kernels": ("_Z4oncePiPKi grid 1 1 1 block 64", "_Z5twicePiPKi grid 2 1 1 block 32"),
            "project": ("_Z5firstPiPKi grid 1 1 1 block 64", "_Z6secondPi grid 2 1 1 block 32")}


class Builds:
    """By one toolkit, in one folder."""

    def __init__(self, nvcc, cmake, runtime, toolkit, folder):
        self.nvcc, self.cmake, self.runtime, self.folder = nvcc, cmake, runtime, folder
        paths = [f"{toolkit}/bin", os.environ["PATH"]]
        self.environment = {**os.environ, "PATH": os.pathsep.join(paths),
                            "REGDEM_REMARKS": "1", "CUDA_PATH": str(toolkit)}
        self.environment.pop("CUDA_HOME", None)

    def run(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
        return done.stdout

    def compile(self, *arguments):
        return self.run(self.nvcc, "-arch=sm_90", *arguments)

    def plain(self):
        return self.compile(INPUTS / "kernels.cu", "-cudart", "none", self.runtime,
                            "-o", "program")

    def objects(self):
        said = self.compile("-DAPART", "-rdc=true", "-c", INPUTS / "kernels.cu",
                            "-o", "kernels.o")
        said += self.compile("-rdc=true", "-c", INPUTS / "other.cu", "-o", "other.o")
        self.compile("-dlink", "kernels.o", "other.o", "-o", "device.o")
        self.compile("kernels.o", "other.o", "device.o", "-cudart", "none", "-cudadevrt",
                     "none", self.runtime, "-o", "program")
        return said

    def project(self):
        shutil.copytree(INPUTS / "project", self.folder / "source")
        found = self.run(self.cmake, "-G", "Ninja", "-S", "source", "-B", ".",
                         "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CUDA_COMPILER={self.nvcc}",
                         "-DCMAKE_CUDA_ARCHITECTURES=90", "-DCMAKE_CUDA_RUNTIME_LIBRARY=None",
                         f"-DRUNTIME={self.runtime}")
        if "The CUDA compiler identification is NVIDIA" not in found:
            sys.exit(found)
        return self.run(self.cmake, "--build", ".", "--", "-v")


def main():
    nvcc, cmake, runtime, *toolkits = sys.argv[1:]
    for toolkit in map(Path, toolkits):
        for way, kernels, moved in (("plain", "kernels", 2), ("objects", "kernels", 0),
                                    ("project", "project", 1)):
            folder = Path(toolkit.name) / way
            folder.mkdir(parents=True)
            builds = Builds(nvcc, cmake, runtime, toolkit, folder)
            said = getattr(builds, way)()
            launched = builds.run("./program")
            count = said.count("moved from local to shared memory")
            if count != moved or any(f"launch {its}" not in launched
                                     for its in LAUNCHES[kernels]):
                sys.exit(f"{toolkit.name}, {way}:\n{said}\n{launched}")
            print(f"{toolkit.name}, {way}: {count} moved")


main()
