#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py SCRATCH SOURCE BUILD CLANG CUDA [DOCUMENT...] [--write]: runs the
commands that documents, otherwise all, show, which stand in blocks marked `sh`, in a folder that
has what they name; those marked `console` need programs that are not there.

Programs that are linked with cudart are started, with a runtime that records
launches instead of making them. Each line of a block marked `text` has to be
printed by the commands before it, in that order: up to "…" where it has that, and
not at all where it is nothing else. Numbers have to be the same with the ptxas
that documents show (PTXAS); with others they may differ. --write has documents
show the numbers that are printed. Output that is not printed by a command stands
in blocks marked `listing`."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PTXAS = "V13.0.88"  # whose figures documents show

# How a command starts, the test that runs its like, and what that has to hold.
COVERED = {
    "scripts/test.sh": (".ci/run", "scripts/test.sh"),
    "cmake --preset": ("scripts/test.sh", 'cmake --preset "$preset"'),
    "apt-get install": ("test/install/package.test", "package.sh %t/regdem_"),
    "cmake -S": ("test/install/find-package.test", "%cmake -G Ninja -S"),
    "python3 test/Finish/on_gpu.py": ("test/Finish/on-gpu-without-gpu.test", "on_gpu.py"),
    "regdem-tune": ("test/regdem-tune/clang.cu", "%regdem-tune --build"),
}
# What is run for a command that would build anew, or needs a GPU.
INSTEAD = {
    "scripts/demo.sh": "source scripts/env.sh; python3 benchmarks/demo.py "
                       '--plugin build/lib/RegDem.so --cuda "$CUDA_PATH"',
    "build/bin/regdem-analyse --report": "build/bin/regdem-analyse --report recorded.jsonl "
                                         "--from-csv stock.csv --json analysis.jsonl #",
}
FENCE = re.compile(r"^```(.*)$")
MARKS = ("cmake", "cuda", "json", "python", "yaml", "console", "listing")
REST = "int main() { return 0; }\n"


class Block:
    """A block of code: its mark, its lines, and the number of the first."""

    def __init__(self, mark, first):
        self.mark, self.first, self.lines = mark, first, []


def blocks(text):
    found, block = [], None
    for number, line in enumerate(text.splitlines()):
        fence = FENCE.match(line)
        if fence and block is None:
            block = Block(fence[1], number + 1)
            found.append(block)
        elif fence:
            block = None
        elif block is not None:
            block.lines.append(line)
    return found


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


def instead(command):
    for start, other in INSTEAD.items():
        if command.startswith(start):
            return other + command[len(start):]
    return command


def started(command, runtime):
    """The lines of a script for the command: programs run with `runtime`, those
    that are made with cudart at once."""
    prefix = f'LD_PRELOAD="{runtime}" LD_LIBRARY_PATH="/usr/local/cuda/lib64" '
    if re.match(r"(\w+=\S+ )*\./\w+", command):
        return [prefix + command]
    made = re.search(r" -o (\S+)", command)
    if made and "-lcudart" in command and " -c " not in command:
        return [command, f"{prefix}./{made[1]} > /dev/null"]
    return [command]


def prepare(folder, source, build, cuda):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("scripts", "examples", "benchmarks", "test"):
        (folder / name).symlink_to(source / name)
    (folder / "build").symlink_to(build)
    shutil.copy(source / "examples" / "chase.cu", folder / "app.cu")
    shutil.copy(source / "examples" / "stencil.cu", folder / "kernel.cu")
    (folder / "rest.cu").write_text(REST)
    recorded = source / "test/regdem-analyse/Inputs"
    shutil.copy(recorded / "regdem.csv", folder / "counters.csv")
    shutil.copy(recorded / "stock.csv", folder / "stock.csv")
    shutil.copy(source / "test/regdem-report/Inputs/build.jsonl", folder / "recorded.jsonl")
    (folder / "launches.jsonl").write_text(
        '{"event":"settled","kernel":"_Z5chasePKiPKfPfi","block":[256,1,1],'
        '"dynamic_smem":0,"grid":[9,1,1],"build":0,"kernel_ms":1,"build_ms":2}\n',
        encoding="utf-8")


