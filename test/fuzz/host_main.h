//===- host_main.h - runs fuzz kernels on the CPU ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the programs that driver/host_check.py makes of generated kernels, built
// with FZ_WHOLE_BLOCK. The input is the one that a GPU run gets, so that the
// output can be compared with a GPU's, too.
//
//===----------------------------------------------------------------------===//
#include "gpu/input.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Conversions to bf16, which libgcc has from release 13 on, for processors that
// have no instruction for them. Rounded to nearest, ties to even.
extern "C" __attribute__((weak)) bf16 __truncsfbf2(f32 x) {
  u32 bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  bits = x == x ? bits + 0x7fff + (bits >> 16 & 1) : bits | 0x400000;
  u16 upper = (u16)(bits >> 16);
  bf16 result;
  __builtin_memcpy(&result, &upper, sizeof result);
  return result;
}

// By way of a float that is odd unless it is exact, so that x is rounded once.
extern "C" __attribute__((weak)) bf16 __truncdfbf2(f64 x) {
  f32 near = (f32)x;
  if (x == x && (f64)near != x) {
    u32 bits;
    __builtin_memcpy(&bits, &near, sizeof bits);
    bits -= __builtin_fabs((f64)near) > __builtin_fabs(x);
    bits |= 1;
    __builtin_memcpy(&near, &bits, sizeof bits);
  }
  return __truncsfbf2(near);
}

// All __shared__ variables, which each block finds filled with some byte.
extern char __start_fz_shared[], __stop_fz_shared[];
__attribute__((section("fz_shared"), used)) static u32 fz_no_shared;

// The output of a launch whose threads run in an order (see device_block.h).
static std::vector<u32> fz_launch(FzEntry entry, const u32 (&block)[3],
                                  const u32 (&grid)[3], u32 inWords,
                                  u32 outWords, u32 n, u32 seed,
                                  FzSchedule order) {
  std::vector<u32> words = randomWords(inWords, seed);
  u32 *in = static_cast<u32 *>(std::aligned_alloc(16, inWords * 4));
  std::memcpy(in, words.data(), inWords * 4);
  std::vector<u32> out(outWords, PoisonedOutput);
  FzKernel = entry;
  FzIn = in;
  FzOut = out.data();
  FzN = n;
  FzOrder = order;
  for (int i = 0; i < 3; ++i) {
    fz_ntid[i] = block[i];
    fz_nctaid[i] = grid[i];
  }
  for (u32 b = 0; b < grid[0] * grid[1] * grid[2]; ++b) {
    fz_ctaid[0] = b % grid[0];
    fz_ctaid[1] = b / grid[0] % grid[1];
    fz_ctaid[2] = b / grid[0] / grid[1];
    std::memset(__start_fz_shared, fz_filling(),
                static_cast<size_t>(__stop_fz_shared - __start_fz_shared));
    fz_run_block(block[0] * block[1] * block[2]);
  }
  std::free(in);
  return out;
}

// Prints a hash of the output; ends the program with status 8 if the order of
// the threads or what unwritten memory holds can be seen in it. Stores the
// output in 'file', if given.
static void fz_check(const char *name, FzEntry entry, const u32 (&block)[3],
                     const u32 (&grid)[3], u32 inWords, u32 outWords, u32 n,
                     u32 seed, const char *file) {
  std::vector<u32> out =
      fz_launch(entry, block, grid, inWords, outWords, n, seed, FzForwards);
  for (FzSchedule order : {FzBackwards, FzByTurns}) {
    std::vector<u32> again =
        fz_launch(entry, block, grid, inWords, outWords, n, seed, order);
    for (size_t i = 0; i < out.size(); ++i)
      if (out[i] != again[i]) {
        std::fprintf(stderr,
                     "error: %s: word %zu is %08x or %08x: a race, or a value "
                     "that nobody wrote\n",
                     name, i, out[i], again[i]);
        std::exit(8);
      }
  }
  u32 hash = 0;
  for (u32 word : out)
    hash = fz_mix(hash, word);
  std::printf("%s %zu words, hash %08x\n", name, out.size(), hash);
  if (!file)
    return;
  std::FILE *to = std::fopen(file, "wb");
  if (!to || std::fwrite(out.data(), 4, out.size(), to) != out.size() ||
      std::fclose(to))
    std::exit(9);
}
