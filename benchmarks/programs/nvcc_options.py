# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvcc's command line for the architecture of the benchmark, and the same for
clang. Pure functions of words; stand_in.py runs what they return.

Both compilers get the best code that the options ask for: nvcc optimises device
code fully whatever -O says, so clang gets -O3. Debug information is left out.
Language standards that CUDA 13's headers refuse become C++17, and what it
took away is in cuda12.h, for both.
"""

import re
from pathlib import Path

DEVICE = {".cu"}
OBJECTS = {".o", ".a", ".so", ".obj"}

# Options with a value, as the next word or after "=": all names → one name.
VALUED = {
    "-arch": "arch", "--gpu-architecture": "arch",
    "-code": "code", "--gpu-code": "code",
    "-gencode": "gencode", "--generate-code": "gencode",
    "-ccbin": "ccbin", "--compiler-bindir": "ccbin",
    "-Xcompiler": "host", "--compiler-options": "host",
    "-Xptxas": "ptxas", "--ptxas-options": "ptxas",
    "-Xlinker": "linker", "--linker-options": "linker",
    "-Xnvlink": "nvlink", "--nvlink-options": "nvlink",
    "-Xcudafe": "cudafe", "-Xarchive": "archive",
    "-maxrregcount": "maxregs", "--maxrregcount": "maxregs",
    "-rdc": "rdc", "--relocatable-device-code": "rdc",
    "-cudart": "cudart", "--cudart": "cudart",
    "-ftz": "ftz", "--ftz": "ftz", "-fmad": "fmad", "--fmad": "fmad",
    "-prec-div": "division", "--prec-div": "division",
    "-prec-sqrt": "root", "--prec-sqrt": "root",
    "-std": "std", "--std": "std",
    "-default-stream": "stream", "--default-stream": "stream",
    "-t": "jobs", "--threads": "jobs", "-threads": "jobs",
    "-x": "language", "--x": "language",
    "-diag-suppress": "quiet", "--diag-suppress": "quiet",
    "-Werror": "quiet", "--Werror": "quiet", "-keep-dir": "quiet",
    "-odir": "quiet", "-o": "output", "--output-file": "output",
    "-I": "include", "--include-path": "include",
    "-isystem": "system", "--system-include": "system",
    "-include": "preinclude", "--pre-include": "preinclude",
    "-L": "library-path", "--library-path": "library-path",
    "-D": "define", "--define-macro": "define",
    "-MT": "target", "-MF": "dependencies",
    "--options-file": "file", "-optf": "file",
}
# Options without one that clang neither has nor needs.
IGNORED = re.compile(
    r"-(-?(lineinfo|generate-line-info|device-debug|debug|G|g\d?|pg|keep|"
    r"extended-lambda|expt-\S+|restrict|res-usage|resource-usage|no-align-double|"
    r"forward-unknown-to-(host-compiler|host-linker)|Wno-deprecated-gpu-targets|"
    r"m64|W\S*|O\S*|dlink|device-link|dlto|lto|extra-device-vectorization|"
    r"disable-warnings))")
# Included in front of each source.
HEADER = str(Path(__file__).resolve().parent / "cuda12.h")
STANDARDS_TOO_OLD = {"03", "0x", "11", "14", "98", "1y"}
# Of the host compiler's options clang takes these; the rest is for g++.
HOST = re.compile(r"-(f(openmp|PIC|pic|PIE|permissive|no-\S+|strict-aliasing)|D\S+|"
                  r"U\S+|I\S+|std=\S+|pthread|m(arch|tune|avx|sse|fma)\S*)")


def _short_joined(word):
    """("-I", "dir") of -Idir, and so on."""
    for name in ("-I", "-L", "-D", "-o"):
        if word.startswith(name) and len(word) > len(name) \
                and not word.startswith("-odir"):
            return name, word[len(name):].removeprefix("=")
    return None


def parse(words, read=lambda path: Path(path).read_text()):
    """A list of (name, value): VALUED's name, "flag" or "file"."""
    found = []
    words = list(words)
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if word.startswith("@") or VALUED.get(name) == "file":
            path = word[1:] if word.startswith("@") else value or words.pop(0)
            words = read(path).split() + words
        elif name in VALUED and equals:
            found.append((VALUED[name], value))
        elif word in VALUED:
            found.append((VALUED[word], words.pop(0) if words else ""))
        elif joined := _short_joined(word):
            found.append((VALUED[joined[0]], joined[1]))
        elif word.startswith("-"):
            found.append(("flag", word))
        else:
            found.append(("file", word))
    return found


def sources(words):
    """Files of device code that a command line compiles."""
    options = parse(words)
    as_device = ("language", "cu") in options
    return [v for n, v in options if n == "file"
            and (Path(v).suffix in DEVICE
                 or as_device and Path(v).suffix not in OBJECTS)]


def _standard(value):
    if value.startswith("c++") and value[3:] in STANDARDS_TOO_OLD:
        return "c++17"
    return value.replace("gnu++11", "gnu++17").replace("gnu++14", "gnu++17")


