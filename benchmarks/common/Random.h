//===- Random.h - counter-based random input --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random numbers as a pure function of (seed, stream, index), so that an array
// can be filled by any number of threads and is the same on every machine.
// The mixing function is SplitMix64's finaliser (Steele, Lea, Flood, "Fast
// splittable pseudorandom number generators", OOPSLA 2014).
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COMMON_RANDOM_H
#define BENCHMARKS_COMMON_RANDOM_H

#include "common/Parallel.h"
#include <cstddef>
#include <cstdint>

namespace bench {

inline uint64_t mix64(uint64_t X) {
  X += 0x9E3779B97F4A7C15ull;
  X = (X ^ (X >> 30)) * 0xBF58476D1CE4E5B9ull;
  X = (X ^ (X >> 27)) * 0x94D049BB133111EBull;
  return X ^ (X >> 31);
}

/// An independent sequence of random numbers, addressed by index.
class Random {
public:
  Random(uint64_t Seed, uint64_t Stream) : Key(mix64(mix64(Seed) + Stream)) {}

  uint64_t bits(uint64_t Index) const { return mix64(Key ^ mix64(Index)); }

  /// Uniform in [0, 1), 53 random bits.
  double unit(uint64_t Index) const { return (bits(Index) >> 11) * 0x1p-53; }

  double uniform(uint64_t Index, double Low, double High) const {
    return Low + (High - Low) * unit(Index);
  }

  /// Uniform in [0, Bound); the bias is below 2^-32 for the bounds used here.
  uint32_t below(uint64_t Index, uint32_t Bound) const {
    return uint32_t(((bits(Index) >> 32) * Bound) >> 32);
  }

private:
  uint64_t Key;
};

/// Fills \p Data with uniform reals of [Low, High).
template <class Container>
void fillUniform(Container &Data, const Random &R, double Low, double High) {
  using T = typename Container::value_type;
  parallelFor(Data.size(), [&](size_t Begin, size_t End) {
    for (size_t I = Begin; I < End; ++I)
      Data[I] = T(R.uniform(I, Low, High));
  });
}

/// Fills \p Data with random bits.
template <class Container> void fillBits(Container &Data, const Random &R) {
  using T = typename Container::value_type;
  parallelFor(Data.size(), [&](size_t Begin, size_t End) {
    for (size_t I = Begin; I < End; ++I)
      Data[I] = T(R.bits(I));
  });
}

} // namespace bench

#endif // BENCHMARKS_COMMON_RANDOM_H
