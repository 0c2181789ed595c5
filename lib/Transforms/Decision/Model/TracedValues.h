//===- TracedValues.h - what registers and words hold -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the threads of a warp access neighbouring places is not in the code,
// but it shows in three cases. So a trace is followed by what flows into
// registers, and into the words of local and shared memory that they are kept
// in.
//
// An address that depends on what the thread has loaded from global memory (an
// index, a pointer, a coordinate) is as good as random. What goes through
// uniform registers is the same for the warp and does not count.
//
// An address that does not depend on which thread it is, as that of a table
// which all threads walk through, is the same for all warps of a block: one of
// them fetches the line, and the others find it in L1.
//
// Where a thread stores several words side by side (a structure, a row of a
// small matrix), those of the next thread lie behind them, or the threads would
// overwrite each other's. Each store then touches as many sectors of L2 as the
// threads' parts are long, though it fills none of them.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_TRACEDVALUES_H
#define REGDEM_LIB_DECISION_MODEL_TRACEDVALUES_H

#include "regdem/Decision/Model/CodeSummary.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include <array>
#include <map>
#include <utility>

namespace regdem {

/// Stands for the word that a local or shared access is to: whether it is in a
/// frame, and the constant offset.
using TracedWord = std::pair<bool, int64_t>;

/// The word of I, a local or shared access. A frame in shared memory (Finish/)
/// is as local as before it moved: its address is in R1, too.
TracedWord wordOf(const SassInstruction &I, bool IsLocal);

/// Follows the instructions of a trace. Two stores are side by side if their
/// addresses are the same register with the same contents, which may have been
/// kept in shared or local memory meanwhile, and constant offsets that follow
/// on each other.
class TracedValues {
public:
  TracedValues();

  /// Which addresses an access to memory has.
  enum class Addresses {
    Unknown,
    Random, ///< They depend on data loaded before. Not of global stores.
    Equal,  ///< The same for all threads of a block. Of global loads.
  };

  /// I is the next instruction, of unit Unit; which addresses it has.
  Addresses note(const SassInstruction &I, TraceUnit Unit);

  /// Sets TraceStep::Sectors of stores to global memory in the trace whose
  /// instructions were noted.
  void apply(llvm::MutableArrayRef<TraceStep> Trace) const;

  struct Contents {
    unsigned From = 0;   ///< The number of what wrote it; 0: not known.
    bool IsData = false; ///< It was loaded, or depends on what was.
    bool Varies = true;  ///< Threads of a block may have different ones.
  };
  /// What is in registers at some point of a trace.
  struct State {
    std::array<Contents, 256> Registers;
    /// Threads of a block may have different ones.
    std::array<bool, SassRegister::True + 1> PredicateVaries;
  };
  const State &state() const { return Now; }
  /// The next instruction comes after another one than that before it in the
  /// trace, which has both ways of a branch.
  void goTo(const State &Then) { Now = Then; }

private:
  struct Store {
    size_t Step;
    int64_t Offset; ///< Bytes from the address register.
    unsigned Bytes; ///< That a thread stores.
  };

  unsigned Newest = 0;
  State Now;
  /// Of slots and spill code. They are known by their constant offsets: the
  /// register beside it is the stack pointer or the thread's part of shared
  /// memory, whose number changes.
  std::map<TracedWord, Contents> Words;
  /// To global memory, by what wrote their address.
  llvm::MapVector<unsigned, std::vector<Store>> Stores;
  size_t Steps = 0;

  bool readsData(const SassInstruction &I) const;
  bool varies(const SassRegister &R) const;
  bool readsVarying(const SassInstruction &I) const;
  bool hasVaryingAddress(const SassInstruction &I) const;
  bool mayVary(const SassInstruction &I, TraceUnit Unit) const;
  bool hasDataInAddress(const SassInstruction &I) const;
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_TRACEDVALUES_H
