# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of kernels: demangled, shortened, and compared across demanglers."""

import re
import shutil
import subprocess

DEMANGLERS = ("llvm-cxxfilt-22", "llvm-cxxfilt", "c++filt")
ANONYMOUS = "(anonymous namespace)"

# Of internal kernels in relocatable device code; depends on file and flags.
# clang prints no leading zeros.
FILE_SUFFIX = re.compile(r"__(intern|static)__[0-9a-f]{1,16}$")


def demangled(mangled):
    """The names in order; as they are where there is no demangler."""
    tool = next(filter(None, map(shutil.which, DEMANGLERS)), None)
    if not mangled or not tool:
        return list(mangled)
    done = subprocess.run([tool], input="\n".join(mangled) + "\n",
                          capture_output=True, text=True, check=False)
    found = done.stdout.splitlines()
    return found if len(found) == len(mangled) else list(mangled)


def short(name):
    """The name without its parameters and the `void` of templates."""
    name = name[5:] if name.startswith("void ") else name
    depth = 0
    for place, letter in enumerate(name):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and not depth and place and \
                not name.startswith(ANONYMOUS, place):
            return name[:place]
    return name


def base(name):
    """(name of the kernel, number of the build): RegDem's builds for launches
    are entries NAME$regdem1, NAME$regdem2, …, in linked code with "_ID" behind;
    0 is the kernel itself."""
    kernel, mark, rest = name.partition("$regdem")
    number = rest.partition("_")[0]
    return (kernel, int(number)) if mark and number.isdigit() else (name, 0)


def numbered(name, build):
    """The short name of a kernel, with the number of its build for launches, by
    which these and their log name it; 0: the kernel itself."""
    return f"{short(name)} (build {build})" if build else short(name)


def stable(name):
    """The name of a kernel or build without what its file and flags add."""
    kernel, number = base(name)
    kernel = FILE_SUFFIX.sub("", kernel)
    return f"{kernel}$regdem{number}" if number else kernel


def function(name):
    """The function's own name, without scope, template arguments and return type."""
    plain, depth = "", 0
    for letter in short(name.replace("<unnamed>", ANONYMOUS)):
        depth += (letter == "<")
        plain += letter if not depth else ""
        depth -= (letter == ">")
    return re.split(r"::|\s", plain.strip())[-1]


def spelling(name):
    """The same for one function as LLVM and NVIDIA's tools demangle it, which
    differ in blanks, the place of const, and casts of template arguments."""
    name = name.replace("<unnamed>", ANONYMOUS)
    name = re.sub(r"\((?:unsigned |signed )?(?:int|long|short|char|bool|long long)\)"
                  r"(?=-?\d)", "", name)
    name = re.sub(r"\btrue\b", "1", re.sub(r"\bfalse\b", "0", name))
    name = re.sub(r"\b(\d+)(?:u|l|ul|ull|ll)\b", r"\1", name)
    return tuple(sorted(re.findall(r"\w+|[^\w\s]", name)))
