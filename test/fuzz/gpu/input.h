//===- input.h - a kernel's input and output before a launch ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGDEM_FUZZ_GPU_INPUT_H
#define REGDEM_FUZZ_GPU_INPUT_H

#include <array>
#include <vector>

/// What each word of the output holds before the launch.
constexpr unsigned PoisonedOutput = 0xa5c35a3cu;

/// Of fz_args, device.h.
constexpr unsigned ArgumentWords = 24;

/// A kernel's last parameter, which is N or begins with it. As a float, no word
/// but that is more than 2.
inline std::array<unsigned, ArgumentWords> argumentsOf(unsigned N) {
  std::array<unsigned, ArgumentWords> Words = {N};
  for (unsigned I = 1; I != ArgumentWords; ++I)
    Words[I] = (N * (2 * I + 1) + I * 0x9e3779b9u) & 0x3fffffffu;
  return Words;
}

/// The input of the kernel with this seed: splitmix64 (Steele, Lea, Flood: Fast
/// Splittable Pseudorandom Number Generators, OOPSLA 2014), two words a step.
inline std::vector<unsigned> randomWords(unsigned Count,
                                         unsigned long long Seed) {
  std::vector<unsigned> Words;
  unsigned long long State = Seed * 0x9e3779b97f4a7c15ull + 1;
  while (Words.size() < Count) {
    State += 0x9e3779b97f4a7c15ull;
    unsigned long long Z = State;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9ull;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebull;
    Z ^= Z >> 31;
    Words.push_back(static_cast<unsigned>(Z));
    Words.push_back(static_cast<unsigned>(Z >> 32));
  }
  Words.resize(Count);
  return Words;
}

#endif
