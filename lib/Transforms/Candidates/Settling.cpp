//===- Settling.cpp - what the tools settle for one kernel ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settling.h"

#include "CandidateBuilder.h"
#include "JumpTables.h"
#include "regdem/Decision/FreeChoice.h"
#include "regdem/Decision/TargetSearch.h"
#include "regdem/Emission/KernelAttributes.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

CandidateBuilder builderFor(const Module &M, const TargetMachine &TM,
                            const Candidate &C) {
  return CandidateBuilder(M, *C.Kernel, TM, capOrigin(C.Goal), C.Is);
}

namespace {

/// Says what problem Builder has with C, and what comes of that.
void warn(const Candidate &C, const CandidateBuilder &Builder,
          const char *Consequence) {
  reportWarning(C.Kernel->getContext(), "'" + C.Kernel->getName() +
                                            "': " + Builder.problem() + "; " +
                                            Consequence);
}
constexpr const char *ComparedByFigures =
    "variants are compared by ptxas's figures";
constexpr const char *LeftAsItIs = "the kernel is left as it is";

/// Share of the predicted time that a build without the launch bounds' minimum
/// of blocks must save to be told of. Of 37 kernels of other domains four save
/// so much by prediction, and on an H200 take 0.32 to 0.92 of the time; one
/// that saves 10 % by prediction takes 1.02.
constexpr double GainWorthTelling = 0.12;

/// The build without the minimum of blocks that C's launch bounds ask for,
/// where stock's spills for them and it is expected to be much faster than what
/// S settles.
std::optional<UnboundedBuild> tellUnbounded(const Candidate &C,
                                            const Settled &S,
                                            BuildVariants Build,
                                            PredictVariants Predict) {
  const Variant *Stock = stockVariant(S.Variants);
  const Variant *Chosen = chosenVariant(S.Variants);
  bool IsBoundedBySource =
      C.Facts.MinBlocks && !C.Facts.MaxRegs && !C.Goal->CapIsNew;
  if (C.O.RunMode != Mode::Auto || !IsBoundedBySource || !Stock->spillBytes() ||
      !Chosen->BlocksPerSM)
    return std::nullopt;
  auto Built = Build(liftedLimit());
  if (!Built || !Built->front().BlocksPerSM ||
      Built->front().Regs <= Chosen->Regs)
    return std::nullopt;
  std::vector<Variant> Unread = {Built->front()};
  if (!Chosen->Cycles)
    Unread.push_back(*Chosen);
  auto Cycles = Predict(Unread);
  if (!Cycles)
    return std::nullopt;
  double Gain =
      1 - Cycles->front() / (Chosen->Cycles ? Chosen->Cycles : Cycles->back());
  if (Gain < GainWorthTelling)
    return std::nullopt;
  return UnboundedBuild{Built->front().Regs, Built->front().BlocksPerSM, Gain};
}

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
        Cycles->push_back(predictCyclesUnderCap(
            Wanted[I], (*Codes)[I], C.Facts.Threads,
            *lookupSMLimits(C.Facts.Arch), C.O.Limits.Jobs));
    } else {
      warn(C, Builder, ComparedByFigures);
    }
    return Cycles;
  };
  std::optional<Settled> Result = searchTarget(
      *C.Goal, Build, T.Reader ? PredictVariants(Predict) : nullptr,
      [&](ArrayRef<Omission> Single) { return Builder.omissions(Single); });
  if (Result && T.Reader)
    Result->Unbounded = tellUnbounded(C, *Result, Build, Predict);
  return Result;
}

/// A choice of the stock build for which no variant has to be compared.
FreeChoice stockBecause(Reason Why) {
  return {Decision::Stock, 0, 0, Why, std::nullopt};
}

