//===- VisibleEffects.h - what others see of one thread ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stores of one thread to memory of others, and what keeps its place among
// them: calls, atomic and volatile accesses. Between two of these others see
// what is stored where at last; LLVM may drop a store that is overwritten, or
// that stores what is there already, and may exchange two. It may add none.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_VISIBLEEFFECTS_H
#define REGDEM_LIB_TRANSFORM_VISIBLEEFFECTS_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instructions.h"
#include <cstdint>
#include <map>
#include <vector>

namespace regdem {

/// A byte of memory. Poison says nothing.
struct Byte {
  uint8_t Is = 0;
  bool IsPoison = true;

  /// Whether Other may stand where this is.
  bool allows(Byte Other) const {
    return IsPoison || (!Other.IsPoison && Other.Is == Is);
  }
};

/// The one name and operand that LLVM's InstCombine gives to an operation on
/// memory that does not depend on what is there, or leaves it as it is.
inline std::pair<llvm::AtomicRMWInst::BinOp, llvm::APInt>
nameOf(llvm::AtomicRMWInst::BinOp What, const llvm::APInt &With) {
  using RMW = llvm::AtomicRMWInst;
  auto IsAny = [What](llvm::ArrayRef<RMW::BinOp> All) {
    return llvm::is_contained(All, What);
  };
  if ((With.isZero() && IsAny({RMW::And, RMW::UMin})) ||
      (With.isAllOnes() && IsAny({RMW::Or, RMW::UMax})) ||
      (With.isMinSignedValue() && What == RMW::Min) ||
      (With.isMaxSignedValue() && What == RMW::Max))
    return {RMW::Xchg, With};
  if ((With.isZero() &&
       IsAny({RMW::Add, RMW::Sub, RMW::Or, RMW::Xor, RMW::UMax})) ||
      (With.isAllOnes() && IsAny({RMW::And, RMW::UMin})) ||
      (With.isMaxSignedValue() && What == RMW::Min) ||
      (With.isMinSignedValue() && What == RMW::Max))
    return {RMW::Or, llvm::APInt::getZero(With.getBitWidth())};
  return {What, With};
}

class VisibleEffects {
public:
  struct Stored {
    Byte Before;
    llvm::SmallVector<Byte, 2> Values; ///< In their order; at least one.
  };
  /// What is stored, by address, from one note to the next.
  using Stretch = std::map<uint64_t, Stored>;

  void store(uint64_t Address, Byte Before, Byte Is) {
    Stored &S = Stretches.back()[Address];
    if (S.Values.empty())
      S.Before = Before;
    S.Values.push_back(Is);
  }
  /// Something that keeps its place; What is all that is known of it.
  void note(uint64_t What) {
    Notes.push_back(What);
    Stretches.emplace_back();
  }

  llvm::ArrayRef<uint64_t> notes() const { return Notes; }
  /// One more than notes().
  llvm::ArrayRef<Stretch> stretches() const { return Stretches; }

private:
  std::vector<uint64_t> Notes;
  std::vector<Stretch> Stretches = std::vector<Stretch>(1);
};

/// What differs between two stretches, "things" or "values"; else empty. Of a
/// stretch that is not over Now may have done more than Was has.
inline llvm::StringRef compareStretches(const VisibleEffects::Stretch &Was,
                                        const VisibleEffects::Stretch &Now,
                                        bool IsOver) {
  for (const auto &[Address, Old] : Was) {
    Byte Last = Old.Values.back();
    auto New = Now.find(Address);
    if (New == Now.end()) {
      if (!Last.allows(Old.Before))
        return "things";
    } else if (IsOver
                   ? !Last.allows(New->second.Values.back())
                   : llvm::none_of(New->second.Values,
                                   [Last](Byte B) { return Last.allows(B); }) &&
                         !Last.allows(New->second.Before)) {
      return "values";
    }
  }
  for (const auto &[Address, New] : Now)
    if (IsOver && !Was.count(Address))
      return "things";
  return "";
}

/// The same of two runs, of which Was may have been stopped before its end.
inline llvm::StringRef compareEffects(const VisibleEffects &Was,
                                      const VisibleEffects &Now, bool IsOver) {
  size_t Count = Was.notes().size();
  if (Now.notes().size() < Count || (IsOver && Now.notes().size() > Count))
    return "things";
  for (size_t N = 0; N <= Count; ++N) {
    bool IsLast = N == Count;
    if (llvm::StringRef What =
            compareStretches(Was.stretches()[N], Now.stretches()[N],
                             /*IsOver=*/!IsLast || IsOver);
        !What.empty())
      return What;
    if (!IsLast && Was.notes()[N] != Now.notes()[N])
      return "values";
  }
  return "";
}

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_VISIBLEEFFECTS_H
