//===- Variants.cpp - try candidates before code generation ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Variants.h"

#include "CandidateBuilder.h"
#include "ProfileUse.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Analysis/Legality.h"
#include "regdem/Analysis/SmemSpilling.h"
#include "regdem/Decision/FreeChoice.h"
#include "regdem/Emission/Report.h"
#include "regdem/Emission/TrialAttributes.h"
#include "regdem/Options.h"
#include "regdem/Target/SMLimits.h"
#include "regdem/Toolchain/Disassembler.h"
#include "regdem/Toolchain/Invocation.h"
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

private:
  std::optional<bool> Plain;
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

/// A kernel that variants are to be tried of.
struct Candidate {
  Function *Kernel;
  Options O;
  KernelFacts Facts;
  bool MaySpillToShared = false;
  std::optional<Objective> Goal; ///< The cap stated for it; none: free choice.
};

CapOrigin capOrigin(const Candidate &C) {
  if (!C.Goal)
    return CapOrigin::Free;
  return C.Goal->CapIsNew ? CapOrigin::Asked : CapOrigin::Own;
}

/// F with what is known of it; none where it is to be left alone or is settled
/// already.
std::optional<Candidate> candidate(Function &F, const Options &O,
                                   const TargetMachine &TM, FinalRun &Run) {
  if (O.RunMode == Mode::Off || O.Target || readSettled(F))
    return std::nullopt;
  Candidate C{&F, O, collectKernelFacts(F, O), false, std::nullopt};
  if (findObstacle(C.Facts, O) != Obstacle::None)
    return std::nullopt;
  C.MaySpillToShared = maySpillToShared(F, C.Facts, O, TM, Run);
  C.Goal = statedObjective(C.Facts, O, *lookupSMLimits(C.Facts.Arch));
  if (!C.Goal && O.RunMode != Mode::Auto)
    return std::nullopt;
  if (C.Goal)
    C.Goal->MaySpillToShared = C.MaySpillToShared;
  return C;
}

/// The assembler that the options name. Sets Failed where they name one that
/// cannot be run.
std::optional<Ptxas> assembler(LLVMContext &Context, const Options &O,
                               bool &Failed) {
  Expected<std::optional<Ptxas>> Found = Ptxas::choose(O.Ptxas);
  if (Found)
    return *Found;
  Failed = true;
  reportWarning(Context,
                toString(Found.takeError()) + "; kernels are left as they are");
  return std::nullopt;
}

/// The disassembler that the options name; one warning where it cannot be run.
std::optional<Disassembler> disassembler(LLVMContext &Context,
                                         const Options &O) {
  Expected<std::optional<Disassembler>> Found =
      Disassembler::choose(O.Disassembler);
  if (Found)
    return *Found;
  reportWarning(Context, toString(Found.takeError()) +
                             "; variants are compared by ptxas's figures");
  return std::nullopt;
}

/// The programs that settle a kernel.
struct Tools {
  Ptxas Assembler;
  std::optional<Disassembler> Reader;
};

std::optional<Settled> settleStated(const Candidate &C,
                                    CandidateBuilder &Builder, const Tools &T) {
  auto Build = [&](ArrayRef<Variant> Wanted) {
    return Builder.build(Wanted, T.Assembler, T.Reader.has_value());
  };
  auto Predict = [&](ArrayRef<Variant> Wanted) {
    std::optional<std::vector<double>> Cycles;
    if (auto Codes = Builder.readCode(Wanted, *T.Reader)) {
      Cycles.emplace();
      for (size_t I = 0; I != Wanted.size(); ++I)
        Cycles->push_back(predictCyclesUnderCap(Wanted[I], (*Codes)[I],
                                                C.Facts.Threads,
                                                *lookupSMLimits(C.Facts.Arch)));
    } else {
      reportWarning(C.Kernel->getContext(),
                    "'" + C.Kernel->getName() + "': " + Builder.problem() +
                        "; variants are compared by ptxas's figures");
    }
    return Cycles;
  };
  return searchTarget(
      *C.Goal, Build, T.Reader ? PredictVariants(Predict) : nullptr,
      [&](ArrayRef<Omission> Single) { return Builder.omissions(Single); });
}

/// A choice of the stock build for which no variant has to be compared.
Settled stockBecause(Reason Why) {
  Settled S;
  S.Free = FreeChoice{Decision::Stock, 0, 0, Why, std::nullopt};
  return S;
}

std::optional<Settled> settleFreely(const Candidate &C,
                                    CandidateBuilder &Builder, const Tools &T) {
  std::optional<unsigned> Pressure = Builder.pressure();
  if (!Pressure)
    return std::nullopt;
  FreeGoal Goal{C.Facts, C.O, *lookupSMLimits(C.Facts.Arch), *Pressure,
                C.MaySpillToShared};
  if (isSurelyNotLimited(Goal))
    return stockBecause(Reason::NotRegisterLimited);
  bool StockBuilt = false;
  auto Build = [&](ArrayRef<Variant> Wanted) {
    auto Built = Builder.build(Wanted, T.Assembler, T.Reader.has_value());
    StockBuilt |= Built.has_value();
    return Built;
  };
  auto Read = [&](ArrayRef<Variant> Wanted) {
    return Builder.readCode(Wanted, *T.Reader);
  };
  std::optional<Settled> Result = searchFreely(
      Goal, Build, T.Reader ? ReadVariants(Read) : nullptr,
      [&](ArrayRef<Omission> Single) { return Builder.omissions(Single); });
  // A callee may need more registers than a cap leaves it. That is no fault of
  // the tool's, as nobody has asked for the cap.
  if (!Result && StockBuilt && C.Facts.HasCalls)
    return stockBecause(Reason::CalleesNeedMore);
  return Result;
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
    tellDeclined(F, R, *O);
  }
}

void tryVariants(Module &M, TargetMachine &TM) {
  if (!TM.getTargetTriple().isNVPTX() ||
      TargetPassConfig::hasLimitedCodeGenPipeline())
    return;
  Options CommandLine = commandLineOptions();
  if (TM.getOptLevel() == CodeGenOptLevel::None) {
    declineUnoptimized(M, CommandLine);
    return;
  }
  FinalRun Run;
  applyProfile(
      M, TM, CommandLine,
      [&](const Function &F, const KernelFacts &Facts, const Options &O) {
        return maySpillToShared(F, Facts, O, TM, Run);
      });
  if (CommandLine.Ptxas == "off")
    return;
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
    return;

  LLVMContext &Context = M.getContext();
  bool Failed = false;
  std::optional<Ptxas> Assembler = assembler(Context, CommandLine, Failed);
  if (!Assembler && !Failed)
    return;
  std::optional<Tools> T;
  if (Assembler)
    T = Tools{*Assembler, disassembler(Context, CommandLine)};
  for (const Candidate &C : Kernels) {
    std::optional<Settled> Result;
    if (T) {
      CandidateBuilder Builder(M, *C.Kernel, TM, capOrigin(C));
      Result =
          C.Goal ? settleStated(C, Builder, *T) : settleFreely(C, Builder, *T);
      if (!Result) {
        reportWarning(Context, "'" + C.Kernel->getName() +
                                   "': " + Builder.problem() +
                                   "; the kernel is left as it is");
      }
    }
    if (!Result) {
      Result.emplace();
      Result->LeaveAlone = true;
    }
    writeSettled(*C.Kernel, *Result);
  }
}

} // namespace regdem