std::optional<Settled> settleFreely(const Candidate &C,
                                    CandidateBuilder &Builder, const Tools &T) {
  std::optional<unsigned> Pressure = Builder.pressure();
  if (!Pressure)
    return std::nullopt;
  FreeGoal Goal{C.Facts,
                C.O,
                *lookupSMLimits(C.Facts.Arch),
                *Pressure,
                C.MaySpillToShared,
                C.IsToldOf};
  if (isSurelyNotLimited(Goal)) {
    Settled S;
    S.Free = stockBecause(Reason::NotRegisterLimited);
    return S;
  }
  std::optional<Variant> Stock;
  auto Build = [&](ArrayRef<Variant> Wanted) {
    auto Built = Builder.build(Wanted, T.Assembler, T.Reader.has_value());
    if (Built && !Stock && Built->front().What == Decision::Stock)
      Stock = Built->front();
    return Built;
  };
  bool Unread = false;
  auto Read = [&](ArrayRef<Variant> Wanted) {
    auto Codes = Builder.readCode(Wanted, *T.Reader);
    Unread |= !Codes;
    return Codes;
  };
  auto Search = [&](ReadVariants ReadThem) {
    return searchFreely(Goal, Build, ReadThem, [&](ArrayRef<Omission> Single) {
      return Builder.omissions(Single);
    });
  };
  std::optional<Settled> Result =
      Search(T.Reader ? ReadVariants(Read) : nullptr);
  if (Unread) {
    // As where there is no disassembler; nothing is assembled twice.
    warn(C, Builder, ComparedByFigures);
    Result = Search(nullptr);
  }
  // A callee may need more registers than a cap leaves it. That is no fault of
  // the tool's, as nobody has asked for the cap.
  if (!Result && Stock && C.Facts.HasCalls) {
    Result = settledOn({*Stock}, 0);
    Result->Free = stockBecause(Reason::CalleesNeedMore);
  }
  return Result;
}

/// What Builder's builds settle for C; none, after a warning, where a tool
/// fails.
std::optional<Settled> search(const Candidate &C, CandidateBuilder &Builder,
                              const Tools &T) {
  std::optional<Settled> Result =
      C.Goal ? settleStated(C, Builder, T) : settleFreely(C, Builder, T);
  if (!Result)
    warn(C, Builder, LeftAsItIs);
  return Result;
}

/// Builds what S settles for C once more, as the kernel is now, and has S tell
/// the figures of that; false, after a warning, where a tool fails.
bool rebuildChosen(const Module &M, const TargetMachine &TM, const Candidate &C,
                   const Tools &T, Settled &S) {
  CandidateBuilder Builder = builderFor(M, TM, C);
  auto Built = Builder.build(*chosenVariant(S.Variants), T.Assembler,
                             /*KeepCode=*/false);
  if (!Built) {
    warn(C, Builder, LeftAsItIs);
    return false;
  }
  std::replace_if(
      S.Variants.begin(), S.Variants.end(),
      [](const Variant &V) { return V.Chosen; }, Built->front());
  return true;
}

/// Rounds the kernel's products whose sums stand in other blocks where ptxas
/// makes the same of the stock build then: it fuses none of them. What it would
/// fuse in the other builds depends on the cap and on what is demoted. Whether
/// it did.
bool roundUnfusedProducts(const Module &M, const TargetMachine &TM,
                          const Candidate &C, CandidateBuilder &Builder,
                          const Tools &T) {
  if (!Builder.hasDistantProduct())
    return false;
  std::optional<std::string> Code = Builder.stockCode(T.Assembler);
  if (!Code)
    return false;
  roundProducts(*C.Kernel);
  CandidateBuilder Rounded = builderFor(M, TM, C);
  if (Rounded.stockCode(T.Assembler) == Code)
    return true;
  leaveProducts(*C.Kernel);
  return false;
}

} // namespace

std::optional<Settled> settle(const Module &M, const TargetMachine &TM,
                              const Candidate &C, const Tools &T,
                              CandidateBuilder &Builder) {
  std::optional<Settled> Result = search(C, Builder, T);
  if (!Result || Result->choosesStock())
    return Result;
  bool IsRounded = roundUnfusedProducts(M, TM, C, Builder, T);
  bool LosesValues = losesValuesByTable(*Result, Builder);
  if (LosesValues)
    omitJumpTables(*C.Kernel);
  if (LosesValues && !C.Goal) {
    CandidateBuilder Anew = builderFor(M, TM, C);
    Result = search(C, Anew, T);
  } else if (IsRounded || LosesValues) {
    if (!rebuildChosen(M, TM, C, T, *Result))
      Result.reset();
  }
  if (!Result || Result->choosesStock()) {
    allowJumpTables(*C.Kernel);
    leaveProducts(*C.Kernel);
  }
  return Result;
}

} // namespace regdem
