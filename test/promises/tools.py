# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that build, and a record of what was run."""

import os
import re
import shlex
import subprocess
from dataclasses import dataclass

from cubin import Unreadable


class ToolFailure(Exception):
    """A tool failed, with its messages."""


@dataclass(frozen=True)
class Toolchain:
    """Paths. build: RegDem's build folder; cuda: the toolkit."""

    build: str
    cuda: str
    clang: str
    arch: str = "sm_90"
    limit: int = 600  # seconds a tool may take

    def cuda_program(self, name):
        return os.path.join(self.cuda, "bin", name)

    def regdem(self, name):
        return os.path.join(self.build, "bin", name)

    def clang_cuda(self):
        return [self.clang, "-x", "cuda", "-O3", f"--cuda-path={self.cuda}",
                "-I", f"{self.cuda}/include/cccl", "-Wno-unknown-cuda-version",
                "-Wno-pass-failed", f"--cuda-gpu-arch={self.arch}"]

    def plugin(self, options):
        """clang's arguments for the plugin and its options, by name."""
        arguments = [f"-fpass-plugin={self.build}/lib/RegDem.so"]
        for name, value in {"jobs": 1, **options}.items():
            arguments += ["-mllvm", f"-regdem-{name}={value}"]
        return arguments


class Workshop:
    """Runs tools in a folder, where commands.sh then has what was run."""

    def __init__(self, tools, folder):
        self.tools = tools
        self.folder = folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, command, **environment):
        """The tool's messages. environment: laid over this process's own."""
        settings = {"REGDEM_CACHE_DIR": "off", **environment}
        with open(self.path("commands.sh"), "a", encoding="utf-8") as file:
            words = [f"{name}={value}" for name, value in settings.items()]
            print("env", shlex.join(words + command), file=file)
        done = subprocess.run(command, cwd=self.folder, text=True, check=False,
                              env={**os.environ, **settings},
                              timeout=self.tools.limit,
                              capture_output=True)
        if done.returncode:
            raise ToolFailure((done.stderr + done.stdout).strip()[-2000:])
        return done.stderr + done.stdout


ENTRY = re.compile(r"Compiling entry function '(\S+)'")
FRAME = r"Function properties for {}\n\s+(\d+) bytes stack frame"
USED = re.compile(r"Used (\d+) registers.*")
SHARED = re.compile(r"(\d+) bytes smem")


def said_by_ptxas(messages):
    """{kernel: (registers, shared, frame)} as `ptxas -v` says."""
    _, *parts = ENTRY.split(messages)
    found = {}
    for name, text in zip(parts[::2], parts[1::2]):
        used = USED.search(text)
        shared = SHARED.search(used[0])
        frame = re.search(FRAME.format(re.escape(name)), text)
        found[name] = (int(used[1]), int(shared[1]) if shared else 0,
                       int(frame[1]))
    return found


def check_reader(figures, messages):
    """Raises Unreadable unless ptxas says what cubin.kernels() has read."""
    read = {name: (f.registers, f.shared, f.frame) for name, f in figures.items()}
    said = said_by_ptxas(messages)
    if read != said:
        raise Unreadable(f"read {read}, but ptxas says {said}")
