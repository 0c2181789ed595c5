//===- LoadedAddresses.cpp - loads whose addresses are data ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedAddresses.h"

#include "AddressText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

bool LoadedAddresses::readsData(const SassInstruction &I) const {
  return any_of(I.Reads, [this](const SassRegister &R) {
    return R.File == SassFile::General && Registers[R.Index];
  });
}

bool LoadedAddresses::hasDataInAddress(const SassInstruction &I) const {
  StringRef Base = splitAddress(I.Operands).first;
  unsigned Register = 0;
  return Base.consume_front("R") && !Base.consumeInteger(10, Register) &&
         Register < Registers.size() && Registers[Register];
}

bool LoadedAddresses::note(const SassInstruction &I, TraceUnit Unit) {
  bool IsLocal = isLocalAccess(Unit);
  bool HoldsData = readsData(I), IsScattered = false;
  switch (Unit) {
  case TraceUnit::GlobalLoad:
    IsScattered = HoldsData;
    HoldsData = true;
    break;
  case TraceUnit::LocalStore:
  case TraceUnit::SharedStore:
    IsScattered = hasDataInAddress(I);
    if (HoldsData)
      Words.insert(wordOf(I.Operands, IsLocal));
    else
      Words.erase(wordOf(I.Operands, IsLocal));
    break;
  case TraceUnit::LocalLoad:
  case TraceUnit::SharedLoad:
    IsScattered = hasDataInAddress(I);
    HoldsData |= Words.contains(wordOf(I.Operands, IsLocal));
    break;
  default:
    break;
  }
  for (const SassRegister &R : I.Writes)
    if (R.File == SassFile::General)
      Registers[R.Index] = HoldsData;
  return IsScattered;
}

} // namespace regdem
