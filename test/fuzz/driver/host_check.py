"""Runs kernels on the CPU under UBSan and valgrind: a test of the generator.

Two threads of each kernel, the first and the last, run alone, one after the
other. What other threads would have written is missing, so the results say
nothing; but undefined arithmetic traps (-fsanitize-trap needs no runtime
library), and valgrind, if it is installed, reports accesses outside the
input and output arrays and decisions on uninitialised values.
"""

import os
import shutil
import tempfile

from kernelgen import unit

from .oracles import Result

_DRIVER = """
#include <cstdlib>
static unsigned state;
static unsigned next() {
  state = state * 1664525u + 1013904223u;
  return state ^ state >> 13;
}
typedef void (*Entry)(const u32 *, u32 *, u32);
static void launch(Entry entry, const u32 (&block)[3], const u32 (&grid)[3],
                   unsigned inWords, unsigned outWords, unsigned n) {
  u32 *in = static_cast<u32 *>(std::aligned_alloc(16, inWords * 4));
  u32 *out = static_cast<u32 *>(std::calloc(outWords, 4));
  for (unsigned i = 0; i < inWords; ++i)
    in[i] = next();
  for (int i = 0; i < 3; ++i) {
    fz_ntid[i] = block[i];
    fz_nctaid[i] = grid[i];
    fz_tid[i] = fz_ctaid[i] = 0;
  }
  entry(in, out, n);
  for (int i = 0; i < 3; ++i) {
    fz_tid[i] = block[i] - 1;
    fz_ctaid[i] = grid[i] - 1;
  }
  entry(in, out, n);
  std::free(in);
  std::free(out);
}
int main() {
"""


class HostCheck:
    def __init__(self, tools, keep):
        self.tools = tools
        self.keep = keep

    def check(self, seeds):
        kernels = unit.generate(seeds)
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
                with open(path, "w", encoding="utf-8") as file:
                    file.write(outcome.text)
            result.failures = [(seeds[0], oracle, outcome.headline())]
        return result

    def _run(self, kernels, folder):
        source = os.path.join(folder, "kernels.cpp")
        program = os.path.join(folder, "kernels")
        with open(source, "w", encoding="ascii") as file:
            file.write(unit.source(kernels) + _DRIVER)
            for kernel in kernels:
                meta = kernel.metadata()
                file.write("  launch(%s, {%d, %d, %d}, {%d, %d, %d}, %du, "
                           "%du, %du);\n" % (
                               kernel.name, *meta["block"], *meta["grid"],
                               meta["in_words"], meta["out_words"],
                               meta["n"]))
            file.write("}\n")
        outcome = self.tools.run([
            self.tools.clang, "-std=c++17", "-O1", "-w", "-g1",
            "-fsanitize=undefined,float-cast-overflow",
            "-fsanitize-trap=undefined,float-cast-overflow", "-I",
            os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
            source, "-o", program])
        if not outcome.ok:
            return outcome, "host compiler"
        valgrind = shutil.which("valgrind")
        command = [valgrind, "-q", "--error-exitcode=9"] if valgrind else []
        return self.tools.run(command + [program]), "undefined behaviour"
