#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py SCRATCH SOURCE BUILD CLANG CUDA DOCUMENT...: runs the commands that
documents show, which stand in blocks marked `sh`, in a folder that has what they
name; those marked `console` need programs that are not there. Remarks in a block marked `text` right after them must be printed, but for
their numbers. Commands that other tests run are left out: those of COVERED."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

# How a command starts, the test that runs its like, and what that has to hold.
COVERED = {
    "scripts/test.sh": (".ci/run", "scripts/test.sh"),
    "scripts/demo.sh": ("test/install/programs.test", "demo.sh"),
    "cmake --preset": ("scripts/test.sh", 'cmake --preset "$preset"'),
    "apt-get install": ("test/install/package.test", "package.sh %t/regdem_"),
    "cmake -S": ("test/install/find-package.test", "%cmake -G Ninja -S"),
    "build/bin/regdem-analyse --report": ("test/regdem-analyse/runs-a-program.test",
                                          "%regdem-analyse %{ncu} --save-csv"),
    "REGDEM_LAUNCH=measure": ("test/Host/chooses.cu", "env REGDEM_LAUNCH=measure"),
    "python3 test/Finish/on_gpu.py": ("test/Finish/on-gpu-without-gpu.test", "on_gpu.py"),
    "regdem-tune": ("test/regdem-tune/clang.cu", "%regdem-tune --build"),
}
FENCE = re.compile(r"^```(.*)$")
REST = "int main() { return 0; }\n"


def blocks(text):
    """(mark, lines) of each block of code."""
    mark, lines = None, []
    for line in text.splitlines():
        fence = FENCE.match(line)
        if fence and mark is None:
            mark, lines = fence[1], []
        elif fence:
            yield mark, lines
            mark = None
        elif mark is not None:
            lines.append(line)


def commands(lines):
    """Commands of a block, without comments, continued lines joined."""
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    found = (re.sub(r"\s{2,}#.*", "", line).strip() for line in joined.splitlines())
    return [command for command in found if command]


def covered(command, source):
    for start, (test, text) in COVERED.items():
        if command.startswith(start):
            if text not in (source / test).read_text():
                sys.exit(f"run.py: {test} runs no {text}")
            return True
    return False


def prepare(folder, source, build):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "scripts").symlink_to(source / "scripts")
    (folder / "examples").symlink_to(source / "examples")
    (folder / "benchmarks").symlink_to(source / "benchmarks")
    (folder / "build").symlink_to(build)
    shutil.copy(source / "examples" / "chase.cu", folder / "app.cu")
    shutil.copy(source / "examples" / "stencil.cu", folder / "kernel.cu")
    (folder / "rest.cu").write_text(REST)
    recorded = source / "test/regdem-analyse/Inputs"
    shutil.copy(recorded / "regdem.csv", folder / "counters.csv")
    shutil.copy(recorded / "stock.csv", folder / "stock.csv")
    (folder / "launches.jsonl").write_text(
        '{"event":"settled","kernel":"_Z5chasePKiPKfPfi","block":[256,1,1],'
        '"dynamic_smem":0,"grid":[9,1,1],"build":0,"kernel_ms":1,"build_ms":2}\n',
        encoding="utf-8")


def numberless(text):
    return re.sub(r"\d+(\.\d+)?", "N", text)


def main():
    folder, source, build = map(Path, sys.argv[1:4])
    clang, cuda = sys.argv[4:6]
    ran = 0
    lost = {f"docs/{p.name}" for p in (source / "docs").glob("*.md")} - set(sys.argv[6:])
    if lost:
        sys.exit(f"run.py: name {', '.join(sorted(lost))}, too")
    for name in sys.argv[6:]:
        prepare(folder, source, build)
        output = ""
        for mark, lines in blocks((source / name).read_text()):
            if mark == "sh":
                wanted = [c for c in commands(lines) if not covered(c, source)]
                script = "\n".join(wanted).replace("clang++-22", f'"{clang}"')
                script = script.replace("/usr/local/cuda", cuda)
                run = subprocess.run(
                    ["bash", "-euo", "pipefail", "-c", script], cwd=folder, text=True,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                output = run.stdout
                if run.returncode:
                    sys.exit(f"{name}: status {run.returncode}\n{script}\n{output}")
                ran += len(wanted)
            elif mark == "text":
                for line in lines:
                    shown = numberless(line.partition("…")[0])
                    if "remark:" in line and shown not in numberless(output):
                        sys.exit(f"{name}: not printed: {line}\n{output}")
            elif not mark or mark not in ("cmake", "cuda", "json", "python", "yaml", "console"):
                sys.exit(f"{name}: block without a mark: {lines[:1]}")
    print(f"{ran} commands")


if __name__ == "__main__":
    os.environ.pop("LD_PRELOAD", None)
    main()
