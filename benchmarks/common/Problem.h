//===- Problem.h - one random instance of a benchmark -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a benchmark's host.cpp describes: input and output arrays, the launches
// that make up one run, and how one element of the result is checked. Nothing
// here knows whether a GPU or the emulator runs it.
//
// A run must be repeatable: kernels read inputs and write outputs only.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COMMON_PROBLEM_H
#define BENCHMARKS_COMMON_PROBLEM_H

#include "common/Checker.h"
#include "common/Random.h"
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

struct Dim3 {
  unsigned X = 1, Y = 1, Z = 1;
};

/// Host side of a device array, type erased. Sizes are in bytes.
class ArrayBase {
public:
  explicit ArrayBase(bool IsOutput) : IsOutput(IsOutput) {}
  virtual ~ArrayBase() = default;
  virtual void *bytes() = 0;
  virtual size_t sizeInBytes() const = 0;
  const bool IsOutput;
};

/// After a run, an output array holds what the device wrote.
template <class T> class Array : public ArrayBase {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  using value_type = T;
  Array(size_t Count, bool IsOutput) : ArrayBase(IsOutput), Data(Count) {}
  size_t size() const { return Data.size(); }
  T &operator[](size_t I) { return Data[I]; }
  const T &operator[](size_t I) const { return Data[I]; }
  void *bytes() override { return Data.data(); }
  size_t sizeInBytes() const override { return Data.size() * sizeof(T); }

private:
  std::vector<T> Data;
};

/// A kernel argument: an array (passed as its device address) or up to 256
/// bytes passed by value.
struct Argument {
  const ArrayBase *Buffer = nullptr;
  alignas(16) std::array<unsigned char, 256> Value{};
};

struct Launch {
  std::string Kernel;
  Dim3 Grid, Block;
  std::vector<Argument> Arguments;
};

class Problem {
public:
  Problem(uint64_t Seed, bool Quick) : Seed(Seed), Quick(Quick) {}

  /// True for a size that the emulator can run in about a second.
  bool quick() const { return Quick; }

  /// An independent random sequence for each \p Stream.
  Random random(uint64_t Stream) const { return Random(Seed, Stream); }

  template <class T> Array<T> &input(size_t Count) {
    return addArray<T>(Count, false);
  }
  /// An input of random reals of [Low, High), of sequence \p Stream.
  template <class T>
  Array<T> &uniform(size_t Count, uint64_t Stream, double Low, double High) {
    Array<T> &Result = input<T>(Count);
    fillUniform(Result, random(Stream), Low, High);
    return Result;
  }
  /// An input of random bits, of sequence \p Stream.
  template <class T> Array<T> &bits(size_t Count, uint64_t Stream) {
    Array<T> &Result = input<T>(Count);
    fillBits(Result, random(Stream));
    return Result;
  }
  template <class T> Array<T> &output(size_t Count) {
    return addArray<T>(Count, true);
  }

  /// Appends a launch to the run. What is passed by value must have
  /// exactly the type of the kernel's parameter.
  template <class... Args>
  void launch(const std::string &Kernel, Dim3 Grid, Dim3 Block,
              const Args &...Arguments) {
    Launches.push_back({Kernel, Grid, Block, {makeArgument(Arguments)...}});
  }

  /// \p Check compares element \p I of [0, Count) with the CPU reference. At
  /// most \p Samples elements, evenly spread with a random start, are checked.
  /// \p Tolerance is the largest relative error that counts as right.
  void verify(size_t Count, size_t Samples, double Tolerance,
              std::function<void(size_t I, Checker &C)> Check);

  /// Compares the outputs with the reference; thread-safe checks only.
  Checker check() const;

  std::vector<std::unique_ptr<ArrayBase>> Arrays;
  std::vector<Launch> Launches;
  double Tolerance = 0;

private:
  template <class T> Array<T> &addArray(size_t Count, bool IsOutput) {
    auto Owned = std::make_unique<Array<T>>(Count, IsOutput);
    Array<T> &Result = *Owned;
    Arrays.push_back(std::move(Owned));
    return Result;
  }

  template <class T> static Argument makeArgument(const Array<T> &A) {
    Argument Result;
    Result.Buffer = &A;
    return Result;
  }
  template <class T> static Argument makeArgument(const T &Given) {
    static_assert(std::is_trivially_copyable_v<T> &&
                  sizeof(T) <= sizeof(Argument::Value));
    Argument Result;
    std::memcpy(Result.Value.data(), &Given, sizeof(T));
    return Result;
  }

  uint64_t Seed;
  bool Quick;
  size_t CheckCount = 0, CheckSamples = 0;
  std::function<void(size_t, Checker &)> CheckElement;
};

inline unsigned ceilDiv(size_t Value, size_t Divisor) {
  return unsigned((Value + Divisor - 1) / Divisor);
}

/// Defined by each benchmark's host.cpp.
void describe(Problem &P);

} // namespace bench

#endif // BENCHMARKS_COMMON_PROBLEM_H
