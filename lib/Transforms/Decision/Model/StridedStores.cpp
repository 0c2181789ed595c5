//===- StridedStores.cpp - stores to places that are apart ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StridedStores.h"

#include "AddressText.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace regdem {

namespace {

/// The register and the constant offset that the last address in Operands is
/// made of; none where there is more to it. "desc[UR4][R2.64+0x8], R6" has 2
/// and 8.
std::optional<std::pair<unsigned, int64_t>> addressOf(StringRef Operands) {
  auto [Base, Offset] = splitAddress(Operands);
  unsigned Register = 0;
  if (!Base.consume_front("R") || Base.consumeInteger(10, Register) ||
      Register > 255)
    return std::nullopt;
  (void)Base.consume_front(".64");
  if (!Base.empty())
    return std::nullopt;
  return std::make_pair(Register, Offset);
}

/// The last general register of List, which is the data of a store; none if
/// there is none.
std::optional<unsigned> lastGeneral(ArrayRef<SassRegister> List) {
  std::optional<unsigned> Last;
  for (const SassRegister &R : List)
    if (R.File == SassFile::General)
      Last = R.Index;
  return Last;
}

/// Whether I copies one register into another.
bool isCopy(const SassInstruction &I) {
  return I.Class == SassClass::Move && I.Reads.size() == 1;
}

} // namespace

StridedStores::StridedStores() {
  for (Contents &C : Registers)
    C = ++Newest;
}

void StridedStores::note(const SassInstruction &I, TraceUnit Unit) {
  size_t Step = Steps++;
  bool IsLocal = isLocalAccess(Unit);
  std::optional<Contents> Copied;
  if (Unit == TraceUnit::GlobalStore && I.Bytes) {
    if (auto Address = addressOf(I.Operands))
      Stores[Registers[Address->first]].push_back(
          {Step, Address->second, I.Bytes});
  } else if (Unit == TraceUnit::LocalStore || Unit == TraceUnit::SharedStore) {
    if (auto Data = lastGeneral(I.Reads))
      Words[wordOf(I.Operands, IsLocal)] = Registers[*Data];
  } else if (Unit == TraceUnit::LocalLoad || Unit == TraceUnit::SharedLoad) {
    auto Word = Words.find(wordOf(I.Operands, IsLocal));
    if (Word != Words.end())
      Copied = Word->second;
  } else if (isCopy(I)) {
    if (auto Source = lastGeneral(I.Reads))
      Copied = Registers[*Source];
  }
  for (const SassRegister &R : I.Writes)
    if (R.File == SassFile::General) {
      Registers[R.Index] = Copied ? *Copied : ++Newest;
      Copied.reset();
    }
}

void StridedStores::apply(MutableArrayRef<TraceStep> Trace) const {
  const int64_t ThreadsPerWarp = SMLimits().WarpSize;
  for (const auto &[Address, Unsorted] : Stores) {
    std::vector<Store> List = Unsorted;
    sort(List, [](const Store &A, const Store &B) {
      return std::make_pair(A.Offset, A.Step) <
             std::make_pair(B.Offset, B.Step);
    });
    for (size_t First = 0, Next; First != List.size(); First = Next) {
      int64_t Begin = List[First].Offset, End = Begin + List[First].Bytes;
      bool IsAlone = true;
      for (Next = First + 1; Next != List.size() && List[Next].Offset <= End;
           ++Next) {
        IsAlone &= List[Next].Offset == Begin;
        End = std::max(End, List[Next].Offset + List[Next].Bytes);
      }
      if (IsAlone)
        continue;
      for (size_t I = First; I != Next; ++I)
        Trace[List[I].Step].Sectors =
            static_cast<uint8_t>(std::min(ThreadsPerWarp, End - Begin));
    }
  }
}

} // namespace regdem
