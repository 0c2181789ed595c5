//===- TrialAttributes.cpp - what a trial leaves on its kernel ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/TrialAttributes.h"

#include "regdem/Decision/Builds/Build.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace regdem {

/// What a plan shows, by the names of its attributes.
static constexpr std::pair<StringLiteral, unsigned PlanFigures::*> Figures[] = {
    {"regdem-pressure-after", &PlanFigures::PressureAfter},
    {"regdem-slot-accesses", &PlanFigures::SlotAccesses},
    {"regdem-recomputations", &PlanFigures::Recomputations},
    {"regdem-thread-bytes", &PlanFigures::ThreadBytes},
};
static constexpr const char *TrialAttr = "regdem-trial";

void markTrial(Function &Kernel) { Kernel.addFnAttr(TrialAttr); }

bool isTrial(const Function &Kernel) {
  return Kernel.hasFnAttribute(TrialAttr);
}

void writePlanFigures(Function &Kernel, const PlanFigures &Of) {
  for (auto [Name, Number] : Figures)
    Kernel.addFnAttr(Name, utostr(Of.*Number));
}

PlanFigures readPlanFigures(const Function &Kernel) {
  PlanFigures Of;
  for (auto [Name, Number] : Figures)
    Of.*Number =
        static_cast<unsigned>(Kernel.getFnAttributeAsParsedInteger(Name));
  return Of;
}

static std::string aheadAttr(Rewrite Pass) {
  return "regdem-ahead-of-" + toString(Pass);
}

static std::string changedAttr(Rewrite Pass) {
  return "regdem-changed-by-" + toString(Pass);
}

void noteAhead(Function &Kernel, Rewrite Pass, uint64_t Looks) {
  Kernel.addFnAttr(aheadAttr(Pass), utostr(Looks));
}

bool isNotedAhead(const Function &Kernel, Rewrite Pass) {
  return Kernel.hasFnAttribute(aheadAttr(Pass));
}

void noteBehind(Function &Kernel, Rewrite Pass, uint64_t Looks) {
  Attribute Ahead = Kernel.getFnAttribute(aheadAttr(Pass));
  if (!Ahead.isValid() || Ahead.getValueAsString() == utostr(Looks))
    return;
  noteChange(Kernel, Pass);
}

void noteChange(Function &Kernel, Rewrite Pass) {
  Kernel.addFnAttr(changedAttr(Pass));
}

Rewrite readIdlePasses(const Function &Kernel) {
  Rewrite Idle = Rewrite::None;
  for (Rewrite Pass : EachRewrite)
    if (!Kernel.hasFnAttribute(changedAttr(Pass)))
      Idle = Idle | Pass;
  return Idle;
}

} // namespace regdem
