# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of programs, a TOML file of the user's.

It names the sets (a repository at a commit each), the programs, and what was
tried and dropped. Which directories are tried first, and which programs are
held out, follows from the seed alone, so that nobody chooses them.
"""

import hashlib
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

REASONS = ("seed", "registers")
HELD_OUT = 4  # one program of so many is held out, about


class TableError(Exception):
    """The table is wrong; the text is one message for users."""


@dataclass(frozen=True)
class Set:
    name: str
    url: str
    commit: str  # of 40 digits: the hash that is checked
    paths: tuple = ("/*",)  # what of it is needed: git's sparse patterns
    candidates: tuple = ()  # globs of directories or files to draw from
    configure: str = ""  # once for each variant, in the set's folder


@dataclass(frozen=True)
class Program:
    name: str
    set: str
    chosen: str  # one of REASONS
    build: str  # a shell command, in `folder` of the set
    run: str  # a shell command; {bin}: the folder of `files`
    files: tuple  # what the build writes and the run needs, from `folder`
    folder: str = "."
    directory: str = ""  # the candidate that it was drawn as; default: folder
    inputs: tuple = ()  # of the set, copied to where the program runs
    prepare: str = ""  # writes further inputs; runs on the GPU's machine
    outputs: tuple = ()  # files that it writes, to be compared
    ignore: tuple = ()  # regular expressions: lines of stdout not to compare
    tolerance: float = 0.0  # relative, of numbers, between builds of one compiler
    between: float = 1e-3  # the same, between the compilers
    timeout: int = 60  # seconds of a run


@dataclass(frozen=True)
class Table:
    seed: str
    sets: dict
    programs: list
    dropped: dict = field(default_factory=dict)  # {"set/directory": why}

    def program(self, name):
        for program in self.programs:
            if program.name == name:
                return program
        raise TableError(f"no program {name} in the table")

    def recipe(self, program):
        """A digest of all that a build of the program follows from."""
        one = self.sets[program.set]
        return _digest(one.commit, one.configure, program.folder, program.build,
                       *program.files, *program.inputs)

    def held_out(self, program):
        """True for about one in HELD_OUT; further programs change no other's."""
        return int(_digest(self.seed, "held out", program.name), 16) % HELD_OUT == 0


def _digest(*words):
    return hashlib.sha256(" ".join(words).encode()).hexdigest()


def order(seed, name, directories):
    """The directories of a set in the order in which they are tried."""
    return sorted(directories, key=lambda d: _digest(seed, name, d))


def candidates(one, root):
    """What a set's globs match in its checkout, without endings of files."""
    found = set()
    for pattern in one.candidates:
        for path in root.glob(pattern):
            found.add(path.relative_to(root).with_suffix("").as_posix())
    return found


def draw(table, sources):
    """{set: [(directory, fate)]} in the order of the draw: the program's name,
    or why it was dropped, or "" where it was not tried."""
    names = {(p.set, p.directory or p.folder): p.name
             for p in table.programs if p.chosen == "seed"}
    drawn = {}
    for name, one in table.sets.items():
        if one.candidates:
            drawn[name] = [
                (path, names.get((name, path))
                 or table.dropped.get(f"{name}/{path}", ""))
                for path in order(table.seed, name, candidates(one, sources / name))]
    return drawn


def skipped(drawn, table):
    """Directories that come before a set's last program by seed and are neither
    a program nor dropped for a reason: there must be none."""
    names = {p.name for p in table.programs}
    found = []
    for name, entries in drawn.items():
        taken = [i for i, (_, fate) in enumerate(entries) if fate in names]
        found += [f"{name}/{path}" for path, fate in entries[:max(taken, default=0)]
                  if not fate]
    return found


def _make(kind, entry, what):
    known = kind.__dataclass_fields__
    for key in entry:
        if key not in known:
            raise TableError(f"{what}: no field '{key}'")
    entry = {key: tuple(value) if isinstance(value, list) else value
             for key, value in entry.items()}
    try:
        return kind(**entry)
    except TypeError as error:
        raise TableError(f"{what}: {error}") from error


def parse(text):
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TableError(str(error)) from error
    sets = {name: _make(Set, {"name": name, **entry}, f"set {name}")
            for name, entry in data.get("sets", {}).items()}
    programs = [_make(Program, entry, f"program {entry.get('name')}")
                for entry in data.get("programs", [])]
    for one in sets.values():
        if len(one.commit) != 40:
            raise TableError(f"set {one.name}: the commit needs 40 digits")
    seen = set()
    for program in programs:
        if program.set not in sets:
            raise TableError(f"program {program.name}: no set {program.set}")
        if program.chosen not in REASONS:
            raise TableError(f"program {program.name}: chosen for what?")
        if program.name in seen:
            raise TableError(f"program {program.name} is there twice")
        seen.add(program.name)
    return Table(str(data.get("seed", "")), sets, programs, data.get("dropped", {}))


def load(path):
    try:
        return parse(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise TableError(str(error)) from error
