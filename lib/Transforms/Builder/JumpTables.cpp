//===- JumpTables.cpp - where jump tables are not safe --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JumpTables.h"

#include "CandidateBuilder.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regdem {

bool losesValuesByTable(const Outcome &S, const CandidateBuilder &Builder) {
  return !S.choosesStock() && S.chosen()->spillBytes() &&
         Builder.hasJumpTable();
}

void omitJumpTablesByEstimate(const Module &M, Function &Kernel,
                              const TargetMachine &TM, const Objective &Goal) {
  if (none_of(instructions(Kernel), IsaPred<SwitchInst>))
    return;
  CandidateBuilder Builder(M, Kernel, TM, capOrigin(Goal));
  std::optional<unsigned> Pressure = Builder.pressure();
  if (Pressure && *Pressure > estimatedTarget(Goal.MaxRegs) &&
      Builder.hasJumpTable())
    omitJumpTables(Kernel);
}

} // namespace regdem
