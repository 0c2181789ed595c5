//===- StockStudy.cpp - a kernel's stock build, before launches -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StockStudy.h"

#include "KnownDecisions.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Decision/Choice/Search.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Target/SMLimits.h"

using namespace llvm;

namespace regdem {

static void fields(JSONFields &J, StockNotes &N) {
  J.value("pressure", N.Pressure);
  J.value("idle", N.Idle);
  J.value("open", N.HasContractibleFMul);
  J.value("roundings", N.Roundings);
  J.value("read", N.WereRead);
}

StockStudy::StockStudy(Candidate &C, const Module &M, const TargetMachine &TM,
                       const Tools &T)
    : C(C), M(M), TM(TM), T(T) {
  if (!T.Known)
    return;
  Key = T.Known->keyOfStock(C);
  if (std::optional<std::string> Text = T.Known->find(Key))
    Notes = expectedToOptional(json::parse<StockNotes>(*Text));
}

CandidateBuilder &StockStudy::builder() {
  if (!Builder)
    Builder = std::make_unique<CandidateBuilder>(M, *C.Kernel, TM,
                                                 CapOrigin::Free, T.Texts);
  return *Builder;
}

void StockStudy::keep() {
  if (T.Known)
    T.Known->keep(*C.Kernel, Key, formatv("{0}", json::Value(*Notes)).str());
}

const StockNotes *StockStudy::notes() {
  if (!Notes)
    if (const CandidateText *Text = builder().stockText()) {
      Notes.emplace();
      Notes->Pressure = Text->Planned.PressureAfter;
      Notes->Idle = static_cast<unsigned>(Text->Idle);
      Notes->HasContractibleFMul = Text->HasContractibleFMul;
      keep();
    }
  return Notes ? &*Notes : nullptr;
}

Rewrite StockStudy::memoryRewrites() const {
  return regdem::memoryRewrites(static_cast<Rewrite>(Notes->Idle), C.Limit);
}

std::optional<Missed> StockStudy::prove() {
  if (C.Limit < BuildsToCompare)
    return Missed::Effort;
  if (!Notes->HasContractibleFMul)
    return std::nullopt;
  if (Notes->Roundings.empty()) {
    auto Pay = [this](ProofStep S) {
      Notes->WereRead |= S == ProofStep::Reading;
      return payFrom(C.Limit, buildsOf(S));
    };
    builder().fixRoundings(T.Assembler, Pay);
    Notes->Roundings = builder().roundings();
    if (Notes->Roundings.empty())
      return Missed::Effort;
    keep();
  } else if (!payFrom(C.Limit, buildsOf(ProofStep::Usual)) ||
             (Notes->WereRead &&
              !payFrom(C.Limit, buildsOf(ProofStep::Reading)))) {
    return Missed::Effort;
  }
  setRoundings(*C.Kernel, Notes->Roundings);
  if (Notes->Roundings == RoundingsUnknown)
    return Missed::OpenProducts;
  return std::nullopt;
}

void studyStock(MutableArrayRef<StudiedKernel> Kernels, FileBudget &Budget,
                const Module &M, const TargetMachine &TM, const Tools &T) {
  std::vector<KernelWork> Work;
  for (const StudiedKernel &K : Kernels)
    Work.push_back(workOf(*K.C));
  for (size_t I : FileBudget::order(Work)) {
    if (!Budget.reserve(Work[I]))
      continue;
    auto &[C, Stock, IsLimited] = Kernels[I];
    Stock.emplace(*C, M, TM, T);
    const StockNotes *Notes = Stock->notes();
    bool MayMove = C->MovesFrames && C->Facts.LocalBytes;
    IsLimited = !Notes || MayMove ||
                !isNeverLimited(C->Facts, Notes->Pressure,
                                *lookupSMLimits(C->Facts.Arch)) ||
                any(Stock->memoryRewrites());
    if (!IsLimited)
      Budget.release(Work[I]);
  }
}

} // namespace regdem
