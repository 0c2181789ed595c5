//===- TracedCalls.cpp - which functions a trace goes into ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TracedCalls.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

/// Whether Function is for operands that programs hardly ever have: ptxas's own
/// functions ("$__internal_0_$__cuda_sm20_rcp_rn_f32_slowpath") and the
/// reduction of large angles.
static bool isForUnusualOperands(const SassFunction &Function) {
  StringRef Name = Function.Name;
  return Name.contains("$__cuda_sm") || Name.contains("slowpath");
}

TracedCalls::TracedCalls(const SassKernel &K) : Entered(K.Functions.size()) {
  std::vector<std::vector<unsigned>> Callees(K.Functions.size());
  for (const SassBlock &B : K.Blocks)
    if (B.Callee && !isForUnusualOperands(K.Functions[*B.Callee]))
      Callees[B.Function].push_back(*B.Callee);
  // Those that call nothing, then those that call only these, and so on: what
  // is left calls itself.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned F = 0; F != K.Functions.size(); ++F) {
      if (Entered[F] || isForUnusualOperands(K.Functions[F]) ||
          !all_of(Callees[F], [this](unsigned C) { return Entered[C]; }))
        continue;
      Entered[F] = true;
      Changed = true;
    }
  }
}

} // namespace regdem
