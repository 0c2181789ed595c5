//===- PlainBuilds.cpp - builds without demotion and directives -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stock's build, those that leave out passes or order instructions in another
// way, and what they show without ptxas.
//
//===----------------------------------------------------------------------===//

#include "CandidateBuilder.h"

#include "regdem/Constants.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace regdem {

bool CandidateBuilder::compilePlain(ArrayRef<PlainBuild> Wanted) {
  std::set<PlainBuild> Missing;
  for (const PlainBuild &B : Wanted)
    if (!Plain.count(B))
      Missing.insert(B);
  std::vector<Variant> Variants;
  for (const PlainBuild &B : Missing) {
    Variant V; // As the stock compiler builds it otherwise.
    V.Rewrites = B.Rewrites;
    V.Order = B.Order;
    Variants.push_back(V);
  }
  return compileTogether(Variants, [&](size_t I, CandidateText T) {
    Plain.emplace(PlainBuild(Variants[I].Rewrites, Variants[I].Order),
                  std::move(T));
  });
}

const CandidateText *CandidateBuilder::stockText() {
  const PlainBuild Stock{Rewrite()};
  if (!Plain.count(Stock)) {
    // In one go: of most kernels no other build is compiled.
    Expected<CandidateText> Text = compileCandidate(
        Source, KernelName, TM, Variant(), CapFrom == CapOrigin::Free);
    if (!Text) {
      Problem = toString(Text.takeError());
      return nullptr;
    }
    Plain.emplace(Stock, std::move(*Text));
  }
  return &Plain.at(Stock);
}

std::optional<unsigned> CandidateBuilder::pressure() {
  if (const CandidateText *Stock = stockText())
    return Stock->Shown.PressureAfter;
  return std::nullopt;
}

std::vector<Rewrite>
CandidateBuilder::worthwhileRewrites(ArrayRef<Rewrite> Single) {
  constexpr Rewrite None{};
  const CandidateText *Stock = stockText();
  if (!Stock)
    return {};
  auto PressureOf = [this](Rewrite O) {
    return Plain.at(O).Shown.PressureAfter;
  };
  auto Lowers = [&](Rewrite O, Rewrite From) {
    return isLessBy(Tuned.Relief, PressureOf(O), PressureOf(From));
  };
  // Sinking moves products, unrolling changes the code around them; the other
  // passes are about integers alone.
  auto IsExact = [this](Rewrite O, Rewrite Sunk) {
    if (Plain.at(O).HasOtherArithmetic)
      return false;
    bool KeepsProducts =
        has(O, Rewrite::SkipMachineSink) ==
            has(Sunk, Rewrite::SkipMachineSink) &&
        has(O, Rewrite::UnrollLoops) == has(Sunk, Rewrite::UnrollLoops);
    return KeepsProducts || (!Plain.at(O).HasDistantProduct &&
                             !Plain.at(Sunk).HasDistantProduct);
  };
  const Rewrite Idle = Stock->Idle;
  std::vector<PlainBuild> Tried;
  for (Rewrite O : Single)
    if ((O | Idle) != Idle)
      Tried.emplace_back(O);
  compilePlain(Tried); // One that cannot be compiled is not worth a build.
  std::vector<Rewrite> Result, UnseenByPressure;
  for (const PlainBuild &B : Tried) {
    Rewrite O = B.Rewrites;
    if (!Plain.count(O) || !IsExact(O, None))
      continue;
    if (has(O, Rewrite::SkipSLSR) || has(O, Rewrite::ChainAddresses) ||
        has(O, Rewrite::FoldCopies) || has(O, Rewrite::UnrollLoops) ||
        has(O, Rewrite::ScalarArrays))
      UnseenByPressure.push_back(O);
    else if (Lowers(O, None))
      Result.push_back(O);
  }
  if (Result.size() == 2) {
    Rewrite Both = Result[0] | Result[1];
    if (compilePlain(PlainBuild(Both)) && Lowers(Both, Result[0]) &&
        Lowers(Both, Result[1]) && IsExact(Both, Rewrite::SkipLoopReduce))
      Result.push_back(Both);
  }
  stable_sort(Result, [&](Rewrite A, Rewrite B) {
    return PressureOf(A) < PressureOf(B);
  });
  append_range(Result, UnseenByPressure);
  return Result;
}

bool CandidateBuilder::hasScalarArrays() {
  const CandidateText *Stock = stockText();
  return Stock && !has(Stock->Idle, Rewrite::ScalarArrays);
}

bool CandidateBuilder::hasDistantProduct() {
  const CandidateText *Stock = stockText();
  return Stock && Stock->HasDistantProduct;
}

bool CandidateBuilder::hasOpenProduct() {
  const CandidateText *Stock = stockText();
  return !Stock || Stock->HasOpenProduct;
}

std::optional<std::string> CandidateBuilder::stockCode(const Ptxas &Assembler) {
  const CandidateText *Stock = stockText();
  if (!Stock)
    return std::nullopt;
  auto Known = Assembled.find(Stock->PTX);
  if (Known != Assembled.end() && !Known->second.Cubin.empty())
    return Known->second.Cubin;
  Ptxas::Job Job{Stock->PTX, Relocatable, /*KeepCubin=*/true};
  auto Figures = Assembler.assemble(Job, ArchName, Limits);
  if (!Figures) {
    consumeError(Figures.takeError());
    return std::nullopt;
  }
  return std::move(Figures->front().Cubin);
}

std::optional<std::string> CandidateBuilder::wholeStockText() {
  const CandidateText *Stock = IsWholeModule ? stockText() : nullptr;
  if (!Stock || !Stock->IsSilent)
    return std::nullopt;
  return Stock->PTX;
}

bool CandidateBuilder::hasJumpTable() const {
  return any_of(Plain, [](const auto &Built) {
    return StringRef(Built.second.PTX).contains("brx.idx");
  });
}

} // namespace regdem
