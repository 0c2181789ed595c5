//===- SassArithmetic.h - instructions that count loops ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_MACHINECODE_SASSARITHMETIC_H
#define REGDEM_LIB_MACHINECODE_SASSARITHMETIC_H

#include "regdem/MachineCode/Sass.h"

namespace regdem {

/// The constant that I puts into its result; none where it does something else.
std::optional<int32_t> constantResult(const SassInstruction &I);

/// A sum of a register and a constant. The names refer to the instruction's
/// text.
struct Addition {
  llvm::StringRef To, From;
  int32_t Constant = 0;
};

/// The sum that I computes; none where it does something else.
std::optional<Addition> readAddition(const SassInstruction &I);

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

/// The predicate of the uniform datapath that I copies for others, by name;
/// empty where it does something else.
llvm::StringRef copiedPredicate(const SassInstruction &I);

} // namespace regdem

#endif // REGDEM_LIB_MACHINECODE_SASSARITHMETIC_H
