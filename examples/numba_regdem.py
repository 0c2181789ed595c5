# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has Numba-CUDA make PTX with RegDem instead of NVIDIA's libNVVM.

    import numba_regdem                     # before Numba is
    numba_regdem.install("-regdem-max-regs=64")

Numba's IR is optimised by LLVM 22's opt, with libdevice, and compiled by
regdem-llc (REGDEM_LLC, or on the search path). Compile kernels with lto=False,
and without debug=True. Where CUDA is not in /usr/local/cuda, set CUDA_PATH.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

if "llvmlite" in sys.modules:
    raise ImportError("import numba_regdem before numba")
# LLVM 22 reads pointers without pointee types only.
os.environ["LLVMLITE_ENABLE_IR_LAYER_TYPED_POINTERS"] = "0"


def libdevice():
    cuda = os.environ.get("CUDA_PATH", "/usr/local/cuda")
    return Path(cuda) / "nvvm/libdevice/libdevice.10.bc"


def run(*words):
    done = subprocess.run(words, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{words[0]}: {done.stderr.strip()}")


def compile_ir(flags, modules, options):
    """PTX of Numba's modules, as numba.cuda.cudadrv.nvvm.compile_ir."""
    if "gen-lto" in options or "g" in options:
        raise RuntimeError("RegDem takes kernels with lto=False and debug=False")
    fast = options.get("fastmath", False)
    target = ["-mcpu=" + options["arch"].replace("compute_", "sm_"), "-mattr=+ptx88"]
    llc = target + ["-O3", f"-fp-contract={'fast' if options.get('fma', True) else 'off'}"]
    if fast or options.get("prec_div", True) is False:
        llc.append("-nvptx-prec-divf32=1")
    if fast or options.get("prec_sqrt", True) is False:
        llc.append("-nvptx-prec-sqrtf32=0")
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for module in modules:
            files.append(Path(folder) / f"{len(files)}.ll")
            if fast or options.get("ftz"):
                module = flush_to_zero(module)
            files[-1].write_text(module)
        linked, best, ptx = (Path(folder) / name for name in ("linked", "best", "ptx"))
        run("llvm-link-22", *files, "--only-needed", libdevice(), "-o", linked)
        run("opt-22", "-passes=internalize,default<O3>", *target, linked, "-o", best)
        run(os.environ.get("REGDEM_LLC", "regdem-llc"), *llc, best, "-o", ptx, *flags)
        return ptx.read_bytes()


def flush_to_zero(module):
    """Tells LLVM and libdevice that denormal numbers are zero."""
    attribute = ' "denormal-fp-math-f32"="preserve-sign"'
    lines = [
        line + attribute if line.startswith("define ") else line
        for line in module.splitlines()
    ]
    lines.append("!llvm.module.flags = !{ !9999 }")
    lines.append('!9999 = !{ i32 4, !"nvvm-reflect-ftz", i32 1 }')
    return "\n".join(lines)


def install(*flags):
    """Kernels that are compiled from now on go through RegDem."""
    from numba.cuda.cudadrv import nvvm

    def replaced(llvmir, **options):
        modules = [llvmir] if isinstance(llvmir, str) else llvmir
        return compile_ir(flags, modules, options)

    nvvm.compile_ir = replaced
