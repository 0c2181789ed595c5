# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds programs by their own build systems, once for each variant.

A variant is a compiler: nvcc, clang, and for each plugin NAME clang with it
(NAME) and nvcc with the regdem-nvcc beside it (nvcc-NAME). Each has a copy of
the sources and a CUDA toolkit of its own: links to the real one, but for
bin/nvcc, which is stand_in.py.
"""

import contextlib
import fcntl
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from regdem_common.process import communicate

from table import TableError

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Variant:
    name: str
    kind: str  # "nvcc" or "clang": whose command line it takes
    compiler: str
    flags: tuple = ()
    base: str = ""  # the stock compiler's variant, whose results it must give


def variants(cuda, clang, plugins):
    """plugins: {name: path of RegDem.so}."""
    found = [Variant("nvcc", "nvcc", f"{cuda}/bin/nvcc"),
             Variant("clang", "clang", clang)]
    for name, path in plugins.items():
        path = Path(path).resolve()
        found.append(Variant(name, "clang", clang, (f"-fpass-plugin={path}",), "clang"))
        nvcc = path.parent.parent / "bin" / "regdem-nvcc"
        if nvcc.exists():
            found.append(Variant(f"nvcc-{name}", "nvcc", str(nvcc), (), "nvcc"))
    return found


def make_toolkit(folder, cuda, variant, arch):
    """A CUDA toolkit whose nvcc is stand_in.py; its log is written to the file
    that PROGRAMS_LOG names."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    for entry in Path(cuda).iterdir():
        if entry.name != "bin":
            (folder / entry.name).symlink_to(entry)
    for entry in (Path(cuda) / "bin").iterdir():
        if entry.name != "nvcc":
            (folder / "bin" / entry.name).symlink_to(entry)
    described = folder / "variant.json"
    described.write_text(json.dumps({
        "kind": variant.kind, "compiler": variant.compiler, "arch": arch,
        "flags": list(variant.flags), "cuda": str(cuda),
        "nvcc": f"{cuda}/bin/nvcc"}, indent=1))
    script = folder / "bin" / "nvcc"
    script.write_text("#!/bin/sh\n"
                      f'exec python3 -B "{HERE}/stand_in.py" "{described}" "$@"\n')
    script.chmod(0o755)
    return folder


class Builder:
    def __init__(self, table, out, sources, cuda, arch, timeout, launches):
        """launches: {program: what regdem-nvcc is told that it launches}."""
        self.table, self.out, self.sources = table, out, sources
        self.cuda, self.arch, self.timeout = cuda, arch, timeout
        self.launches = launches
        self.fresh = set()  # trees that this run copied

    def _environment(self, variant, log):
        toolkit = self.out / "toolkits" / variant.name
        if not (toolkit / "variant.json").exists():
            make_toolkit(toolkit, self.cuda, variant, self.arch)
        return {
            "PROGRAMS_LOG": str(log), "CUDA": str(toolkit),
            "SOURCES": str(self.sources.resolve()),
            "CUDA_PATH": str(toolkit), "CUDA_HOME": str(toolkit),
            "CUDACXX": f"{toolkit}/bin/nvcc", "NVCC": f"{toolkit}/bin/nvcc",
            "REGDEM_NVCC": f"{self.cuda}/bin/nvcc",
            "PATH": f"{toolkit}/bin:{os.environ['PATH']}",
            # A link by the stand-in, which links device code, too, and the
            # shared runtime, for all.
            "CMAKE": " ".join([
                "cmake", f"-DCMAKE_CUDA_COMPILER={toolkit}/bin/nvcc",
                f"-DCUDAToolkit_ROOT={toolkit}", "-DCMAKE_BUILD_TYPE=Release",
                f"-DCMAKE_CUDA_ARCHITECTURES={self.arch[3:]}",
                "-DCMAKE_CUDA_RUNTIME_LIBRARY=Shared",
                *(f"'-DCMAKE_{language}_LINK_EXECUTABLE={toolkit}/bin/nvcc <OBJECTS> "
                  "-o <TARGET> <LINK_LIBRARIES>'" for language in ("CUDA", "CXX"))]),
        }

    def _shell(self, text, folder, environment):
        """"" or what went wrong."""
        code, output, errors = communicate(
            ["bash", "-ec", text], self.timeout, environment,
            cwd=folder)
        if code is None:
            return f"not done after {self.timeout} s"
        return "" if code == 0 else (output + errors)[-3000:]

    def _tree(self, one, variant, again):
        """The variant's copy of the set's sources, configured; a new one if
        something is built again, so that nothing old is taken for built."""
        tree = self.out / "work" / variant.name / one.name
        done = tree / ".configured"
        if done.exists() and not (again and tree not in self.fresh):
            return tree
        self.fresh.add(tree)
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(self.sources / one.name, tree, symlinks=True,
                        ignore=shutil.ignore_patterns(".git"))
        if one.configure:
            log = self.out / "work" / variant.name / f"{one.name}.jsonl"
            if fault := self._shell(one.configure, tree,
                                    self._environment(variant, log)):
                raise RuntimeError(f"configure: {fault}")
        done.write_text("")
        return tree

    def build(self, program, variant, again):
        """The record of one build; its files are in built/PROGRAM/VARIANT."""
        one = self.table.sets[program.set]
        target = self.out / "built" / program.name / variant.name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        log = target / "compilations.jsonl"
        try:
            tree = self._tree(one, variant, again)
        except RuntimeError as error:
            return {"error": str(error)}
        folder = tree / program.folder
        environment = self._environment(variant, log)
        if program.name in self.launches:
            profile = target / "launches.json"
            profile.write_text(json.dumps(self.launches[program.name]))
            environment["REGDEM_PROFILE"] = str(profile)
        fault = self._shell(program.build, folder, environment)
        calls = [json.loads(line) for line in log.read_text().splitlines()] \
            if log.exists() else []
        record = {
            "cpu": round(sum(c["cpu"] for c in calls if c["sources"]), 3),
            "compilations": [{"sources": c["sources"], "cpu": c["cpu"]}
                             for c in calls if c["sources"]]}
        missing = [f for f in program.files if not (folder / f).exists()]
        if fault or missing or not record["compilations"]:
            return {"error": fault or f"not built: {missing or 'device code'}",
                    **record}
        for name in program.files:
            shutil.copy2(folder / name, target / Path(name).name)
        self._inputs(program, tree)
        return record

    def _inputs(self, program, tree):
        place = self.out / "built" / program.name / "inputs"
        place.mkdir(exist_ok=True)
        for name in program.inputs:
            source = tree / name
            if source.is_dir():
                shutil.copytree(source, place / source.name, dirs_exist_ok=True)
            else:
                shutil.copy2(source, place / source.name)


@contextlib.contextmanager
def using(out, alone):
    """Builds may run beside each other, but not beside a pack, which is alone:
    it would take files of a build that is half done."""
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "lock", "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_NB | (fcntl.LOCK_EX if alone else fcntl.LOCK_SH))
        except BlockingIOError:
            raise TableError(f"{out}: a build or pack is running") from None
        yield


def read_state(path):
    return json.loads(path.read_text()) if path.exists() else {}


def add_record(path, program, variant, record):
    """Others may build at the same time."""
    with open(path.with_suffix(".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        state = read_state(path)
        state.setdefault(program, {})[variant] = record
        scratch = path.with_suffix(".new")
        scratch.write_text(json.dumps(state, indent=1, sort_keys=True) + "\n")
        os.replace(scratch, path)
