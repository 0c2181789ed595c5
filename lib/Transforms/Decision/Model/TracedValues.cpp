//===- TracedValues.cpp - what registers and words hold -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TracedValues.h"

#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace regdem {

namespace {

/// The last address of I where it is a general register and an offset; null
/// where there is more to it.
const SassOperand *plainAddress(const SassInstruction &I) {
  const SassOperand *A = I.address();
  bool IsPlain = A && A->Register.isGeneral() && !A->Register.isConstant() &&
                 A->Uniform == SassRegister::Zero && A->Text.empty();
  return IsPlain ? A : nullptr;
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

TracedWord wordOf(const SassInstruction &I, bool IsLocal) {
  constexpr SassRegister R1 = {SassFile::General, StackPointer};
  const SassOperand *A = I.address();
  return {IsLocal || (A && A->Register == R1), A ? A->Number : 0};
}

TracedValues::TracedValues() {
  for (Contents &C : Now.Registers)
    C.From = ++Newest;
  Now.PredicateVaries.fill(true);
  Now.PredicateVaries[SassRegister::True] = false;
}

bool TracedValues::readsData(const SassInstruction &I) const {
  return any_of(I.Reads, [this](const SassRegister &R) {
    return R.File == SassFile::General && Now.Registers[R.Index].IsData;
  });
}

/// Whether threads of a block may have different values in R.
bool TracedValues::varies(const SassRegister &R) const {
  switch (R.File) {
  case SassFile::General:
    return !R.isConstant() && Now.Registers[R.Index].Varies;
  case SassFile::Predicate:
    return Now.PredicateVaries[R.Index];
  case SassFile::Uniform:
  case SassFile::UniformPredicate:
    break;
  }
  return false;
}

bool TracedValues::readsVarying(const SassInstruction &I) const {
  return any_of(I.Reads, [this](const SassRegister &R) { return varies(R); });
}

/// Whether threads of a block may access different places by I.
bool TracedValues::hasVaryingAddress(const SassInstruction &I) const {
  const SassOperand *A = I.address();
  return !A || any_of(A->registers(),
                      [this](const SassRegister &R) { return varies(R); });
}

/// Whether threads of a block may get different values from I.
bool TracedValues::mayVary(const SassInstruction &I, TraceUnit Unit) const {
  // Numbers of blocks are read into uniform registers.
  return I.Class == SassClass::SystemRegister || I.Class == SassClass::Atomic ||
         Unit == TraceUnit::SharedLoad || isLocalAccess(Unit) ||
         readsVarying(I);
}

bool TracedValues::hasDataInAddress(const SassInstruction &I) const {
  const SassOperand *A = I.address();
  return A && A->Register.isGeneral() && !A->Register.isConstant() &&
         Now.Registers[A->Register.Index].IsData;
}

TracedValues::Addresses TracedValues::note(const SassInstruction &I,
                                           TraceUnit Unit) {
  size_t Step = Steps++;
  bool IsScattered = false;
  Contents Result;
  Result.IsData = readsData(I);
  Result.Varies = mayVary(I, Unit);
  bool IsEqual = Unit == TraceUnit::GlobalLoad &&
                 I.Class == SassClass::GlobalLoad && !hasVaryingAddress(I);
  switch (Unit) {
  case TraceUnit::GlobalLoad:
    IsScattered = Result.IsData && !IsEqual;
    Result.IsData = true;
    break;
  case TraceUnit::GlobalStore:
    if (const SassOperand *A = plainAddress(I); A && I.Bytes)
      Stores[Now.Registers[A->Register.Index].From].push_back(
          {Step, A->Number, I.Bytes});
    break;
  case TraceUnit::LocalStore:
  case TraceUnit::SharedStore: {
    IsScattered = hasDataInAddress(I);
    Contents &Word = Words[wordOf(I, isLocalAccess(Unit))];
    Word.IsData = Result.IsData;
    Word.Varies = readsVarying(I);
    if (auto Data = lastGeneral(I.Reads))
      Word.From = Now.Registers[*Data].From;
    break;
  }
  case TraceUnit::LocalLoad:
  case TraceUnit::SharedLoad: {
    IsScattered = hasDataInAddress(I);
    Contents Word = Words[wordOf(I, isLocalAccess(Unit))];
    Result.From = Word.From;
    Result.IsData |= Word.IsData;
    Result.Varies = Word.Varies;
    break;
  }
  default:
    if (auto Source = lastGeneral(I.Reads); Source && isCopy(I))
      Result.From = Now.Registers[*Source].From;
    break;
  }
  for (const SassRegister &R : I.Writes) {
    if (R.File == SassFile::Predicate && !R.isConstant())
      Now.PredicateVaries[R.Index] = Result.Varies;
    if (R.File != SassFile::General)
      continue;
    // What is copied goes into the first of several registers.
    Now.Registers[R.Index] = {Result.From ? Result.From : ++Newest,
                              Result.IsData, Result.Varies};
    Result.From = 0;
  }
  return IsEqual       ? Addresses::Equal
         : IsScattered ? Addresses::Random
                       : Addresses::Unknown;
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