def numberless(text):
    return re.sub(r"\d+(\.\d+)?", "N", " ".join(text.split()))


def shown_with(lines, output, exact):
    """The lines of a block with the numbers that were printed; fails, with the
    first line as argument that was not."""
    found, rest = [], [line.rstrip() for line in output.splitlines()]
    for line in lines:
        text, mark, _ = line.partition("…")
        if not text.strip():
            found.append(line)
            continue
        for number, printed in enumerate(rest):
            if mark and numberless(printed).startswith(numberless(text)) or \
                    numberless(printed) == numberless(text):
                break
        else:
            raise LookupError(line)
        rest = rest[number + 1:]
        if not exact:
            found.append(line)
        elif not mark:
            found.append(printed)
        else:  # As many words as are shown.
            words = re.findall(r"\s*\S+", printed)[:len(text.split())]
            found.append("".join(words) + (" …" if text.endswith(" ") else "…"))
    return found


def is_exact(cuda):
    version = subprocess.run([f"{cuda}/bin/ptxas", "--version"], capture_output=True,
                             text=True, check=True).stdout
    return PTXAS in version


class Runner:
    def __init__(self, folder, source, build, clang, cuda):
        self.folder, self.source, self.build = folder, source, build
        self.clang, self.cuda = clang, cuda
        self.exact, self.ran = is_exact(cuda), 0
        self.runtime = folder.parent / f"{folder.name}-runtime.so"
        subprocess.run([clang, "-shared", "-Wl,--whole-archive",
                        build / "lib/libRecordingRuntime.a", "-Wl,--no-whole-archive",
                        "-o", self.runtime], check=True)

    def output(self, name, lines):
        """What the commands of a block print."""
        wanted = [c for c in commands(lines) if not covered(c, self.source)]
        script = "\n".join(part for c in wanted for part in started(instead(c), self.runtime))
        script = script.replace("clang++-22", f'"{self.clang}"')
        script = script.replace("/usr/local/cuda", self.cuda)
        run = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=self.folder,
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if run.returncode:
            sys.exit(f"{name}: status {run.returncode}\n{script}\n{run.stdout}")
        self.ran += len(wanted)
        return run.stdout

    def run(self, name, write):
        """Runs a document; with `write` it gets the numbers that are printed."""
        prepare(self.folder, self.source, self.build, self.cuda)
        document = self.source / name
        text, output = document.read_text(encoding="utf-8"), ""
        lines = text.splitlines()
        for block in blocks(text):
            if block.mark == "sh":
                output = self.output(name, block.lines)
            elif block.mark == "text":
                try:
                    printed = shown_with(block.lines, output, self.exact)
                except LookupError as lost:
                    sys.exit(f"{name}: not printed: {lost.args[0]}\n{output}")
                if printed != block.lines and not write:
                    wrong = next(pair for pair in zip(block.lines, printed) if len(set(pair)) > 1)
                    sys.exit(f"{name}: shows\n{wrong[0]}\nprinted is\n{wrong[1]}\n"
                             "(run.py --write has documents show what is printed)")
                lines[block.first:block.first + len(printed)] = printed
            elif block.mark not in MARKS:
                sys.exit(f"{name}: block without a mark: {block.lines[:1]}")
        if write and lines != text.splitlines():
            document.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    write = "--write" in sys.argv
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    folder, source, build = map(Path, arguments[:3])
    documents = arguments[5:] or ["README.md", "examples/README.md",
                                  *(f"docs/{p.name}" for p in sorted((source / "docs").glob("*.md")))]
    runner = Runner(folder, source, build, *arguments[3:5])
    for name in documents:
        runner.run(name, write)
    print(f"{runner.ran} commands")


if __name__ == "__main__":
    os.environ.pop("LD_PRELOAD", None)
    main()
