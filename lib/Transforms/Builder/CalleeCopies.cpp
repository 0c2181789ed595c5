//===- CalleeCopies.cpp - functions for a kernel's builds -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalleeCopies.h"

#include "KernelIsolation.h"
#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/LaunchTable.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <map>
#include <string>
#include <tuple>
#include <vector>

using namespace llvm;

namespace regdem {

/// Copies of functions, by function.
using Copies = MapVector<Function *, Function *>;

/// Has F call Its.
static void callCopies(Function &F, const Copies &Its) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Copy = Its.lookup(Call->getCalledFunction()))
        Call->setCalledFunction(Copy);
}

/// Copies of Called, which call each other.
static Copies copiesOf(ArrayRef<Function *> Called) {
  Copies Made;
  for (Function *F : Called) {
    Function *Copy = copyBehind(*F);
    Copy->setName(kernelOfBuild(F->getName()) + LaunchBuildSuffix);
    Copy->setLinkage(GlobalValue::InternalLinkage);
    Copy->setVisibility(GlobalValue::DefaultVisibility);
    Copy->setComdat(nullptr);
    Made[F] = Copy;
  }
  for (auto [F, Copy] : Made)
    callCopies(*Copy, Made);
  return Made;
}

static bool mayHaveJumpTable(const Function *F) {
  return !omitsJumpTables(*F) &&
         any_of(instructions(F),
                [](const Instruction &I) { return isa<SwitchInst>(I); });
}

namespace {

/// What kernels need of the functions that they call.
class CalleeNeeds {
public:
  /// Has Kernel call functions as it needs them.
  void settle(Function &Kernel) {
    CalledFunctions All = calledFunctions(Kernel);
    std::vector<Function *> Called(All.begin(), All.end());
    bool OmitsTables =
        omitsJumpTables(Kernel) && any_of(Called, mayHaveJumpTable);
    auto [Own, OfCallees] = roundingsOf(Kernel).split(' ');
    if (OfCallees.empty() && !OmitsTables)
      return;
    auto [Found, IsNew] =
        Known.try_emplace({Called, OfCallees.str(), OmitsTables});
    Copies &Its = Found->second;
    if (IsNew) {
      Its = copiesOf(Called);
      SmallVector<StringRef> Roundings;
      OfCallees.split(Roundings, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
      // None where tables alone are left out.
      for (auto [Pair, Of] : zip(Its, Roundings))
        setRoundings(*Pair.second, Of);
      if (OmitsTables)
        for (auto [F, Copy] : Its)
          omitJumpTables(*Copy);
    }
    callCopies(Kernel, Its);
    setRoundings(Kernel, Own.str());
  }

private:
  /// The copies that some kernel calls, which others that need the same share.
  std::map<std::tuple<std::vector<Function *>, std::string, bool>, Copies>
      Known;
};

} // namespace

void stateCallees(Function &Kernel) {
  CalleeNeeds().settle(Kernel);
  removeUnused(*Kernel.getParent(), Kernel);
}

void settleCallees(Module &M) {
  CalleeNeeds Needs;
  for (Function *Kernel : to_vector(make_pointer_range(M))) {
    if (!isKernel(*Kernel))
      continue;
    std::optional<Outcome> Settled = readSettled(*Kernel);
    if (Settled && !keepsTables(*Settled, Settled->stock()))
      omitJumpTables(*Kernel);
    Needs.settle(*Kernel);
  }
}

} // namespace regdem
