#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What RegDem costs when the files of a code base are compiled.

Takes the compile_commands.json of a build by clang (CMake writes it with
-DCMAKE_EXPORT_COMPILE_COMMANDS=ON), compiles each file without and with RegDem,
into nothing, and prints clang's processor time in seconds, host code included,
its peak memory in MiB, and the ratios of RegDem's to them. Memory is that of
the largest process. A file that clang does not compile, or that takes longer
than the limit, is named and left out; exit status 1 if that is one with RegDem.
"""

import argparse
import json
import os
import shlex
import signal
import statistics
import subprocess
import sys
import threading
from pathlib import Path

from reporting import tables


def words_of(entry):
    """The command of an entry, which writes nothing."""
    words = list(entry.get("arguments") or shlex.split(entry["command"]))
    if "-o" in words:
        at = words.index("-o")
        del words[at:at + 2]
    return [*words, "-o", os.devnull]


def run(words, folder, limit):
    """(exit status, processor seconds, MiB) of a command and what it starts;
    ended after `limit` seconds."""
    process = subprocess.Popen(words, cwd=folder, start_new_session=True,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    timer = threading.Timer(limit, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return (process.returncode, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024)


def measure(entries, extra, limit):
    """Rows of the table, and the files that are left out, with the reason."""
    rows, failed = [], []
    for entry in entries:
        words, name = words_of(entry), Path(entry["file"]).name
        folder = entry.get("directory", ".")
        status, cpu, memory = run(words, folder, limit)
        if status:
            failed.append(f"{name}: clang does not compile it")
            continue
        status, its_cpu, its_memory = run([*words, *extra], folder, limit)
        if status:
            failed.append(f"{name}: with RegDem exit status {status}")
            continue
        rows.append((name, cpu, memory, its_cpu / cpu, its_memory / memory))
        print(f"{name} done", file=sys.stderr)
    return rows, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commands", type=Path, metavar="compile_commands.json")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--only", default="", help="in the file's path")
    parser.add_argument("--flag", action="append", default=[], help="of RegDem")
    parser.add_argument("--limit", type=float, default=900, help="seconds")
    options = parser.parse_args()
    entries = [entry for entry in json.loads(options.commands.read_text())
               if options.only in entry["file"]]
    extra = [f"-fpass-plugin={Path(options.plugin).resolve()}"]
    for flag in ["cache=off", *options.flag]:
        extra += ["-mllvm", f"-regdem-{flag}"]
    rows, failed = measure(entries, extra, options.limit)
    header = "file cpu MiB cpu-ratio MiB-ratio".split()
    print(tables.plain(header, [
        [name, f"{cpu:.2f}", f"{memory:.0f}", f"{cpu_ratio:.2f}",
         f"{memory_ratio:.2f}"]
        for name, cpu, memory, cpu_ratio, memory_ratio in rows
    ], left=(0,)))
    for column, what in (3, "cpu"), (4, "memory"):
        ratios = [row[column] for row in rows]
        if ratios:
            print(f"{what} {statistics.median(ratios):.2f} in the median, "
                  f"{max(ratios):.2f} at most")
    print("\n".join(failed))
    sys.exit(any("with RegDem" in line for line in failed))


if __name__ == "__main__":
    main()
