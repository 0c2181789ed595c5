#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dockerfile-in-root.py ROOT [COMMAND...]: does what the Dockerfile says in ROOT,
where debootstrap has put its `FROM debian:12`, with chroot in docker's place, and
prints how long each step takes; then runs COMMAND there. For machines without a
docker daemon. Needs to be root. Ends with the status of what fails."""

import re
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


def steps(text):
    """(instruction, rest) of each step, continued lines joined."""
    joined = re.sub(r"\\\n\s*", "", text)
    lines = (line for line in joined.splitlines() if line and line[0] != "#")
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def ignored():
    return (PROJECT / ".dockerignore").read_text().split()


class Root:
    def __init__(self, path):
        self.path, self.folder, self.settings = path, "/", {}

    def call(self, command):
        """Runs a bash command; ends this program if it fails."""
        words = [f"{k}={v}" for k, v in self.settings.items()]
        # Docker gives a container no variables of the caller.
        done = subprocess.run(
            ["chroot", self.path, "env", "-i", "HOME=/root",
             "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", *words,
             "bash", "-euo", "pipefail", "-c", f"cd {self.folder} && {command}"], check=False)
        if done.returncode:
            sys.exit(done.returncode)

    def copy(self, source, target):
        there = Path(f"{self.path}{target}")
        there.mkdir(parents=True, exist_ok=True)
        left_out = [f"--exclude=./{name}" for name in ignored()]
        with subprocess.Popen(["tar", "-C", PROJECT / source, "-cf", "-", *left_out, "."],
                              stdout=subprocess.PIPE) as pack:
            subprocess.run(["tar", "-C", there, "-xf", "-", "--no-same-owner"],
                           stdin=pack.stdout, check=True)

    def do(self, word, rest):
        if word == "RUN":
            self.call(rest)
        elif word == "COPY":
            self.copy(*rest.split())
        elif word == "WORKDIR":
            self.folder = rest
        elif word == "ENV":
            name, _, value = rest.partition("=")
            value = value.replace("$PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:"
                                  "/sbin:/bin")
            self.settings[name] = value
        elif word not in ("FROM", "SHELL"):
            sys.exit(f"{word}: a step that this program does not know")


def main():
    root, command = Root(sys.argv[1]), sys.argv[2:]
    for word, rest in steps((PROJECT / "Dockerfile").read_text()):
        started = time.monotonic()
        root.do(word, rest)
        print(f"{time.monotonic() - started:7.1f} s  {word} {rest[:70]}", flush=True)
    if command:
        root.call(" ".join(command))


if __name__ == "__main__":
    main()
