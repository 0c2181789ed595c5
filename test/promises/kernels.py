# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of small CUDA kernels: what they keep in local arrays and
registers, how their blocks wait for each other, their shared memory, launch
bounds and annotations. Both clang and nvcc compile them."""

from dataclasses import dataclass, field

THREADS = (32, 64, 96, 128, 128, 192, 256, 256, 384, 512, 768, 1024)
CAPS = (24, 32, 40, 48, 64, 80, 96)
DYNAMIC = (0, 1024, 4096, 16384, 20000, 40000, 65536)  # bytes
SM_THREADS = 2048
SM_BLOCKS = 32

HEADER = """#include <cuda_runtime.h>
#ifdef __clang__
#define REGDEM(text) __attribute__((annotate("regdem:" text)))
#else
#define REGDEM(text)
#endif
__device__ unsigned arrived;
// A grid barrier that the compiler cannot know.
__device__ inline void meet(unsigned *count, unsigned round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < round * gridDim.x) {
    }
  }
  __syncthreads();
}
"""
OWN_GRID = """
// As cooperative groups do: the driver tells where the grid's counter is.
__device__ inline void sync_grid(unsigned round) {
  unsigned high, low;
  asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
  meet((unsigned *)((unsigned long long)high << 32 | low), round);
}
"""
LIBRARY_GRID = """
#include <cooperative_groups.h>
__device__ inline void sync_grid(unsigned) {
  cooperative_groups::this_grid().sync();
}
"""
OWN = """  __shared__ unsigned own[%d];
  own[threadIdx.x %% %d] = in[t];
  __syncthreads();
  sum += own[threadIdx.x * 7 %% %d];
"""
DYNAMIC_USE = """  extern __shared__ unsigned dynamic[];
  dynamic[threadIdx.x] = in[t + n];
  __syncthreads();
  sum += dynamic[blockDim.x - 1 - threadIdx.x];
"""
VALUES = """  unsigned v[%d];
#pragma unroll
  for (int k = 0; k < %d; ++k)
    v[k] = in[t + k * n];
"""
VALUES_USE = """#pragma unroll
    for (int k = 0; k < %d; ++k)
      v[k] = v[k] * v[(k * 7 + 3) %% %d] + v[(k + 1) %% %d];
"""
BINS = """  unsigned bins[%d];
  for (int i = 0; i < %d; ++i)
    bins[i] = i;
"""
BINS_USE = """    for (int i = t; i < n; i += gridDim.x * blockDim.x) {
      unsigned key = in[i];
      bins[key %% %du] += key;
      bins[(key >> 8) %% %du] ^= key + r;
    }
"""


@dataclass
class Kernel:
    """values: live at once; bins: words of a local array that data index;
    barrier: "", "grid" (the driver tells of the grid) or "atomic"; own: words
    of static shared memory; threads, blocks: launch bounds, 0 if not stated;
    annotation: RegDem's, by key; launched: threads and dynamic bytes."""

    name: str
    values: int = 0
    bins: int = 0
    barrier: str = ""
    own: int = 0
    dynamic: bool = False
    threads: int = 0
    blocks: int = 0
    annotation: dict = field(default_factory=dict)
    launched: tuple = (128, 0)

    def bounds(self):
        if not self.threads:
            return ""
        blocks = f", {self.blocks}" if self.blocks else ""
        return f"__launch_bounds__({self.threads}{blocks}) "

    def head(self):
        texts = ",".join(f"{k}={v}" for k, v in self.annotation.items())
        annotation = f'REGDEM("{texts}") ' if texts else ""
        return (f'extern "C" {annotation}__global__ void {self.bounds()}'
                f"{self.name}(const unsigned *in, unsigned *out, int n, "
                "int rounds) {\n"
                "  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  unsigned sum = in[t];\n")

    def round(self):
        """What each round does; the blocks meet after it."""
        text = ""
        if self.values:
            text += VALUES_USE % ((self.values,) * 3)
        if self.bins:
            text += BINS_USE % ((self.bins,) * 2)
        if self.barrier == "grid":
            text += "    sync_grid(r);\n"
        elif self.barrier == "atomic":
            text += "    meet(&arrived, r);\n"
        return text

    def text(self):
        text = self.head()
        if self.own:
            text += OWN % ((self.own,) * 3)
        if self.dynamic:
            text += DYNAMIC_USE
        if self.values:
            text += VALUES % ((self.values,) * 2)
        if self.bins:
            text += BINS % ((self.bins,) * 2)
        if body := self.round():
            text += f"  for (int r = 1; r <= rounds; ++r) {{\n{body}  }}\n"
        for array, size in (("v", self.values), ("bins", self.bins)):
            if size:
                unroll = "#pragma unroll\n" if array == "v" else ""
                text += (f"{unroll}  for (int k = 0; k < {size}; ++k)\n"
                         f"    sum = sum * 31 + {array}[k];\n")
        return text + "  out[t] = sum;\n}\n"

    def launch(self):
        threads, dynamic = self.launched
        return f"  {self.name}<<<64, {threads}, {dynamic}>>>(in, out, 1024, 2);\n"


def random_annotation(rng, kernel):
    """Up to two settings, none of which goes against another."""
    known = kernel.threads or 256
    choices = [("mode", "off"), ("max-regs", rng.choice(CAPS)),
               ("min-blocks", rng.randint(1, min(SM_BLOCKS, SM_THREADS // known))),
               ("dynamic-smem", rng.choice(DYNAMIC)), ("mode", "demote")]
    if not kernel.threads:
        choices.append(("block-size", rng.choice(THREADS)))
    return dict(rng.sample(choices, rng.choice((0, 0, 0, 1, 1, 2))))


def random_kernel(rng, name):
    body = rng.choice(("bins", "bins", "values", "values", "both", "small"))
    kernel = Kernel(name)
    if body in ("values", "both"):
        kernel.values = rng.choice((24, 40, 64, 96))
    if body in ("bins", "both"):
        kernel.bins = rng.choice((6, 12, 24, 40, 60))
    kernel.barrier = rng.choice(("", "", "grid", "atomic"))
    if rng.random() < 0.25:
        kernel.own = rng.choice((32, 500, 2000, 6000, 10000))
    kernel.dynamic = rng.random() < 0.25
    if rng.random() < 0.8:
        kernel.threads = rng.choice(THREADS)
        if rng.random() < 0.6:
            most = min(16, SM_THREADS // kernel.threads)
            kernel.blocks = rng.randint(1, most)
    kernel.annotation = random_annotation(rng, kernel)
    dynamic = kernel.annotation.get("dynamic-smem", 4096)
    kernel.launched = (kernel.threads or rng.choice(THREADS),
                       dynamic if kernel.dynamic else 0)
    return kernel


def random_program(rng):
    return [random_kernel(rng, f"k{index}") for index in range(rng.randint(3, 5))]


def text(kernels, library_grid):
    """Source of a program. library_grid: includes cooperative groups' header."""
    grid = LIBRARY_GRID if library_grid else OWN_GRID
    return (HEADER + grid + "\n" + "\n".join(k.text() for k in kernels)
            + "\nvoid run(const unsigned *in, unsigned *out) {\n"
            + "".join(k.launch() for k in kernels) + "}\n")
