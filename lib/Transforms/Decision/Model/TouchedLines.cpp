//===- TouchedLines.cpp - loads next to earlier ones ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TouchedLines.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

LoadNeighbours TouchedLines::note(const SassInstruction &I, TraceUnit Unit) {
  LoadNeighbours Nearest;
  if (Unit == TraceUnit::GlobalLoad) {
    const SassOperand *Address = I.address();
    SassOperand At = Address ? *Address : SassOperand();
    int64_t Offset = At.Number;
    Base &B = Bases[{At.Register, At.Uniform}];
    for (int64_t Earlier : B.Offsets) {
      uint64_t &Side = Earlier > Offset ? Nearest.Above : Nearest.Below;
      Side = std::min(Side, static_cast<uint64_t>(std::abs(Earlier - Offset)));
    }
    B.Offsets.push_back(Offset);
    B.Registers.assign(I.Reads.begin(), I.Reads.end());
  }
  for (const SassRegister &Written : I.Writes)
    for (auto It = Bases.begin(), End = Bases.end(); It != End;) {
      auto Here = It++;
      if (is_contained(Here->second.Registers, Written))
        Bases.erase(Here);
    }
  return Nearest;
}

} // namespace regdem
