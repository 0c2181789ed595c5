//===- RegisterPressure.h - registers that live values take -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_REGISTERPRESSURE_H
#define REGDEM_ANALYSIS_REGISTERPRESSURE_H

#include "regdem/Analysis/KernelGraph.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace regdem {

/// Registers in use at one point, or the most over several points. Values that
/// ptxas recomputes for nothing take none.
struct RegisterPressure {
  unsigned Words = 0;      ///< Registers of 32 bits.
  unsigned Predicates = 0; ///< Registers of the predicate file.

  RegisterPressure &operator+=(const RegisterPressure &Other) {
    Words += Other.Words;
    Predicates += Other.Predicates;
    return *this;
  }
  bool operator==(const RegisterPressure &Other) const {
    return Words == Other.Words && Predicates == Other.Predicates;
  }
};

/// The component-wise maximum.
RegisterPressure max(const RegisterPressure &A, const RegisterPressure &B);

/// What value V adds while it is live.
RegisterPressure pressureOf(const KernelGraph &Graph, ValueId V);

/// The most pressure inside each block, by BlockId.
std::vector<RegisterPressure> blockPressures(const KernelGraph &Graph);

/// The most pressure anywhere in the kernel.
RegisterPressure maxPressure(const KernelGraph &Graph);

void print(llvm::raw_ostream &OS, const RegisterPressure &Pressure);

} // namespace regdem

#endif // REGDEM_ANALYSIS_REGISTERPRESSURE_H
