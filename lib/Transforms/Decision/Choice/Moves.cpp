//===- Moves.cpp - what a search tries, in turn ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Moves.h"

#include <algorithm>

using namespace llvm;

namespace regdem {

unsigned clampTarget(int Target) {
  return static_cast<unsigned>(std::max(Target, int(TargetRange.Low)));
}

BuildRecipe withOwnSpilling(BuildRecipe R) {
  R.What = Decision::Pragma;
  R.SmemSpilling = true;
  return R;
}

bool buildInto(ArrayRef<BuildRecipe> Wanted, MakeBuilds Make,
               std::vector<Build> &List, bool &EndedEarly) {
  if (Wanted.empty())
    return true;
  auto Built = Make(Wanted);
  if (!Built) {
    std::vector<BuildRecipe> Others = Wanted.vec();
    llvm::erase_if(Others, [](const BuildRecipe &R) { return R.SmemSpilling; });
    return Others.size() != Wanted.size() &&
           buildInto(Others, Make, List, EndedEarly);
  }
  append_range(List, *Built);
  EndedEarly = Built->size() < Wanted.size();
  return !EndedEarly;
}

} // namespace regdem
