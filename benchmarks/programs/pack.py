# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts what was built into a folder for a machine with a GPU: one archive and a
script that unpacks and runs it. Nothing but Python 3 and a CUDA driver is
needed there; the CUDA runtime and CUPTI travel along."""

import hashlib
import json
import re
import shutil
import struct
import subprocess
import tempfile
from dataclasses import asdict
from pathlib import Path

from table import TableError

HERE = Path(__file__).resolve().parent
SCRIPTS = ("run.py", "outputs.py", "times.py")
CUDA_MACHINE = 190  # EM_CUDA of ELF files
LIBRARIES = ("libcudart.so.13", "libcupti.so.13")

RUN = """#!/usr/bin/env bash
# Runs the programs on the GPU; results.json goes to $OUT. Options: see run.py.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/out}
work=${TMPDIR:-/tmp}/regdem-programs-unpacked
if [ ! -e "$work/manifest.json" ] || [ "$here/programs.tar.xz" -nt "$work" ]; then
  rm -rf "$work"
  mkdir -p "$work"
  python3 -m tarfile -e "$here/programs.tar.xz" "$work"
fi
python3 -u -B "$work/run.py" --out "$out" "$@"
"""


def _tool(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        raise TableError(f"{words[0]}: {done.stderr.strip()}")


def build_timer(cuda, path):
    _tool("g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared",
          "-fPIC", "-isystem", cuda / "include", HERE / "KernelTimes.cpp", "-o", path,
          f"-L{cuda / 'lib64'}", "-l:libcupti.so.13", "-static-libstdc++",
          "-static-libgcc", "-s")


def entry(program, table, records, out):
    """The program's part of the manifest; None if a variant is not built as the
    table says."""
    recipe = table.recipe(program)
    if not records or any("error" in r or r.get("recipe") != recipe
                          for r in records.values()):
        return None

    def variant(name, record):
        built = out / "built" / program.name / name
        code = device_code([built / Path(f).name for f in program.files])
        return {"base": record["base"],
                "code": hashlib.sha256(code).hexdigest() if code else "",
                "kernels": kernel_codes(code),
                "compilations": _by_source(record["compilations"])}

    return {**asdict(program), "held_out": table.held_out(program),
            "commit": table.sets[program.set].commit,
            "variants": {name: variant(name, r) for name, r in records.items()}}


def device_code(files):
    """The fat binaries in programs; empty where one has none."""
    found = b""
    with tempfile.TemporaryDirectory() as scratch:
        section = Path(scratch) / "section"
        for file in files:
            section.unlink(missing_ok=True)
            subprocess.run(["objcopy", "-O", "binary", "--only-section=.nv_fatbin",
                            file, section], capture_output=True, check=False)
            if not section.exists() or not section.stat().st_size:
                return b""
            found += section.read_bytes()
    return found


def kernel_codes(code):
    """{mangled name: a hash of its machine code} of the kernels and functions in
    fat binaries; of none in images that are compressed."""
    found = {}
    for start in re.finditer(rb"\x7fELF\x02\x01", code):
        elf = code[start.start():]
        machine, = struct.unpack_from("<H", elf, 18)
        if machine != CUDA_MACHINE:
            continue
        table, = struct.unpack_from("<Q", elf, 40)
        size, count, names = struct.unpack_from("<HHH", elf, 58)
        # Of each section: name, type, flags, address, offset, size.
        sections = [struct.unpack_from("<IIQQQQ", elf, table + size * n)
                    for n in range(count)]
        for name, _, _, _, offset, length in sections:
            at = sections[names][4] + name
            name = elf[at:elf.index(b"\0", at)].decode()
            if name.startswith(".text."):
                text = elf[offset:offset + length]
                found[name[len(".text."):]] = hashlib.sha256(text).hexdigest()
    return found


def _by_source(compilations):
    """{names of the sources: seconds of processor time}."""
    return {" ".join(Path(s).name for s in c["sources"]): c["cpu"]
            for c in compilations}


def pack(table, state, out, target, cuda, wanted):
    """Returns (packed programs' names, what is not built: programs, and
    variants of packed ones that others have)."""
    stage = out / "stage"
    shutil.rmtree(stage, ignore_errors=True)
    (stage / "lib").mkdir(parents=True)
    packed, missing = [], []
    for program in table.programs:
        if wanted and program.name not in wanted:
            continue
        one = entry(program, table, state.get(program.name), out)
        if one is None:
            missing.append(program.name)
            continue
        packed.append(one)
        for folder in [*one["variants"], "inputs"]:
            source = out / "built" / program.name / folder
            copy = stage / "programs" / program.name / folder
            if source.is_dir():
                shutil.copytree(source, copy, symlinks=False,
                                ignore=shutil.ignore_patterns("*.json*"))
        for variant in one["variants"]:
            for file in (stage / "programs" / program.name / variant).iterdir():
                subprocess.run(["strip", file], check=False, capture_output=True)
    (stage / "manifest.json").write_text(
        json.dumps({"programs": packed}, indent=1) + "\n")
    for script in SCRIPTS:
        shutil.copy2(HERE / script, stage)
    for name in LIBRARIES:
        shutil.copy2(cuda / "lib64" / name, stage / "lib" / name)
    build_timer(cuda, stage / "lib" / "libKernelTimes.so")
    target.mkdir(parents=True, exist_ok=True)
    archive = target / "programs.tar.xz"
    # Variants of a program beside each other, as they differ in little.
    subprocess.run(f"tar -C '{stage}' --sort=name -c . | xz -T1 -6 "
                   f"--lzma2=preset=6,dict=64MiB > '{archive}'",
                   shell=True, check=True)
    script = target / "run.sh"
    script.write_text(RUN)
    script.chmod(0o755)
    everywhere = {v for one in packed for v in one["variants"]}
    for one in packed:
        if lacks := everywhere - set(one["variants"]):
            missing.append(f"{one['name']} as {', '.join(sorted(lacks))}")
    return [p["name"] for p in packed], missing
