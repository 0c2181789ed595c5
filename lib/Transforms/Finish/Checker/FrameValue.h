//===- FrameValue.h - what registers have of the stack pointer --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lattice of FrameFlow: what a register, a predicate or a word of the frame
// holds, seen from the stack pointer SP at the kernel's start.
//
//                  Mixed             some paths or threads have this, some that
//        ____________|___________
//       |      |     |     |     |
//    Indexed  Low  High  Carry  Other    Indexed: SP + a number not known
//       |
//    Known n                             Known n: SP + n
//
// Meet is join(), the least value above both: Known n and Known m are Indexed
// if they are addresses of one kind, other values that differ are Mixed. A
// value may hold only for the threads that a guard holds for; the rest of them
// have Other, or Mixed. Chains are three values long, but for guards, which
// only get lost: a fixed point is reached.
//
// A generic address is SP and the window of local memory, Low and High, and a
// place in a uniform register is seen from R1 instead (Rewrites.h).
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_FRAMEVALUE_H
#define REGDEM_LIB_FINISH_CHECKER_FRAMEVALUE_H

#include "Words.h"
#include "regdem/MachineCode/SassInstruction.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace regdem::framecheck {

/// The value of a register, seen from the stack pointer at the kernel's start.
struct FrameValue {
  enum class Kind : uint8_t {
    Other,   ///< Does not depend on it.
    Known,   ///< It, plus Offset.
    Indexed, ///< It, plus a number that is not known.
    Mixed,   ///< On some paths one of these, on others not.
    Low,     ///< Lower half of the window's address.
    High,    ///< Upper half of the window's, or of a generic address.
    Carry ///< Of Carries from a generic address's lower half to its upper one.
  };
  Kind What = Kind::Other;
  int64_t Offset = 0; ///< In bytes; 0 if not Known.
  /// The threads for which What holds. For the rest it is Other, or Mixed.
  SassCondition Where = {};
  bool RestIsMixed = false;
  bool IsGeneric = false; ///< An address: the lower half of a generic one.
  /// Of a uniform register with an address: the Offset of R1 that it is seen
  /// from.
  int64_t Base = 0;
  /// Of a general register with an address: the bytes that it lacks, which
  /// accesses add.
  int64_t Lag = 0;
  unsigned Carries = 0; ///< Of a Carry: how many its sum gives.

  bool isAddress() const {
    return What == Kind::Known || What == Kind::Indexed;
  }
  bool operator==(const FrameValue &O) const { return key() == O.key(); }
  bool operator<(const FrameValue &O) const { return key() < O.key(); }

private:
  std::tuple<Kind, int64_t, SassCondition, bool, bool, int64_t, int64_t,
             unsigned>
  key() const {
    return {What, Offset, Where, RestIsMixed, IsGeneric, Base, Lag, Carries};
  }
};

/// What holds where two paths meet that have X and Y.
FrameValue join(FrameValue X, FrameValue Y);

/// Where a value is kept, as a number: general registers are their own.
unsigned placeOf(SassFile File, unsigned Index);
inline unsigned placeOf(const SassRegister &R) {
  return placeOf(R.File, R.Index);
}

/// The place of the word of the frame that the byte at Offset, negative, is of.
unsigned slotAt(int64_t Offset);

/// Values by place; those that are not in it are Other.
using FrameValues = std::map<unsigned, FrameValue>;

FrameValue valueOf(const FrameValues &Values, unsigned Place);
void setValue(FrameValues &Values, unsigned Place, FrameValue Value);

/// Whether R has nothing to do with the stack pointer.
bool isOther(const SassRegister &R, const FrameValues &Values);

/// What an instruction with guard G finds in registers.
FrameValues seenUnder(SassCondition G, const FrameValues &Values);

/// Values in the threads for which G holds, and no others.
FrameValues onlyUnder(SassCondition G, const FrameValues &Values);

/// What a register that had Old has after an instruction with guard G has
/// written New.
FrameValue writtenUnder(SassCondition G, FrameValue New, FrameValue Old);

/// A new value of a predicate ends what held under its old one.
void forgetGuard(SassRegister Predicate, FrameValues &Values);

/// The predicates, two at most, into which I puts carries of a sum of 32 bits.
unsigned numCarries(const SassInstruction &I);

/// The value that I, which reads a register with a value that is not Other,
/// puts into its only result, a predicate for the carry apart. An error says
/// what I does with an address that is not to be done.
llvm::Expected<FrameValue> resultOf(const SassInstruction &I,
                                    const FrameValues &Values);

/// What is known of a thread before an instruction. What is not in it has
/// nothing to do with the stack pointer.
struct State {
  FrameValues Values;
  /// Registers that still hold what set-up code put there.
  std::set<SassRegister> Foreign;
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

/// S after I has written Result, and Carry to predicates.
void write(const SassInstruction &I, FrameValue Result, FrameValue Carry,
           State &S);

/// Bytes between the stack pointer and the frame's end; none if not known.
std::optional<int64_t> depth(const State &S);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_FRAMEVALUE_H
