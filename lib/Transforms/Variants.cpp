//===- Variants.cpp - try candidates before code generation ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Variants.h"

#include "CandidateBuilder.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Analysis/Legality.h"
#include "regdem/Analysis/SmemSpilling.h"
#include "regdem/Decision/TargetSearch.h"
#include "regdem/Emission/TrialAttributes.h"
#include "regdem/Options.h"
#include "regdem/Target/SMLimits.h"
#include "regdem/Toolchain/Invocation.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regdem {

namespace {

void warn(LLVMContext &Context, const Twine &Text) {
  std::string Message = ("regdem: " + Text).str();
  Context.diagnose(DiagnosticInfoGeneric(Message, DS_Warning));
}

/// Whether it is certain that ptxas takes the pragma for spilling to shared
/// memory in kernel F. Plain: its run that follows has neither -c nor -g.
bool maySpillToShared(const Function &F, const KernelFacts &Facts,
                      const Options &O, const TargetMachine &TM, bool Plain) {
  if (O.Pragma == PragmaUse::Off || (O.Pragma == PragmaUse::Auto && !Plain))
    return false;
  return allowsSmemSpilling(F, Facts, O, TM.getTargetFeatureString());
}

/// Whether clang's driver is known to run ptxas with neither -c nor -g.
bool isAssembledPlainly() {
  SmallString<64> TempDir;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, TempDir);
  return endsInPlainPtxas(readInvocation(), TempDir);
}

/// The cap that variants are to be tried under; none where the kernel is to be
/// left alone or its target is already settled.
std::optional<Objective> goalOf(const Function &F, const Options &O,
                                const TargetMachine &TM, bool Plain) {
  if (O.RunMode == Mode::Off || O.Target || readSettled(F))
    return std::nullopt;
  KernelFacts Facts = collectKernelFacts(F, O);
  if (findObstacle(Facts, O) != Obstacle::None)
    return std::nullopt;
  std::optional<Objective> Goal =
      statedObjective(Facts, O, *lookupSMLimits(Facts.Arch));
  if (Goal)
    Goal->MaySpillToShared = maySpillToShared(F, Facts, O, TM, Plain);
  return Goal;
}

/// The assembler that the options name. Sets Failed where they name one that
/// cannot be run.
std::optional<Ptxas> assembler(LLVMContext &Context, const Options &O,
                               bool &Failed) {
  if (O.Ptxas == "auto")
    return Ptxas::search();
  Expected<Ptxas> Found = Ptxas::at(O.Ptxas);
  if (Found)
    return *Found;
  Failed = true;
  warn(Context, toString(Found.takeError()) + "; kernels are left as they are");
  return std::nullopt;
}

} // namespace

void tryVariants(Module &M, TargetMachine &TM) {
  if (!TM.getTargetTriple().isNVPTX() ||
      TM.getOptLevel() == CodeGenOptLevel::None ||
      TargetPassConfig::hasLimitedCodeGenPipeline())
    return;
  Options CommandLine = commandLineOptions();
  if (CommandLine.Ptxas == "off")
    return;
  bool Plain = isAssembledPlainly();
  std::vector<std::pair<Function *, Objective>> Kernels;
  for (Function &F : M) {
    if (!isKernel(F))
      continue;
    Expected<Options> O = optionsFor(F, CommandLine);
    if (!O) {
      consumeError(O.takeError()); // The machine pass reports it.
      continue;
    }
    if (std::optional<Objective> Goal = goalOf(F, *O, TM, Plain))
      Kernels.emplace_back(&F, *Goal);
  }
  if (Kernels.empty())
    return;

  bool Failed = false;
  std::optional<Ptxas> Assembler =
      assembler(M.getContext(), CommandLine, Failed);
  if (!Assembler && !Failed)
    return;
  for (auto &[F, Goal] : Kernels) {
    std::optional<Settled> Result;
    if (Assembler) {
      CandidateBuilder Builder(M, *F, TM, *Assembler);
      Result = searchTarget(Goal, [&](ArrayRef<Variant> Wanted) {
        return Builder.build(Wanted);
      });
      if (!Result) {
        warn(M.getContext(), "'" + F->getName() + "': " + Builder.problem() +
                                 "; the kernel is left as it is");
      }
    }
    if (!Result) {
      Result.emplace();
      Result->LeaveAlone = true;
    }
    writeSettled(*F, *Result);
  }
}

} // namespace regdem
