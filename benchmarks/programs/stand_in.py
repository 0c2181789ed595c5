#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands where a program's build expects nvcc:

    stand_in.py VARIANT.json nvcc's words…

The JSON file says what to run instead: {"kind": "nvcc" or "clang", "compiler",
"flags", "arch", "cuda", "nvcc"}. Each compilation of device code adds a
line to the file PROGRAMS_LOG: sources, processor time (seconds, of all processes), exit code.
"""

import json
import os
import subprocess
import sys
import time

import nvcc_options

# CMake asks the compiler for its name and libraries with files of its own.
QUESTIONS = ("CMakeCUDACompilerId", "CMakeCUDACompilerABI", "CMakeScratch",
             "CMakeTmp", "CompilerIdCUDA", "__cmake_determine_cuda")


def is_question(words, folder):
    text = " ".join([folder, *words])
    return any(name in text for name in QUESTIONS) or any(
        w in ("--version", "-V", "--help", "--dryrun", "-dryrun", "--list-gpu-code")
        for w in words)


def command(variant, words, folder):
    """The command line in nvcc's place."""
    if is_question(words, folder):
        return [variant["nvcc"], *words]
    if nvcc_options.is_device_link(words):
        return ["g++", "-x", "c", "-c", "/dev/null", "-o", nvcc_options.output(words)]
    if variant["kind"] == "nvcc":
        return [variant["compiler"],
                *nvcc_options.for_nvcc(words, variant["arch"]), *variant["flags"]]
    flags = variant["flags"] if nvcc_options.sources(words) else []
    return [variant["compiler"], *flags,
            *nvcc_options.for_clang(words, variant["arch"], variant["cuda"])]


def run(line):
    """(exit code, seconds of processor time, seconds) of a command."""
    begin = time.monotonic()
    process = subprocess.Popen(line)
    _, status, usage = os.wait4(process.pid, 0)
    return (os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime,
            time.monotonic() - begin)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        variant = json.load(file)
    words, folder = sys.argv[2:], os.getcwd()
    line = command(variant, words, folder)
    code, cpu, wall = run(line)
    sources = nvcc_options.sources(words)
    log_path = os.environ.get("PROGRAMS_LOG")
    if log_path and not is_question(words, folder):
        entry = {"sources": sources, "cpu": round(cpu, 3), "wall": round(wall, 3),
                 "code": code, "folder": folder, "command": line}
        with open(log_path, "a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")
    sys.exit(code if code >= 0 else 1)


if __name__ == "__main__":
    main()
