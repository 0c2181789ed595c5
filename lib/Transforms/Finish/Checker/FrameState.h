//===- FrameState.h - registers and barriers at one place -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_FRAMESTATE_H
#define REGDEM_LIB_FINISH_CHECKER_FRAMESTATE_H

#include "FrameValue.h"
#include "Words.h"
#include <set>

namespace regdem::framecheck {

/// What is known of a thread before an instruction. What is not in it has
/// nothing to do with the stack pointer.
struct State {
  FrameValues Values;
  /// Registers that still hold what set-up code put there.
  std::set<std::pair<SassFile, unsigned>> Foreign;
  /// Where threads that come to a barrier may go.
  std::map<llvm::StringRef, std::set<unsigned>> Meetings;

  bool operator==(const State &O) const {
    return Values == O.Values && Foreign == O.Foreign && Meetings == O.Meetings;
  }
  bool operator<(const State &O) const {
    return std::tie(Values, Foreign, Meetings) <
           std::tie(O.Values, O.Foreign, O.Meetings);
  }
};

/// What holds where X and Y meet.
State join(const State &X, const State &Y);

/// S after I, with registers R, has written Result, and Carry to predicates.
void write(const ListedInstruction &I, const SassInstruction &R,
           FrameValue Result, FrameValue Carry, State &S);

/// Bytes between the stack pointer and the frame's end; none if not known.
std::optional<int64_t> depth(const State &S);

inline bool isGeneral(const SassRegister &R) {
  return R.File == SassFile::General;
}

/// Whether R has nothing to do with the stack pointer.
bool isOther(const SassRegister &R, const State &S);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_FRAMESTATE_H
