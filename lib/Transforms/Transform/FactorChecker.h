//===- FactorChecker.h - whether two factors are the same -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares integers by computing both, with LLVM's constant folding, from the
// same random values of all that does not fold (loads, arguments, phis) or is
// farther away than value tracking looks. What is known of these holds for
// their values.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_FACTORCHECKER_H
#define REGDEM_LIB_TRANSFORM_FACTORCHECKER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace llvm {
class Constant;
class DataLayout;
class Value;
} // namespace llvm

namespace regdem {

class FactorChecker {
public:
  explicit FactorChecker(const llvm::DataLayout &Layout) : Layout(Layout) {}

  /// Success unless New is another integer than Old in one of some runs;
  /// otherwise an error of one line.
  llvm::Error compare(llvm::Value *Old, llvm::Value *New);

private:
  using Run = llvm::DenseMap<llvm::Value *, llvm::Constant *>;

  const llvm::DataLayout &Layout;
  Run Runs[16];
  uint64_t Drawn = 0; ///< Random words so far, the same in each build.

  llvm::Constant *compute(llvm::Value *V, Run &Values, unsigned Depth = 0);
  llvm::Constant *leaf(llvm::Value *V);
  uint64_t randomWord();
};

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_FACTORCHECKER_H
