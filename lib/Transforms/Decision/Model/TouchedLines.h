//===- TouchedLines.h - loads next to earlier ones --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a warp finds in L1 is not in the code, with one exception: a load from
// next to where the warp has loaded before, as neighbours in a row of a stencil
// or members of a structure are. It shows where both have the same base
// register.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_TOUCHEDLINES_H
#define REGDEM_LIB_DECISION_MODEL_TOUCHEDLINES_H

#include "regdem/Decision/VariantCode.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace regdem {

/// Follows the instructions of a trace.
class TouchedLines {
public:
  /// I is the next instruction, of unit Unit. The distance in bytes to the
  /// nearest of the earlier loads from global memory with the same base, if it
  /// is such a load and there is one.
  std::optional<uint64_t> note(const SassInstruction &I, TraceUnit Unit);

private:
  struct Base {
    llvm::SmallVector<SassRegister, 4> Registers;
    llvm::SmallVector<int64_t, 4> Offsets;
  };
  /// By what stands in brackets, without the constant offset. Those whose
  /// registers have been written since are gone.
  llvm::StringMap<Base> Bases;
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_TOUCHEDLINES_H
