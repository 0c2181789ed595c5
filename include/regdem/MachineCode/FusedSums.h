//===- FusedSums.h - which products machine code fuses ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM and ptxas make one instruction, which rounds once, of some sums and a
// product that they read. Where each instruction of the source has a line of
// its own, machine code shows of which.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_FUSEDSUMS_H
#define REGDEM_MACHINECODE_FUSEDSUMS_H

#include "regdem/MachineCode/Sass.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace regdem {

/// A product that a sum reads.
struct NumberedProduct {
  unsigned Line = 0;
  bool IsReadOnce = false;        ///< Nothing but the sum reads it.
  bool IsNear = false;            ///< It is in the sum's block.
  std::vector<unsigned> Operands; ///< Lines of what it multiplies.
};

struct NumberedSum {
  unsigned Line = 0;
  std::optional<NumberedProduct> Products[2]; ///< By operand of the sum.
};

/// What becomes of a sum.
enum class Fusing : char {
  None = '.',  ///< It is rounded by itself.
  First = 'f', ///< Its first operand is fused with it.
  Second = 's'
};

/// Texts that say so of the sums of a function: "sums:" and, in their order, a
/// character for each.
inline constexpr llvm::StringLiteral FusingPrefix = "sums:", EachFusing = ".fs";

/// What becomes of Sums where LLVM fuses all that it can, as such a text.
std::string usualFusing(const std::vector<NumberedSum> &Sums);

/// What seems to become of Sums in K's code. Sums that lost their lines on the
/// way are what they usually are.
std::string readFusing(const SassKernel &K,
                       const std::vector<NumberedSum> &Sums);

} // namespace regdem

#endif // REGDEM_MACHINECODE_FUSEDSUMS_H
