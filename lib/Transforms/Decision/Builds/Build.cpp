//===- Build.cpp - a kernel built in one way ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Build.h"

#include <algorithm>
#include <iterator>

namespace regdem {

llvm::StringRef toString(Decision D) {
  // In the order of Decision.
  static constexpr llvm::StringLiteral Names[] = {"stock", "rewrite", "cap",
                                                  "pragma", "demote"};
  static_assert(std::size(Names) ==
                static_cast<unsigned>(Decision::Demote) + 1);
  return Names[static_cast<unsigned>(D)];
}

Decision parseDecision(llvm::StringRef Name) {
  for (Decision D :
       {Decision::Rewrite, Decision::Cap, Decision::Pragma, Decision::Demote})
    if (toString(D) == Name)
      return D;
  return Decision::Stock;
}

Residency residencyAt(const Launch &L, const Build &V, const SMLimits &Limits) {
  Residency R;
  R.BlocksPerSM = occupancyAt(L, V.Regs, V.StaticShared, Limits).BlocksPerSM;
  // The driver carves shared memory out for as many blocks as fit.
  R.L1Bytes = l1Bytes(Limits, V.StaticShared + L.DynamicShared, R.BlocksPerSM);
  if (L.GridBlocks)
    R.BlocksPerSM = std::min(R.BlocksPerSM, L.GridBlocks);
  R.SpillFootprint = V.SpillStoreBytes * L.Threads * R.BlocksPerSM;
  return R;
}

} // namespace regdem
