//===- StridedStores.h - stores to places that are apart --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the threads of a warp store to neighbouring places shows in the code
// in one case: where a thread stores several words side by side (a structure, a
// row of a small matrix), those of the next thread lie behind them, or the
// threads would overwrite each other's. Each store then touches as many sectors
// of L2 as the threads' parts are long, though it fills none of them.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_STRIDEDSTORES_H
#define REGDEM_LIB_DECISION_MODEL_STRIDEDSTORES_H

#include "regdem/Decision/Model/CodeSummary.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <array>

namespace regdem {

/// Follows the instructions of a trace. Two stores are side by side if their
/// addresses are the same register with the same contents, which may have been
/// kept in shared or local memory meanwhile, and constant offsets that follow
/// on each other.
class StridedStores {
public:
  StridedStores();

  /// I is the next instruction, of unit Unit.
  void note(const SassInstruction &I, TraceUnit Unit);

  /// Sets TraceStep::Sectors in the trace whose instructions were noted.
  void apply(llvm::MutableArrayRef<TraceStep> Trace) const;

private:
  struct Store {
    size_t Step;
    int64_t Offset; ///< Bytes from the address register.
    unsigned Bytes; ///< That a thread stores.
  };
  using Contents = unsigned; ///< Of a register: the number of what wrote it.

  Contents Newest = 0;
  std::array<Contents, 256> Registers;
  llvm::StringMap<Contents> Words; ///< Of slots and spill code.
  llvm::MapVector<Contents, std::vector<Store>> Stores; ///< By their address.
  size_t Steps = 0;
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_STRIDEDSTORES_H
