"""Runs kernels on the CPU: a test of the generator, and a reference.

First all threads of each launch run as CUDA defines it (device_block.h), in
two orders, with two fillings of shared memory and of uninitialised variables;
the outputs must be the same, and no thread may wait alone. That finds races,
barriers that are not reached together, and uninitialised values. Undefined
arithmetic and indices outside local and shared arrays trap (the trap needs no
runtime library). Then two threads of each kernel run alone under valgrind, if
it is installed, for accesses outside the input and output arrays.

Floating-point results may differ from a GPU's where a half-precision product
is fused with a sum, and in the sign of zeros that fmin and fmax choose.
"""

import os
import shutil
import tempfile

from kernelgen import unit
from kernelgen.family import Contents

from .files import write
from .result import Result
from .toolchain import Outcome

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_TRAPS = ["-fsanitize=undefined,float-cast-overflow",
          "-fsanitize-trap=undefined,float-cast-overflow"]
_TWO_THREADS = """
#include "gpu/input.h"
#include <cstdlib>
#include <cstring>
typedef void (*Entry)(const u32 *, u32 *, u32);
static void check(Entry entry, const u32 (&block)[3], const u32 (&grid)[3],
                  u32 inWords, u32 outWords, u32 n, u32 seed) {
  u32 *in = static_cast<u32 *>(std::aligned_alloc(16, inWords * 4));
  u32 *out = static_cast<u32 *>(std::calloc(outWords, 4));
  std::memcpy(in, randomWords(inWords, seed).data(), inWords * 4);
  for (int last = 0; last < 2; ++last) {
    for (int i = 0; i < 3; ++i) {
      fz_ntid[i] = block[i];
      fz_nctaid[i] = grid[i];
      fz_tid[i] = last ? block[i] - 1 : 0;
      fz_ctaid[i] = last ? grid[i] - 1 : 0;
    }
    entry(in, out, n);
  }
  std::free(in);
  std::free(out);
}
"""


def _arguments(kernel):
    meta = kernel.metadata()
    return "%s, {%d, %d, %d}, {%d, %d, %d}, %du, %du, %du, %du" % (
        kernel.name, *meta["block"], *meta["grid"], meta["in_words"],
        meta["out_words"], meta["n"], meta["seed"])


def block_main(kernels):
    """C++ whose main runs the kernels and prints a line for each; it stores
    the outputs in the files that its arguments name."""
    calls = ["  fz_check(\"%s\", %s, argc > %d ? argv[%d] : nullptr);\n" % (
        k.name, _arguments(k), i + 1, i + 1) for i, k in enumerate(kernels)]
    return "#include \"host_main.h\"\nint main(int argc, char **argv) {\n" \
        + "".join(calls) + "}\n"


def build_block_program(tools, kernels, path, extra):
    """The kernels' source as such a program; the compiler's outcome."""
    write(path + ".cpp", unit.source(kernels) + block_main(kernels))
    # Fused products as the family's kernels have them on a GPU.
    return compile_host(tools, path, [
        "-DFZ_WHOLE_BLOCK", "-march=native",
        "-ffp-contract=" + kernels[0].family.contract] + extra)


def compile_host(tools, path, extra):
    """path.cpp as the program path, which runs for less time than optimizing
    takes."""
    return tools.run([tools.clang, "-std=c++17", "-O0", "-w", "-g1", "-I",
                      _FOLDER, path + ".cpp", "-o", path] + extra)


class HostCheck:
    def __init__(self, tools, keep, contents=Contents()):
        self.tools = tools
        self.keep = keep
        self.contents = contents

    def check(self, seeds):
        kernels = unit.generate(seeds, self.contents)
        result = Result()
        with tempfile.TemporaryDirectory(prefix="regdem-host-") as folder:
            outcome, oracle = self._run(kernels, folder)
        if outcome.ok:
            result.metadata = {k.name: k.metadata() for k in kernels}
        elif len(seeds) > 1:
            for seed in seeds:
                result.merge(self.check([seed]))
        else:
            if self.keep:
                path = os.path.join(self.keep, "seed_%d.txt" % seeds[0])
                write(path, outcome.text)
            result.failures = [(seeds[0], oracle, outcome.headline())]
        return result

    def _run(self, kernels, folder):
        outcome, oracle = self._whole_blocks(kernels, folder)
        return (outcome, oracle) if not outcome.ok else self._two_threads(
            kernels, folder)

    def _whole_blocks(self, kernels, folder):
        texts = []
        for filling in ("zero", "pattern"):
            path = os.path.join(folder, filling)
            outcome = build_block_program(self.tools, kernels, path, _TRAPS + [
                "-ftrivial-auto-var-init=" + filling])
            if not outcome.ok:
                return outcome, "host compiler"
            outcome = self.tools.run([path])
            if not outcome.ok:
                return outcome, "undefined behaviour"
            texts.append(outcome.text)
        if texts[0] != texts[1]:
            outcome = Outcome(1, "error: uninitialised value")
        return outcome, "undefined behaviour"

    def _two_threads(self, kernels, folder):
        path = os.path.join(folder, "threads")
        write(path + ".cpp", unit.source(kernels) + _TWO_THREADS
              + "int main() {\n" + "".join("  check(%s);\n" % _arguments(k)
                                           for k in kernels) + "}\n")
        outcome = compile_host(self.tools, path, _TRAPS)
        if not outcome.ok:
            return outcome, "host compiler"
        valgrind = shutil.which("valgrind")
        command = [valgrind, "-q", "--error-exitcode=9"] if valgrind else []
        return self.tools.run(command + [path]), "undefined behaviour"
