# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit configuration: tools, substitutions and features.

Tests may rely on: %plugin, %regdem (turns RegDem on in a clang command),
%clang-cuda (clang's CUDA compilation for sm_90, without RegDem), %device (its
device side as PTX), %demote (RegDem in clang: kernels with a stated cap keep
28 words in registers), %llc, %llc-regdem, %mir (machine code after RegDem), %opt,
%regdem-finish, %regdem-ptxas, %regdem-nvcc, %regdem-opt, %regdem-llc, %regdem-report,
%regdem-analyse, %regdem-launches, %regdem-tune, %tuned-llc (a build command for it), %fake-app (stands for a
program with a GPU), %ptxas (assembles for sm_90), %report and %region
(check a report, and PTX against it), %profile (makes a profile from a report),
%launches (clang with builds that are chosen at launch), %recording-runtime
(stands for libcudart where there is no GPU), %dispatched (compiles a program
of that and the dispatcher's sources), %expect (checks what that has
recorded), %entry-text (one entry of a PTX file),
%inputs, %python, %cmake, and LLVM's FileCheck, not, split-file and count.
%triton-python and %numba-python run a Python that has the front end.
Features: ptxas, clang-cuda, gpu, nvdisasm, ccache, sccache,
dpkg and lintian (to root), triton, numba-cuda, nvcc, libnvvm, and
ptxas-versions and nvcc-versions where other releases were fetched, which
%each-ptxas and %each-nvcc run.
"""

import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

import lit.formats
import lit.util


def without_blanks(path):
    """The path, by a link to its folder if it has blanks: RUN lines and some of
    the tools they name split at those."""
    if not path or not any(letter.isspace() for letter in path):
        return path
    for folder in (config.regdem_source, config.regdem_build):
        if path == folder or path.startswith(folder + os.sep):
            name = hashlib.sha256(folder.encode()).hexdigest()[:16]
            link = os.path.join(tempfile.gettempdir(), f"regdem-{os.getuid()}-{name}")
            try:
                os.symlink(folder, link)
            except FileExistsError:
                if os.readlink(link) != folder:
                    lit_config.fatal(f"{link} does not lead to {folder}")
            return link + path[len(folder):]
    return path


links = {name: without_blanks(getattr(config, name))
          for name in ("clang", "cuda_path", "cmake", "cxx", "python", "llvm_tools",
                       "regdem_source", "regdem_build")}
if links["regdem_source"] != config.regdem_source:
    # lit would resolve the links, and the blanks be back in %s, %S and %t.
    lit.util.abs_path_preserve_drive = os.path.abspath
for name, link in links.items():
    setattr(config, name, link)

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(config.regdem_source, "test"))
import features
import precompiled

# A shim, such as pyenv's, needs a shell, which some tests leave out of PATH.
config.python = subprocess.run(
    [config.python, "-c", "import sys; print(sys.executable)"],
    check=True, capture_output=True, text=True).stdout.strip()

config.name = "RegDem"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".mir", ".cu", ".test"]
config.excludes = ["Inputs", "unit", "fuzz", "lint", "promises"]
config.test_source_root = os.path.join(config.regdem_source, "test")
config.test_exec_root = os.path.join(config.regdem_build, "test")

config.available_features |= features.present(config.cuda_path, config.clang)

if os.geteuid() == 0 and all(
        shutil.which(name) for name in ("dpkg", "cpack", "file", "dpkg-shlibdeps")):
    config.available_features.add("dpkg")
    if shutil.which("lintian"):
        config.available_features.add("lintian")

others = glob.glob(os.path.join(config.regdem_source, ".cuda", "ptxas-*"))
if others:  # From scripts/fetch-ptxas.sh.
    config.available_features.add("ptxas-versions")
toolkits = glob.glob(os.path.join(config.regdem_source, ".cuda", "nvcc-*"))
if toolkits:  # From scripts/fetch-nvcc.sh.
    config.available_features.add("nvcc-versions")

path = [config.llvm_tools, os.environ.get("PATH", "")]
if config.cuda_path:
    path.insert(1, os.path.join(config.cuda_path, "bin"))
    config.environment["CUDA_PATH"] = config.cuda_path
config.environment["PATH"] = os.pathsep.join(path)

# Tests decide anew; those of the cache state its folder.
config.environment["REGDEM_CACHE_DIR"] = "off"

config.substitutions.append(("%{path}", config.environment["PATH"]))
if glob.glob(os.path.join(config.cuda_path or "", "nvvm", "lib*", "libnvvm.so")):
    config.available_features.add("libnvvm")  # By which nvlink makes code.

if config.regdem_sanitize:
    # The plugin needs the run-time library first in a program that was built
    # without it.
    library = subprocess.run(
        [config.cxx, "-print-file-name=libasan.so"],
        capture_output=True, text=True, check=True).stdout.strip()
    config.environment["LD_PRELOAD"] = os.path.realpath(library)
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
    config.available_features.add("sanitizers")


def tool(name):
    return os.path.join(config.llvm_tools, name)


plugin = os.path.join(config.regdem_build, "lib", "RegDem.so")
clang_cuda = (
    f"{config.clang} -x cuda --cuda-path={config.cuda_path} "
    "-Wno-unknown-cuda-version --cuda-gpu-arch=sm_90 -O3"
)
regdem_llc = (
    f"{tool('llc')} -load-pass-plugin={plugin} -mcpu=sm_90 -mattr=+ptx88"
)
helpers = os.path.join(config.test_source_root, "Inputs")
if "clang-cuda" in config.available_features:
    headers = precompiled.headers(clang_cuda,
                                  os.path.join(config.test_exec_root, "precompiled"))
    config.substitutions += [
        (f"(?<!ccache ){name}{kind}", f"{name} -Xclang -include-pch -Xclang {path}")
        for name, kind, path in (
            ("%clang-cuda", precompiled.FOR_BOTH, headers),
            ("%launches", precompiled.FOR_BOTH, headers),
            ("%device", precompiled.FOR_SIDE, os.path.join(headers, "device")))]
# lit replaces them in this order, so a name comes before its own prefixes.
config.substitutions += [
    ("%clang-cuda", clang_cuda),
    ("%device", f"{clang_cuda} --cuda-device-only -S"),
    ("%launches",
     f"{clang_cuda} -fpass-plugin={plugin} -mllvm -regdem-launch-code=1000"
     " -mllvm -regdem-effort=3"),
    ("%recording-runtime",
     os.path.join(config.regdem_build, "lib", "libRecordingRuntime.a")),
    ("%dispatched",
     f"{config.clang} -O1 -I{config.regdem_source}/lib/Transforms/Host -x c "
     + "".join(f"{config.regdem_source}/lib/Transforms/Host/{part}.c "
               for part in ("Dispatcher", "LaunchLog", "LaunchMeasure"))
     + f"-x c++ {config.test_source_root}/Host/Inputs/Dispatched.cpp -x none "
     + os.path.join(config.regdem_build, "lib", "libRecordingRuntime.a")
     + " -lpthread"),
    ("%expect", f"{config.python} {config.test_source_root}"
     "/Host/Inputs/expect.py"),
    ("%entry-text", f"{config.python} {config.test_source_root}"
     "/Host/Inputs/entry_text.py"),
    ("%clang", config.clang),
    ("%llc-regdem", regdem_llc),
    ("%mir", f"{regdem_llc} -verify-machineinstrs -stop-after=regdem"),
    ("%llc", tool("llc")),
    ("%llvm-as", tool("llvm-as")),
    ("%regdem-llc", os.path.join(config.regdem_build, "bin", "regdem-llc")),
    ("%unit-tests", os.path.join(config.regdem_build, "bin", "regdem-unit-tests")),
    ("%opt", tool("opt")),
    ("%regdem-report", " ".join(
        [sys.executable,
         os.path.join(config.regdem_build, "bin", "regdem-report")])),
    ("%regdem-analyse", " ".join(
        [sys.executable,
         os.path.join(config.regdem_build, "bin", "regdem-analyse")])),
    ("%regdem-launches", " ".join(
        [sys.executable,
         os.path.join(config.regdem_build, "bin", "regdem-launches")])),
    ("%regdem-finish", os.path.join(config.regdem_build, "bin",
                                    "regdem-finish")),
    ("%regdem-ptxas", os.path.join(config.regdem_build, "bin",
                                   "regdem-ptxas")),
    ("%regdem-nvcc", os.path.join(config.regdem_build, "bin", "regdem-nvcc")),
    ("%regdem-opt", os.path.join(config.regdem_build, "bin", "regdem-opt")),
    # By lit's own interpreter, which is no wrapper that would slow down the
    # hundreds of runs.
    # Tests of it need no GPU.
    ("%regdem-tune", " ".join(
        [sys.executable,
         os.path.join(config.regdem_build, "bin", "regdem-tune"),
         "--device none"])),
    ("%fake-app", " ".join(
        [sys.executable, "-I", "-S", os.path.join(
            config.test_source_root, "regdem-tune", "Inputs", "app.py")])),
    ("%tuned-llc", f"{regdem_llc} -regdem-ptxas=off "
     "-regdem-profile={profile} -regdem-report={report}"),
    ("%regdem-source", config.regdem_source),
    ("%regdem-build", config.regdem_build),
    ("%regdem", f"-fpass-plugin={plugin}"),
    ("%demote", f"-fpass-plugin={plugin} -mllvm -regdem-mode=demote "
     '-mllvm "-regdem-build=demote=belady:28"'),
    ("%plugin", plugin),
    ("%nvdisasm", features.nvdisasm(config.cuda_path)),
    ("%ptxas",
     f"{config.cuda_path}/bin/ptxas -arch=sm_90 -v"),
    ("%cuda", config.cuda_path),
    ("%triton-python", features.interpreter("triton")),
    ("%numba-python", features.interpreter("numba-cuda")),
    ("%each-ptxas",
     " ".join([config.python, f"{helpers}/each_ptxas.py"] + sorted(others))),
    ("%each-nvcc", " ".join(
        [config.python,
         f"{config.test_source_root}/regdem-nvcc/Inputs/each_nvcc.py",
         os.path.join(config.regdem_build, "bin", "regdem-nvcc"), config.cmake,
         os.path.join(config.regdem_build, "lib", "libRecordingRuntime.a")]
        + sorted(toolkits))),
    ("%report", f"{config.python} {helpers}/report.py"),
    ("%profile", f"{config.python} {helpers}/profile.py"),
    ("%region", f"{config.python} {helpers}/region.py"),
    ("%inputs", helpers),
    ("%python", config.python),
    ("%cmake", config.cmake),
]
