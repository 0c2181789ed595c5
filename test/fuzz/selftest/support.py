"""Kernels written by hand, in the place of generated ones."""

import os
import shutil
import subprocess

from driver.toolchain import Toolchain

OUT_WORDS = 64


class Family:
    contract = "off"


class HandWritten:
    """A kernel 'k' of 64 threads, one output word each, from its body. 'lin'
    is the thread's index."""

    name = "k"
    seed = 1
    family = Family()

    def __init__(self, body):
        self.body = body

    def text(self):
        return ("extern \"C\" __global__ void k(const u32 *in, u32 *out, u32 n)"
                " {\n  const u32 lin = fz_linear();\n" + self.body + "\n}\n")

    def metadata(self):
        return {"kernel": "k", "block": [64, 1, 1], "grid": [1, 1, 1],
                "in_words": 4096, "out_words": OUT_WORDS, "n": 5, "seed": 1}


def tools():
    clang = os.environ.get("REGDEM_CLANG") or shutil.which("clang++-22")
    return Toolchain(clang, "ptxas", limit=60)


def build_fake_driver(folder):
    """libcuda.so.1 in the folder; see fake_cuda.cpp."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                          "fake_cuda.cpp")
    subprocess.run(["g++", "-std=c++17", "-shared", "-fPIC", "-Wall",
                    "-Werror", source, "-o",
                    os.path.join(folder, "libcuda.so.1")], check=True)