def for_nvcc(words, arch):
    """nvcc's own command line for `arch`."""
    result = []
    names = {"host": "-Xcompiler", "ptxas": "-Xptxas", "linker": "-Xlinker",
             "nvlink": "-Xnvlink", "cudafe": "-Xcudafe", "archive": "-Xarchive",
             "maxregs": "-maxrregcount", "output": "-o", "include": "-I",
             "system": "-isystem", "preinclude": "-include", "define": "-D",
             "library-path": "-L", "target": "-MT", "dependencies": "-MF",
             "language": "-x", "ccbin": "-ccbin"}
    equals = {"rdc": "-rdc", "ftz": "-ftz", "fmad": "-fmad",
              "division": "-prec-div", "root": "-prec-sqrt",
              "stream": "-default-stream"}
    for name, value in parse(words):
        if name in names:
            result += [names[name], value]
        elif name in equals:
            result.append(f"{equals[name]}={value}")
        elif name == "std":
            result.append(f"-std={_standard(value)}")
        elif name == "flag" and value.startswith("-Wl,"):
            result += ["-Xlinker", value[len("-Wl,"):]]
        elif name == "file" or name == "flag" and value not in (
                "-G", "--device-debug", "-Wno-deprecated-gpu-targets"):
            result.append(value)
    return [*result, "-include", HEADER, f"-arch={arch}", "-cudart", "shared", "-w"]


def _fast_math():
    return ["-Xarch_device", "-ffast-math", "-fgpu-approx-transcendentals",
            "-fgpu-flush-denormals-to-zero"]


def _value_for_clang(name, value):
    """Words for clang of one option with a value."""
    if name in ("output", "include", "system", "preinclude", "define",
                "library-path", "target", "dependencies"):
        option = {"output": "-o", "include": "-I", "system": "-isystem",
                  "preinclude": "-include", "define": "-D",
                  "library-path": "-L", "target": "-MT",
                  "dependencies": "-MF"}[name]
        return [option, value.replace("\\,", ",")]  # nvcc takes "," as a list's
    if name == "host":
        return [w for w in re.split(r"[,\s]+", value.strip("\"'"))
                if HOST.fullmatch(w)]
    if name == "linker":
        return [f"-Wl,{value}"]
    if name == "ptxas":
        # Words of one group, so that ptxas's own warnings are not asked for.
        return [w for each in re.split(r"[,\s]+", value)
                if each not in ("-v", "--verbose", "-O3", "")
                for w in ("-Xcuda-ptxas", each)]
    if name == "maxregs":
        return ["-Xcuda-ptxas", f"--maxrregcount={value}"]
    if name == "rdc":
        return ["-fgpu-rdc"] if value == "true" else []
    if name == "ftz":
        return ["-fgpu-flush-denormals-to-zero"] if value == "true" else []
    if name == "fmad":
        return ["-ffp-contract=off"] if value == "false" else []
    if name == "division":
        return ["-Xarch_device", "-mllvm=-nvptx-prec-divf32=0"] \
            if value == "false" else []
    if name == "root":
        return ["-Xarch_device", "-mllvm=-nvptx-prec-sqrtf32=0"] \
            if value == "false" else []
    if name == "std":
        return [f"-std={_standard(value)}"]
    if name == "stream":
        return ["-fgpu-default-stream=per-thread"] if value == "per-thread" else []
    if name == "language":
        return ["-x", {"cu": "cuda"}.get(value, value)]
    return []


def _flag_for_clang(flag):
    if flag in ("-use_fast_math", "--use_fast_math"):
        return _fast_math()
    if flag in ("-dc", "--device-c"):
        return ["-fgpu-rdc", "-c"]
    if flag in ("--compile",):
        return ["-c"]
    if flag in ("--shared",):
        return ["-shared"]
    if flag in ("-M", "-MM", "-E", "--preprocess"):
        return [{"--preprocess": "-E"}.get(flag, flag), "--cuda-host-only"]
    return [] if IGNORED.fullmatch(flag) else [flag]


def for_clang(words, arch, cuda):
    """clang's command line for nvcc's `words`, without the compiler's name."""
    options = parse(words)
    result, c_sources = [], False
    for name, value in options:
        if name == "flag":
            result += _flag_for_clang(value)
        elif name == "file":
            is_c = Path(value).suffix == ".c" and ("language", "cu") not in options
            if is_c != c_sources:
                result += ["-x", "c" if is_c else "none"]
                c_sources = is_c
            result.append(value)
        else:
            result += _value_for_clang(name, value)
    links = not {"-c", "-E", "-M", "-MM"} & set(result)
    if sources(words):
        result += ["-include", HEADER]
    common = ["-O3", f"--cuda-path={cuda}", f"--cuda-gpu-arch={arch}", "-w",
              "-Wno-register", "-Wno-c++11-narrowing",
              "-isystem", f"{cuda}/include/cccl", "-isystem", f"{cuda}/include"]
    if c_sources and links:
        result += ["-x", "none"]
    if links:
        result += [f"-L{cuda}/lib64", "-lcudart", "-ldl", "-lrt", "-lpthread", "-lm"]
        common.append("--offload-link")
    return [*common, *result]


def is_device_link(words):
    """CMake links device code in a step of its own. The program's link does
    that for both compilers here, so this one has nothing to do. With -c, nvcc
    compiles whatever -dlink says."""
    flags = {value for name, value in parse(words) if name == "flag"}
    return bool(flags & {"-dlink", "--device-link"}
                and not flags & {"-c", "--compile", "-dc", "--device-c"})


def output(words):
    return dict(parse(words)).get("output", "a.out")
