//===- SassArithmetic.h - instructions that count loops ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TOOLCHAIN_SASSARITHMETIC_H
#define REGDEM_LIB_TOOLCHAIN_SASSARITHMETIC_H

#include "regdem/Toolchain/Sass.h"

namespace regdem {

/// The constant that I puts into its only result; none where it does something
/// else.
std::optional<int32_t> constantResult(const SassInstruction &I);

/// The constant by which I steps the register named R; none where it does
/// something else.
std::optional<int32_t> stepOf(const SassInstruction &I, llvm::StringRef R);

/// A comparison of a register with a constant. The names refer to the
/// instruction's text.
struct Comparison {
  llvm::StringRef Register;
  llvm::StringRef Relation; ///< EQ, NE, LT, LE, GT or GE.
  bool Unsigned = false;
  int32_t Limit = 0;

  bool holds(int32_t Value) const;
};

/// The comparison whose result I puts into the predicate of that name; none
/// where it does something else.
std::optional<Comparison> readComparison(const SassInstruction &I,
                                         llvm::StringRef Predicate);

} // namespace regdem

#endif // REGDEM_LIB_TOOLCHAIN_SASSARITHMETIC_H
