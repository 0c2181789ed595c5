//===- SassArithmetic.h - what counters are computed by ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_MACHINECODE_SASSARITHMETIC_H
#define REGDEM_LIB_MACHINECODE_SASSARITHMETIC_H

#include "regdem/MachineCode/SassInstruction.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <optional>

namespace regdem {

using Words = llvm::ArrayRef<uint32_t>;

/// A function of 32-bit words and of predicates, which are 0 or 1. "!" in front
/// of an input is not part of it.
struct SassArithmetic {
  llvm::SmallVector<SassOperand, 3> Inputs; ///< Registers and constants.
  std::function<uint32_t(Words)> Compute;
};

/// What O holds, whatever is in registers: 32 bits, or 0 or 1 of a predicate.
std::optional<uint32_t> constantOf(const SassOperand &O);

/// What I puts into Result, which it writes; none where it does something else,
/// or not for all threads.
std::optional<SassArithmetic> readArithmetic(const SassInstruction &I,
                                             SassRegister Result);

} // namespace regdem

#endif // REGDEM_LIB_MACHINECODE_SASSARITHMETIC_H
