#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""recipes.py PROJECT BUILD: the recipes for conda, Spack and pip name what the project
has: its version and LLVM's, options, targets, programs and files. The recipe for
Spack runs with a stand-in for spack.package."""

import re
import sys
import types
from pathlib import Path

PROJECT, BUILD = map(Path, sys.argv[1:3])
CMAKE = "\n".join(p.read_text() for p in
                  [PROJECT / "CMakeLists.txt", *PROJECT.glob("cmake/*.cmake")])
VERSION = re.search(r"project\(RegDem VERSION (\S+)", CMAKE)[1]
LLVM = re.search(r"REGDEM_LLVM_MAJOR (\d+)", CMAKE)[1]


def check(holds, what):
    if not holds:
        sys.exit(f"recipes.py: {what}")


def check_option(name):
    known = name in CMAKE or name.startswith(("CMAKE_", "LLVM_DIR"))
    check(known, f"no option {name} in CMake's files")


def conda():
    text = (PROJECT / "packaging/conda/recipe.yaml").read_text()
    context = re.search(r"^context:\n((?:  .*\n)+)", text, re.M)[1]
    values = dict(re.findall(r'^  (\w+): "(.*?)"$', context, re.M))
    check(values == {"version": VERSION, "llvm": LLVM}, f"versions of conda: {values}")
    text = re.sub(r"\${{ (\w+) }}", lambda m: values[m[1]], text)
    for section in ("package", "source", "build", "requirements", "tests", "about"):
        check(re.search(rf"^{section}:$", text, re.M), f"no section {section}")
    check(not re.search(r"\t", text), "tabulators in YAML")
    for name in re.findall(r"-D(\w+)=", text):
        check_option(name)
    for target in re.findall(r"--target (\w+)", text):
        check(f"add_custom_target({target}" in CMAKE, f"no target {target}")
    programs = re.findall(r"^      - (regdem-\w+) --", text, re.M)
    check(programs, "no program is tried")
    for program in programs:
        check((BUILD / "bin" / program).exists(), f"no program {program}")
    for document in re.findall(r"share/doc/regdem/(\S+)", text):
        check((PROJECT / document).exists(), f"no document {document}")
    check((PROJECT / re.search(r"license_file: (\S+)", text)[1]).exists(), "no licence")
    for package in ("llvmdev", "clangxx", "llvm-tools"):
        check(f"- {package} {LLVM}.*" in text, f"no {package} of LLVM {LLVM}")


def wheel():
    text = (PROJECT / "packaging/wheel/pyproject.toml").read_text()
    version = re.search(r'^version = "(.*)"$', text, re.M)[1]
    check(version == VERSION, f"version of the wheel: {version}")


class Spec:
    """Stands for self.spec["llvm"].prefix.lib and the like."""

    def __init__(self, path=""):
        self.path = path

    def __getattr__(self, name):
        return Spec(f"{self.path}/{name}")

    def __getitem__(self, name):
        return Spec(f"/{name}")


def spack():
    said = []

    def directive(name):
        return lambda *words, **more: said.append((name, *words))

    module = types.ModuleType("spack.package")
    for name in ("license", "version", "variant", "depends_on", "conflicts"):
        setattr(module, name, directive(name))
    module.Executable = None
    module.run_after = lambda phase: lambda method: method
    module.on_package_attributes = lambda **more: lambda method: method

    class CMakePackage:
        spec = Spec()

        @staticmethod
        def define(name, value):
            check_option(name)
            return f"-D{name}={getattr(value, 'path', value)}"

    systems = types.ModuleType("spack_repo.builtin.build_systems.cmake")
    systems.CMakePackage = CMakePackage
    systems.generator = directive("generator")
    for name in ("spack", "spack_repo", "spack_repo.builtin",
                 "spack_repo.builtin.build_systems"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["spack.package"], sys.modules[systems.__name__] = module, systems
    scope = {}
    exec((PROJECT / "packaging/spack/package.py").read_text(), scope)
    arguments = scope["Regdem"]().cmake_args()
    check(arguments[0] == "-DLLVM_DIR=/llvm/prefix/lib/cmake/llvm", arguments)
    check(("version", VERSION) in said, f"versions of Spack: {said}")
    check(any(s[0] == "depends_on" and s[1].startswith(f"llvm@{LLVM} ") for s in said),
          "no LLVM")
    least = re.search(r"cmake_minimum_required\(VERSION (\S+)\)", CMAKE)[1]
    check(("depends_on", f"cmake@{least}:") in said, "CMake's version")


conda()
wheel()
spack()
print("recipes name what is there")
