//===- DemotionPlan.cpp - which values go where, and when -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Plan/DemotionPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

unsigned DemotionPlan::count(PlanAction::Kind What) const {
  return static_cast<unsigned>(count_if(
      Actions, [What](const PlanAction &A) { return A.What == What; }));
}

unsigned slotUnit(const DemotionPlan &Plan, const KernelGraph &Graph) {
  bool AllEven = all_of(Plan.Actions, [&](const PlanAction &A) {
    return A.What == PlanAction::Recompute || Graph.words(A.Value) % 2 == 0;
  });
  return AllEven ? 8 : 4;
}

unsigned threadBytes(const DemotionPlan &Plan, const KernelGraph &Graph) {
  if (!Plan.Words)
    return 0;
  unsigned Unit = slotUnit(Plan, Graph);
  return static_cast<unsigned>(divideCeil(4 * Plan.Words, Unit) | 1) * Unit;
}

void print(raw_ostream &OS, const DemotionPlan &Plan,
           const KernelGraph &Graph) {
  OS << "strategy: " << toString(Plan.How) << "\n"
     << "target: " << Plan.Target << " words\n"
     << "pressure: " << Plan.PressureBefore << " -> " << Plan.PressureAfter
     << " words\n"
     << "slots: " << Plan.Words << " words\n";
  for (const PlanAction &A : Plan.Actions) {
    constexpr StringLiteral Verbs[] = {"store", "reload", "recompute"};
    OS << Verbs[A.What] << " %" << Graph.Values[A.Value].Register;
    if (A.What != PlanAction::Recompute)
      OS << (A.What == PlanAction::Store ? " to" : " from") << " slot "
         << A.Slot;
    if (A.Where.Block >= Graph.Blocks.size()) {
      const SplitEdge &E = Plan.Edges[A.Where.Block - Graph.Blocks.size()];
      OS << " on edge bb." << Graph.Blocks[E.Pred].Number << " -> bb."
         << Graph.Blocks[E.Succ].Number << "\n";
      continue;
    }
    const BlockInfo &B = Graph.Blocks[A.Where.Block];
    OS << " in bb." << B.Number << " before " << A.Where.Before - B.Begin
       << "\n";
  }
}

} // namespace regdem
