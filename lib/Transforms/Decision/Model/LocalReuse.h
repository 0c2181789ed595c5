//===- LocalReuse.h - how far apart local accesses are ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether spill code hits L1 depends on what the warps touch between a store
// and its reload, not on how much they spill in all: a word that is reloaded
// soon is still there. So each access gets the number of different lines that
// its warp has touched since it last was at that place, the reuse distance of
// R. Mattson et al., "Evaluation techniques for storage hierarchies", 1970;
// for GPUs, C. Nugteren et al., "A detailed GPU cache model based on reuse
// distance theory", 2014.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_LOCALREUSE_H
#define REGDEM_LIB_DECISION_MODEL_LOCALREUSE_H

#include "regdem/Decision/Model/VariantCode.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace regdem {

/// The byte offset from the stack pointer, R1, that Operands access. None
/// where another register takes part, as for arrays indexed at run time.
std::optional<int64_t> stackOffset(llvm::StringRef Operands);

/// Follows the steps of a trace. A word of all threads of a warp is a line of
/// L1 (128 bytes). Each line that is loaded from global memory is taken for a
/// new one.
class LocalReuse {
public:
  /// I is the instruction of Step, the next of the trace.
  void note(const SassInstruction &I, const TraceStep &Step);

  /// Sets the distances in the trace whose steps were noted.
  void apply(llvm::MutableArrayRef<TraceStep> Trace) const;

private:
  struct Access {
    size_t Step;
    int64_t Word;      ///< Offset from the stack pointer, in words.
    uint32_t Streamed; ///< Lines loaded from global memory before it.
  };
  std::vector<Access> Accesses; ///< In order, one a word.
  size_t Steps = 0;
  uint32_t Streamed = 0;
};

/// What L1 does for the local memory of the warps of an SM.
struct LocalCache {
  /// Share of accesses that miss where the reuse distance is not known.
  double UnknownMisses = 0;
  double LeastMisses = 0; ///< Least share where it is.
  double Lines = 0;       ///< Of L1, for each warp; 0: distances do not count.
};

/// The share of S's accesses that miss; 0 where it accesses no local memory.
/// The warps are taken to be equally fast, so that each touches as many lines
/// as this one between two accesses. A line is still there after d others with
/// probability (1 - 1/n)^d, about exp(-d/n), if n fit and any of them may be
/// replaced, which is what warps in no fixed order amount to.
float missShare(const TraceStep &S, const LocalCache &L1);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_LOCALREUSE_H
