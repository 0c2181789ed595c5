//===- SettleModule.cpp - how each kernel of a module is built ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Builder/SettleModule.h"

#include "JumpTables.h"
#include "KnownDecisions.h"
#include "LaunchBuilds.h"
#include "ProfileUse.h"
#include "Settling.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Analysis/Legality.h"
#include "regdem/Analysis/SmemSpilling.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Emission/Report.h"
#include "regdem/Options.h"
#include "regdem/Target/SMLimits.h"
#include "regdem/Toolchain/Invocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regdem {

namespace {

/// The run of ptxas that follows. Command lines of processes are read when it
/// is first asked about, which few compilations need.
class FinalRun {
public:
  /// Whether clang's driver is known to run ptxas with neither -c nor -g.
  bool isPlain() {
    if (!Plain) {
      SmallString<64> TempDir;
      sys::path::system_temp_directory(/*ErasedOnReboot=*/true, TempDir);
      Plain = endsInPlainPtxas(readInvocation(), TempDir);
    }
    return *Plain;
  }

  /// Whether clang's driver is known to compile the host code as well, with
  /// RegDem at work on it.
  bool hasHost() {
    if (!Host)
      Host = isPlain() && compilesHostAlike(readInvocation());
    return *Host;
  }

  /// Whether frames will move where that is expected to be faster.
  bool movesFrames(const Options &O) {
    return O.Finish == FinishUse::On ||
           (O.Finish == FinishUse::Auto && hasHost());
  }

private:
  std::optional<bool> Plain, Host;
};

/// Whether it is certain that ptxas takes the pragma for spilling to shared
/// memory in kernel F.
bool maySpillToShared(const Function &F, const KernelFacts &Facts,
                      const Options &O, const TargetMachine &TM,
                      FinalRun &Run) {
  return O.Pragma != PragmaUse::Off &&
         allowsSmemSpilling(F, Facts, O, TM.getTargetFeatureString()) &&
         (O.Pragma != PragmaUse::Auto || Run.isPlain());
}

/// What the ptxas that follows makes of F, as far as that matters.
FinalProgram programOf(const KernelFacts &Facts, const Options &O,
                       FinalRun &Run) {
  bool IsWhole = Facts.HasCalls && (O.Pragma == PragmaUse::On || Run.isPlain());
  return IsWhole ? FinalProgram::Whole : FinalProgram::Unknown;
}

/// F with what is known of it; none where it is to be left alone or is settled
/// already.
std::optional<Candidate> candidate(Function &F, const Options &O,
                                   const TargetMachine &TM, FinalRun &Run) {
  if (O.RunMode == Mode::Off || O.Target || readSettled(F))
    return std::nullopt;
  Candidate C;
  C.Kernel = &F;
  C.O = O;
  C.Facts = collectKernelFacts(F, O);
  Obstacle Why = findObstacle(C.Facts, O);
  if (!mayTryBuilds(Why, C.Facts, O)) {
    if (capDespite(Why, C.Facts, O)) // What it spills then is not known.
      omitJumpTables(F);
    return std::nullopt;
  }
  C.Goal = statedObjective(C.Facts, O, *lookupSMLimits(C.Facts.Arch));
  if (!C.Goal && O.RunMode != Mode::Auto)
    return std::nullopt;
  C.MaySpillToShared =
      Why == Obstacle::None && maySpillToShared(F, C.Facts, O, TM, Run);
  if (C.Goal)
    C.Goal->MaySpillToShared = C.MaySpillToShared;
  C.MovesFrames = Run.movesFrames(O);
  C.Is = programOf(C.Facts, O, Run);
  C.IsToldOf = isToldOf(F, O);
  return C;
}

/// Whether the host code that launches the kernels is known to choose among
/// their builds.
bool choosesAtLaunch(const Options &O, FinalRun &Run) {
  return O.Launch == LaunchUse::On ||
         (O.Launch == LaunchUse::Auto && Run.hasHost());
}

/// The disassembler that the options name; one warning where it cannot be run.
std::optional<Disassembler> disassembler(LLVMContext &Context,
                                         const Options &O) {
  Expected<std::optional<Disassembler>> Found =
      Disassembler::choose(O.Disassembler);
  if (Found)
    return *Found;
  reportWarning(Context, toString(Found.takeError()) +
                             "; builds are compared by ptxas's figures");
  return std::nullopt;
}

/// Has C built as the estimate of the machine pass needs it, which decides
/// where there is no assembler.
void prepareForEstimate(const Module &M, const TargetMachine &TM,
                        const Candidate &C) {
  if (!C.Goal || (C.Goal->CapIsNew && C.Facts.HasCalls) ||
      (!C.Goal->CapIsNew && !C.Facts.knowsLaunch()))
    return;
  if (any(C.O.Rewrites))
    writeRewrites(*C.Kernel, C.O.Rewrites);
  omitJumpTablesByEstimate(M, *C.Kernel, TM, *C.Goal);
}

/// Writes on C's kernel what is settled for it; that it is left alone if
/// nothing is.
void write(const Candidate &C, const std::optional<Outcome> &Result) {
  Outcome Alone;
  Alone.LeaveAlone = true;
  writeSettled(*C.Kernel, Result ? *Result : Alone);
}

/// Settles Kernels and writes that on them. M's PTX where the stock build that
/// has been compiled of one is all that code generation would make.
std::optional<std::string> settleModuleOf(MutableArrayRef<Candidate> Kernels,
                                          const Module &M,
                                          const TargetMachine &TM,
                                          const Tools &T,
                                          const Options &CommandLine) {
  KnownDecisions Known(M, TM, T, CommandLine);
  std::vector<std::unique_ptr<KernelSearch>> Searches;
  bool AreCompared = false;
  for (Candidate &C : Kernels)
    if (Known.apply(C))
      AreCompared |= T.LacksReader && readSettled(*C.Kernel)->Builds.size() > 1;
    else
      Searches.push_back(std::make_unique<KernelSearch>(M, TM, C, T));
  KernelSearch::runAll(Searches, CommandLine.Limits);
  std::optional<std::string> PTX;
  for (const std::unique_ptr<KernelSearch> &S : Searches) {
    const Candidate &C = S->candidate();
    std::optional<Outcome> Result = S->settle();
    write(C, Result);
    if (Result && S->isRepeatable())
      Known.keep(C);
    AreCompared |= Result && Result->Builds.size() > 1;
    bool IsStock =
        Result && Result->choosesStock() && !(C.Goal && C.Goal->CapIsNew);
    if (IsStock && !C.IsToldOf)
      PTX = S->wholeStockText();
  }
  if (AreCompared && T.LacksReader)
    reportWarning(M.getContext(), describeMissingDisassembler());
  Known.prune();
  return PTX;
}

} // namespace

