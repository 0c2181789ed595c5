//===- CheckerEvents.h - what the data-flow analysis follows ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reduces the aligned result to the events that matter to the proof: a store
// of a part of a register's value to words, a load that has to find one there,
// a definition that makes what was stored of a register stale. The registers
// that split and join wide values are resolved here.
//
// Every inserted instruction is accounted for: what is not one of these events
// or a step towards one is an error.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKEREVENTS_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKEREVENTS_H

#include "CheckerAlignment.h"
#include "llvm/Support/MathExtras.h"

namespace regdem::checker {

/// A recomputation: the instruction of the result that repeats an original.
struct Recomputation {
  unsigned Instr;
  llvm::Register Reg;
  bool FromShared; ///< It reads shared memory.
};

struct CheckerEvent {
  enum Kind : uint8_t {
    /// The Bytes of register Reg that begin at Part go to the thread's words
    /// from Index on.
    Store,
    /// These words have to hold those bytes. Without a Reg nothing is expected.
    Load,
    /// Reg is defined by the original code.
    Define,
    /// Reg is defined by an instruction equal to recomputation Index.
    Establish,
    /// What stands in shared memory may be another from here on.
    Disturb,
    /// Recomputation Index has to give what Reg holds.
    Recompute,
  };

  Kind What;
  uint8_t Part = 0;
  llvm::Register Reg;
  /// Of the first word for Store and Load, else into Recomputations.
  unsigned Index = 0;
  const llvm::MachineInstr *MI;
  uint8_t Bytes = 0;

  unsigned endWord() const {
    return Index + llvm::divideCeil(Bytes, SlotArea::WordBytes);
  }
};

struct EventList {
  std::vector<std::vector<CheckerEvent>> Blocks; ///< By layout index.
  std::vector<Recomputation> Recomputations;
  unsigned NumWords = 0; ///< Of a thread, up to the last that is accessed.
};

/// Lists the events of the result, whose accesses have to be inside \p Slots.
llvm::Expected<EventList> listEvents(const AlignedCode &Code,
                                     const SlotArea &Slots);

/// Proves of all \p Events that each reload and recomputation leaves its
/// register as it was; an error names the first that may give something else.
llvm::Error checkDataflow(const AlignedCode &Code, const EventList &Events);

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKEREVENTS_H
