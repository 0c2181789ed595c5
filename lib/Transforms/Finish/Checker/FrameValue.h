//===- FrameValue.h - what registers have of the stack pointer --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A place in the frame has an address in local memory and, with the window that
// local memory is seen through, a generic one of 64 bits. In shared memory both
// are others, by the same amount in all that is added to them, so that code
// goes on to work as long as it does nothing but add to them. A uniform
// register holds the place as seen from R1 instead (Rewrites.h).
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_FRAMEVALUE_H
#define REGDEM_LIB_FINISH_CHECKER_FRAMEVALUE_H

#include "Listing.h"
#include "Words.h"
#include "regdem/MachineCode/Sass.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace regdem::framecheck {

/// The predicate that guards an instruction, and whether it must not hold.
struct Guard {
  llvm::StringRef Predicate; ///< "P0"; empty: all threads.
  bool Negated = false;

  static Guard of(const ListedInstruction &I) {
    Guard G;
    if (I.isGuarded())
      G = {I.Guard.ltrim('!'), I.Guard.starts_with("!")};
    return G;
  }
  Guard opposite() const { return {Predicate, !Negated}; }
  bool operator==(const Guard &O) const {
    return Predicate == O.Predicate && Negated == O.Negated;
  }
  bool operator<(const Guard &O) const {
    return std::tie(Predicate, Negated) < std::tie(O.Predicate, O.Negated);
  }
};

/// The value of a register, seen from the stack pointer at the kernel's start.
struct FrameValue {
  enum class Kind : uint8_t {
    Other,   ///< Does not depend on it.
    Known,   ///< It, plus Offset.
    Indexed, ///< It, plus a number that is not known.
    Mixed,   ///< On some paths one of these, on others not.
    Low,     ///< Lower half of the window's address.
    High,    ///< Upper half of the window's, or of a generic address.
    Carry    ///< From the lower half of a generic address to the upper one.
  };
  Kind What = Kind::Other;
  int64_t Offset = 0; ///< In bytes; 0 if not Known.
  /// The threads for which What holds. For the rest it is Other, or Mixed.
  Guard Where = {};
  bool RestIsMixed = false;
  bool IsGeneric = false; ///< An address: the lower half of a generic one.
  /// Of a uniform register with an address: the Offset of R1 that it is seen
  /// from.
  int64_t Base = 0;
  /// Of a general register with an address: the bytes that it lacks, which
  /// accesses add.
  int64_t Lag = 0;

  bool isAddress() const {
    return What == Kind::Known || What == Kind::Indexed;
  }
  bool operator==(const FrameValue &O) const { return key() == O.key(); }
  bool operator<(const FrameValue &O) const { return key() < O.key(); }

private:
  std::tuple<Kind, int64_t, Guard, bool, bool, int64_t, int64_t> key() const {
    return {What, Offset, Where, RestIsMixed, IsGeneric, Base, Lag};
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

/// What an instruction with guard G finds in registers.
FrameValues seenUnder(Guard G, const FrameValues &Values);

/// Values in the threads for which G holds, and no others.
FrameValues onlyUnder(Guard G, const FrameValues &Values);

/// What a register that had Old has after an instruction with guard G has
/// written New.
FrameValue writtenUnder(Guard G, FrameValue New, FrameValue Old);

/// A new value of a predicate, "P0", ends what held under its old one.
void forgetGuard(llvm::StringRef Predicate, FrameValues &Values);

/// Whether I puts the carry of a sum of 32 bits into a predicate.
bool givesCarry(const ListedInstruction &I);

/// The value that I, which reads a register with a value that is not Other,
/// puts into its only result, a predicate for the carry apart. An error says
/// what I does with an address that is not to be done.
llvm::Expected<FrameValue> resultOf(const ListedInstruction &I,
                                    const FrameValues &Values);

/// An operand that is an address: [R1+0x8].
struct FrameAddress {
  unsigned Register = 0;
  int64_t Offset = 0;
};

/// The operand of an access as an address, of a register whose name starts with
/// Letters; none where it is in another form.
std::optional<FrameAddress> readAddress(llvm::StringRef Operand,
                                        llvm::StringRef Letters = "R");

/// An operand that is a generic address: desc[UR4][R2.64+0x8]. Register is that
/// of the lower half.
std::optional<FrameAddress> readGenericAddress(llvm::StringRef Operand);

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

#endif // REGDEM_LIB_FINISH_CHECKER_FRAMEVALUE_H
