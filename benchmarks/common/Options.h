//===- Options.h - command line of a benchmark program ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COMMON_OPTIONS_H
#define BENCHMARKS_COMMON_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// One build of the kernel. Results are compared bit for bit with the first
/// variant of the same family, because two compilers may contract
/// multiplications and additions differently.
struct Variant {
  std::string Family, Name, Path;
};

struct Options {
  std::vector<Variant> Variants;
  uint64_t FirstSeed = 1;
  unsigned Seeds = 3;        ///< random inputs that are checked
  unsigned Repetitions = 20; ///< timed runs of each variant; 0 = check only
  bool Quick = false;
};

/// Reads the command line; prints usage and ends the program on an error.
Options parseOptions(int Count, char **Values);

} // namespace bench

#endif // BENCHMARKS_COMMON_OPTIONS_H
