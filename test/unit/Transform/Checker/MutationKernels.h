//===- MutationKernels.h - LLVM IR that mutants are made of -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_MUTATIONKERNELS_H
#define REGDEM_TEST_UNIT_MUTATIONKERNELS_H

#include <string>
#include <vector>

namespace regdem::test {

struct MutationKernel {
  const char *Name;
  std::string IR;
};

/// Small kernels with more values alive than are left registers: values of one
/// width and of several, that live across loops, are redefined in loops and in
/// the arms of branches, and are needed on one side of a branch only; in blocks
/// of known and of unknown shape.
std::vector<MutationKernel> mutationKernels();

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_MUTATIONKERNELS_H