/// Tells of each kernel that it is left alone because of -O0, at which the
/// machine pass has no place.
static void declineUnoptimized(Module &M, const Options &CommandLine) {
  for (Function &F : M) {
    if (!isKernel(F))
      continue;
    Expected<Options> O = optionsFor(F, CommandLine);
    if (!O) {
      reportError(F, O.takeError());
      continue;
    }
    if (O->RunMode == Mode::Off)
      continue;
    Outcome R;
    R.Facts = collectKernelFacts(F, *O);
    R.Why = Reason::Declined;
    R.Because = Obstacle::NotOptimized;
    R.LosesCap = statesNewCap(R.Facts, *O);
    warnOfCap(F, R, *O);
    emitDeclined(F, R);
    appendReport(F, R, *O);
  }
}

std::optional<std::string> settleModule(Module &M, TargetMachine &TM) {
  if (!TM.getTargetTriple().isNVPTX() ||
      TargetPassConfig::hasLimitedCodeGenPipeline())
    return std::nullopt;
  Options CommandLine = commandLineOptions();
  if (TM.getOptLevel() == CodeGenOptLevel::None) {
    declineUnoptimized(M, CommandLine);
    return std::nullopt;
  }
  FinalRun Run;
  applyProfile(
      M, TM, CommandLine,
      [&](const Function &F, const KernelFacts &Facts, const Options &O) {
        return maySpillToShared(F, Facts, O, TM, Run);
      },
      [&](const KernelFacts &Facts, const Options &O) {
        return programOf(Facts, O, Run);
      });
  std::vector<Candidate> Kernels;
  for (Function &F : M) {
    if (!isKernel(F))
      continue;
    Expected<Options> O = optionsFor(F, CommandLine);
    if (!O) {
      consumeError(O.takeError()); // The machine pass reports it.
      continue;
    }
    if (std::optional<Candidate> C = candidate(F, *O, TM, Run))
      Kernels.push_back(std::move(*C));
  }
  if (Kernels.empty())
    return std::nullopt;

  LLVMContext &Context = M.getContext();
  Expected<std::optional<Ptxas>> Assembler = Ptxas::choose(CommandLine.Ptxas);
  if (!Assembler) {
    reportWarning(Context, toString(Assembler.takeError()) +
                               "; kernels are left as they are");
    for (const Candidate &C : Kernels)
      write(C, std::nullopt);
    return std::nullopt;
  }
  std::vector<Candidate> Compared;
  for (auto [I, C] : enumerate(Kernels)) {
    if (CommandLine.Budget)
      C.MostBuilds = shareOfBudget(*CommandLine.Budget, Kernels.size(), I);
    if (!*Assembler || (C.MostBuilds && !allowsComparison(*C.MostBuilds)))
      prepareForEstimate(M, TM, C);
    else
      Compared.push_back(std::move(C));
  }
  Kernels = std::move(Compared);
  if (Kernels.empty())
    return std::nullopt;
  Tools T{**Assembler, disassembler(Context, CommandLine)};
  T.LacksReader = !T.Reader && CommandLine.Disassembler == "auto";
  std::vector<Candidate> ForLaunch;
  if (choosesAtLaunch(CommandLine, Run)) {
    std::vector<Candidate> Others;
    for (Candidate &C : Kernels)
      (mayHaveLaunchBuilds(C) ? ForLaunch : Others).push_back(std::move(C));
    Kernels = std::move(Others);
  }
  auto CandidateFor = [&](Function &F) -> std::optional<Candidate> {
    return candidate(F, cantFail(optionsFor(F, CommandLine)), TM, Run);
  };
  append_range(Kernels, addLaunchBuilds(std::move(ForLaunch), M, TM, T,
                                        CommandLine, CandidateFor));
  return settleModuleOf(Kernels, M, TM, T, CommandLine);
}

} // namespace regdem
