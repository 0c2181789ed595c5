//===- InstOrder.h - orders that a block can be built in --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM gives a block of NVPTX code to ptxas in the order of the source: its
// scheduler is off for this target. ptxas keeps to the order it is given more
// than one would think. The same 302 instructions of a seismic stencil
// (benchmarks/kernels/tti) take 62 registers in the order of the source and 40
// in another, and an unrolled LU factorisation under 48 registers spills 2064
// bytes or 660. Which order serves a kernel is found by trying.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_INSTORDER_H
#define REGDEM_DECISION_INSTORDER_H

#include "llvm/ADT/StringRef.h"

namespace regdem {

enum class InstOrder {
  Source, ///< As instruction selection leaves it.
  /// From the end of the block upwards, always what frees the most registers,
  /// or else what makes the value that was wanted last.
  Near,
  /// The same, but what the longest chain of instructions leads to comes before
  /// the value that was wanted last.
  Deep,
};

/// The orders other than the source's.
inline constexpr InstOrder OtherOrders[] = {InstOrder::Near, InstOrder::Deep};

/// Its name; empty for the source's.
llvm::StringRef toString(InstOrder Order);

/// The order that toString() calls Name; Source for any other text.
InstOrder parseInstOrder(llvm::StringRef Name);

} // namespace regdem

#endif // REGDEM_DECISION_INSTORDER_H
