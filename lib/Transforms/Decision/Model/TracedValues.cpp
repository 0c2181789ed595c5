//===- TracedValues.cpp - what registers and words hold -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TracedValues.h"

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

TracedValues::TracedValues() {
  for (Contents &C : Registers)
    C.From = ++Newest;
}

bool TracedValues::readsData(const SassInstruction &I) const {
  return any_of(I.Reads, [this](const SassRegister &R) {
    return R.File == SassFile::General && Registers[R.Index].IsData;
  });
}

bool TracedValues::hasDataInAddress(const SassInstruction &I) const {
  StringRef Base = splitAddress(I.Operands).first;
  unsigned Register = 0;
  return Base.consume_front("R") && !Base.consumeInteger(10, Register) &&
         Register < Registers.size() && Registers[Register].IsData;
}

bool TracedValues::note(const SassInstruction &I, TraceUnit Unit) {
  size_t Step = Steps++;
  bool IsScattered = false;
  Contents Result;
  Result.IsData = readsData(I);
  switch (Unit) {
  case TraceUnit::GlobalLoad:
    IsScattered = Result.IsData;
    Result.IsData = true;
    break;
  case TraceUnit::GlobalStore:
    if (auto Address = addressOf(I.Operands); Address && I.Bytes)
      Stores[Registers[Address->first].From].push_back(
          {Step, Address->second, I.Bytes});
    break;
  case TraceUnit::LocalStore:
  case TraceUnit::SharedStore: {
    IsScattered = hasDataInAddress(I);
    Contents &Word = Words[wordOf(I.Operands, isLocalAccess(Unit))];
    Word.IsData = Result.IsData;
    if (auto Data = lastGeneral(I.Reads))
      Word.From = Registers[*Data].From;
    break;
  }
  case TraceUnit::LocalLoad:
  case TraceUnit::SharedLoad: {
    IsScattered = hasDataInAddress(I);
    Contents Word = Words.lookup(wordOf(I.Operands, isLocalAccess(Unit)));
    Result.From = Word.From;
    Result.IsData |= Word.IsData;
    break;
  }
  default:
    if (auto Source = lastGeneral(I.Reads); Source && isCopy(I))
      Result.From = Registers[*Source].From;
    break;
  }
  for (const SassRegister &R : I.Writes)
    if (R.File == SassFile::General) {
      // What is copied goes into the first of several registers.
      Registers[R.Index] = {Result.From ? Result.From : ++Newest,
                            Result.IsData};
      Result.From = 0;
    }
  return IsScattered;
}

void TracedValues::apply(MutableArrayRef<TraceStep> Trace) const {
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
