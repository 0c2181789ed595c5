//===- TrialAttributes.cpp - decisions carried by attributes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/TrialAttributes.h"

#include "regdem/Decision/Decide.h"
#include "regdem/Emission/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace regdem {

static constexpr const char *TargetAttr = "regdem-target";
static constexpr const char *StrategyAttr = "regdem-strategy";
static constexpr const char *SmemSpillingAttr = "regdem-smem-spilling";
static constexpr const char *LeaveAloneAttr = "regdem-leave-alone";
static constexpr const char *VariantsAttr = "regdem-variants";
static constexpr const char *PressureAttr = "regdem-pressure-after";
static constexpr const char *AccessesAttr = "regdem-slot-accesses";
static constexpr const char *InFlightAttr = "regdem-words-in-flight";
static constexpr const char *TrialAttr = "regdem-trial";

void writeSettled(Function &Kernel, const Settled &S) {
  Kernel.addFnAttr(TargetAttr, utostr(S.Target));
  Kernel.addFnAttr(StrategyAttr, toString(S.How));
  if (S.SmemSpilling)
    Kernel.addFnAttr(SmemSpillingAttr);
  if (S.LeaveAlone)
    Kernel.addFnAttr(LeaveAloneAttr);
  Kernel.addFnAttr(VariantsAttr, encodeVariants(S.Variants));
}

std::optional<Settled> readSettled(const Function &Kernel) {
  if (!Kernel.hasFnAttribute(TargetAttr))
    return std::nullopt;
  Settled S;
  S.Target =
      static_cast<unsigned>(Kernel.getFnAttributeAsParsedInteger(TargetAttr));
  S.How = strategyOf(Kernel.getFnAttribute(StrategyAttr).getValueAsString());
  S.SmemSpilling = Kernel.hasFnAttribute(SmemSpillingAttr);
  S.LeaveAlone = Kernel.hasFnAttribute(LeaveAloneAttr);
  S.Variants =
      decodeVariants(Kernel.getFnAttribute(VariantsAttr).getValueAsString());
  return S;
}

void markTrial(Function &Kernel) { Kernel.addFnAttr(TrialAttr); }

void writeTrialResult(Function &Kernel, const Outcome &O) {
  Kernel.addFnAttr(PressureAttr, utostr(O.PressureAfter));
  Kernel.addFnAttr(AccessesAttr, utostr(O.SlotAccesses));
  Kernel.addFnAttr(InFlightAttr, utostr(O.WordsInFlight));
}

void readTrialResult(const Function &Kernel, Variant &V) {
  auto Number = [&Kernel](StringRef Attribute) {
    return static_cast<unsigned>(
        Kernel.getFnAttributeAsParsedInteger(Attribute));
  };
  V.PressureAfter = Number(PressureAttr);
  V.SlotAccesses = Number(AccessesAttr);
  V.WordsInFlight = Number(InFlightAttr);
}

bool isTrial(const Function &Kernel) {
  return Kernel.hasFnAttribute(TrialAttr);
}

} // namespace regdem
