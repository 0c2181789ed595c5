//===- LoadedAddresses.h - loads whose addresses are data -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the threads of a warp load from neighbouring places is not in the
// code, but it shows in one case: an address that depends on what the thread
// has loaded from global memory (an index, a pointer, a coordinate) is as good
// as random. So a trace is followed by what loaded data flows into: registers,
// and the words of local and shared memory that they are kept in. What goes
// through uniform registers is the same for the warp and does not count.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_LOADEDADDRESSES_H
#define REGDEM_LIB_DECISION_MODEL_LOADEDADDRESSES_H

#include "regdem/Decision/Model/CodeSummary.h"
#include "llvm/ADT/StringSet.h"
#include <bitset>

namespace regdem {

/// Follows the instructions of a trace.
class LoadedAddresses {
public:
  /// I is the next instruction, of unit Unit. Whether it is a load from global
  /// memory, or an access to local or shared memory, whose address depends on
  /// data loaded before.
  bool note(const SassInstruction &I, TraceUnit Unit);

private:
  std::bitset<256> Registers; ///< That hold loaded data, or depend on it.
  /// The same for words of local and shared memory. They are known by their
  /// constant offsets: the register beside it is the stack pointer or the
  /// thread's part of shared memory, whose number changes.
  llvm::StringSet<> Words;

  bool readsData(const SassInstruction &I) const;
  bool hasDataInAddress(const SassInstruction &I) const;
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_LOADEDADDRESSES_H
