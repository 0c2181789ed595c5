#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails if clang-tidy finds a fault, by the list in .clang-tidy, in the sources
of one folder. Most of the time goes into LLVM's headers; therefore the sources
of each folder are read as few files that include them, apart from others that
define the same name, and not again as long as neither they nor the project's
headers that they include have changed. --single
reads each by itself, whatever was read before."""

import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

NOISE = re.compile(r"^(\d+ warnings? |Suppressed |Use -|Error while processing)")


INCLUDE = re.compile(r'^#include "(?:.*/)?([^"/]+)"', re.M)
# Names that a source keeps to itself.
OWN = re.compile(r"^(?:static|constexpr)\s(?:::|[^\n({=;:])*?\b(\w+)\s*[({=;\[]|"
                 r"^(?:struct|enum class|class|enum|using|#define)\s+(\w+)", re.M)


def apart(sources):
    """The sources in few groups, none with two that define the same name."""
    groups = []
    for source in sources:
        own = {first or second for first, second in OWN.findall(source.read_text())}
        own.discard("namespace")  # using namespace
        for group, names in groups:
            if not names & own:
                group.append(source)
                names |= own
                break
        else:
            groups.append(([source], own))
    return [group for group, _ in groups]


def commands(build, folder, flat):
    """Arguments of the compiler by source file, of those in the folder and,
    unless it is to be flat, its subfolders."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = Path(entry["directory"], entry["file"]).resolve()
        if folder == source.parent or (not flat and folder in source.parents):
            words = shlex.split(entry["command"])
            del words[words.index("-o"):words.index("-o") + 2]
            found[source] = words[1:words.index("-c")]
    return dict(sorted(found.items()))


class Tidy:
    def __init__(self, program, project, work):
        self.program, self.project, self.work = program, project, work
        self.work.mkdir(parents=True, exist_ok=True)
        version = subprocess.run([program, "--version"], capture_output=True,
                                 text=True, check=True).stdout
        self.state = hashlib.sha256((version + Path(__file__).read_text()).encode())
        self.state.update((project / ".clang-tidy").read_bytes())
        self.headers = {}  # Texts of the project's headers by the file's name.
        for path in sorted(p for top in ("include", "lib", "tools")
                           for p in (project / top).rglob("*.h")):
            self.headers[path.name] = self.headers.get(path.name, "") + path.read_text()

    def included(self, sources):
        """Names of the project's headers that the sources include, and these."""
        found, texts = set(), [source.read_text() for source in sources]
        while texts:
            new = set(INCLUDE.findall(texts.pop())) & self.headers.keys() - found
            found |= new
            texts += [self.headers[name] for name in new]
        return sorted(found)

    def read(self, source, arguments):
        """(what clang-tidy prints, whether the source compiles)"""
        run = subprocess.run(
            [self.program, "-quiet", f"--config-file={self.project}/.clang-tidy",
             str(source), "--", *arguments, "-Wno-deprecated-declarations"],
            capture_output=True, text=True)
        text = "".join(line for line in run.stdout.splitlines(keepends=True)
                       if not NOISE.match(line))
        if run.returncode and not text:
            text = run.stderr or f"{self.program}: status {run.returncode}\n"
        return text, "clang-diagnostic-error" not in text

    def together(self, sources, arguments):
        """What clang-tidy finds in the sources, the fewest runs first."""
        known = self.state.copy()
        known.update("\0".join(arguments).encode())
        for source in sources:
            known.update(str(source).encode() + source.read_bytes())
        for header in self.included(sources):
            known.update(header.encode() + self.headers[header].encode())
        name = known.hexdigest()
        if (self.work / name).exists():
            return ""
        if len(sources) == 1:
            text = self.read(sources[0], arguments)[0]
        else:
            text = self.jointly(name, sources, arguments)
        if not text:
            (self.work / name).touch()
        return text

    def jointly(self, name, sources, arguments):
        """The same of several sources, as one file of that name."""
        joint = self.work / f"{name}.cpp"
        joint.write_text("".join(f'#include "{s}" // NOLINT\n' for s in sources))
        text, compiles = self.read(joint, arguments)
        joint.unlink()
        if not compiles:
            faulty = [s for s in sources if f"{s}:" in text] or sources
            if len(faulty) == len(sources):
                faulty = sources[len(sources) // 2:]
            rest = [s for s in sources if s not in faulty]
            text = self.together(rest, arguments) + self.together(faulty, arguments)
        return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="clang-tidy")
    parser.add_argument("project", type=Path, help="folder of .clang-tidy")
    parser.add_argument("build", type=Path, help="of compile_commands.json")
    parser.add_argument("folder", type=Path, help="of the sources")
    parser.add_argument("--flat", action="store_true", help="no subfolders")
    parser.add_argument("--single", action="store_true")
    options = parser.parse_args()
    found = commands(options.build.resolve(), options.folder.resolve(), options.flat)
    if not found:
        sys.exit(f"tidy.py: error: no source in {options.folder}")
    tidy = Tidy(options.program, options.project.resolve(),
                options.build.resolve() / "tidy")
    if options.single:
        texts = [tidy.read(source, words)[0] for source, words in found.items()]
    else:
        groups = {}
        for source, words in found.items():
            groups.setdefault((source.parent, *words), []).append(source)
        texts = [tidy.together(group, words) for (_, *words), sources in groups.items()
                 for group in apart(sources)]
    print("".join(texts), end="")
    return 1 if any(texts) else 0


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    sys.exit(main())
