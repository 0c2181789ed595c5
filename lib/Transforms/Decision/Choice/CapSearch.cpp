//===- CapSearch.cpp - the best build under a stated cap ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/CapSearch.h"

#include "Finalists.h"
#include "Moves.h"
#include "PlanSearch.h"
#include "SearchRules.h"
#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Decision/Model/VariantScore.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

namespace {

class CapSearch {
public:
  CapSearch(const Objective &Goal, BuildVariants Build, PredictVariants Predict,
            ListRewrites ListWorthwhile)
      : Goal(Goal), Build(Build), Predict(Predict),
        ListWorthwhile(ListWorthwhile) {}

  std::optional<Outcome> run() {
    std::optional<Outcome> Result = search();
    return EndedEarly ? chooseSoFar() : Result;
  }

  size_t size() const { return Variants.size(); }
  bool add(ArrayRef<Variant> Wanted) {
    return buildInto(Wanted, Build, Variants, EndedEarly);
  }

private:
  const Objective &Goal;
  BuildVariants Build;
  PredictVariants Predict;
  ListRewrites ListWorthwhile;
  /// Builds to predict besides those with the best figures of all, where there
  /// are two starts: the best of each.
  std::vector<size_t> AlsoPredicted;
  /// All that were built. They go by their index: building one may move them.
  std::vector<Variant> Variants;
  bool EndedEarly = false; ///< More was wanted than may be built.
  /// The cap alone, and the best build without demotion.
  size_t Capped = 0, Base = 0;

  static const Move<CapSearch> Starts[3];

  std::optional<Outcome> search() {
    if (!tryInTurn<CapSearch>(*this, Starts))
      return std::nullopt;
    if (at(Base).spillBytes() == 0 || Goal.SlotBytes == 0)
      return choose(predictedFastest().value_or(Base));

    size_t FirstDemoted = size();
    auto Add = [this](ArrayRef<Variant> Wanted) { return add(Wanted); };
    PlanSearch Plans(Variants, Add);
    if (!Plans.tryAll(at(Base)))
      return std::nullopt;
    // Without this pass fewer values wait for long, which are those that
    // demotion does well with: Gauss-Jordan at 48 registers spills 856 bytes
    // instead of 1240, and 96 instead of none once it is demoted. Nor does the
    // order that takes the fewest registers always run fastest.
    if (std::optional<size_t> Other = otherStart()) {
      append_range(AlsoPredicted, finalists(Variants, Base, Goal));
      size_t First = size();
      if (!Plans.tryBestOf(FirstDemoted, at(*Other)))
        return std::nullopt;
      if (First != size())
        AlsoPredicted.push_back(bestByFigures(Variants, First));
    }
    if (!Plans.tryWithoutSpill(FirstDemoted))
      return std::nullopt;
    size_t Best = bestByFigures(Variants, FirstDemoted);
    size_t Winner = isWorthIt(at(Best), at(Base)) ? Best : Base;
    if (Goal.MaySpillToShared)
      Winner = orSmemSpilling(Winner);
    return choose(predictedFastest().value_or(Winner));
  }

  /// The best of what was built before that had to end; the cap alone was.
  std::optional<Outcome> chooseSoFar() {
    Base = Capped = Goal.CapIsNew ? 1 : 0;
    size_t Winner = bestByFigures(Variants, Base);
    if (!isWorthIt(at(Winner), at(Base)) ||
        at(Winner).BlocksPerSM < Goal.BlocksPerSM)
      Winner = Base;
    return choose(predictedFastest().value_or(Winner));
  }

  const Variant &at(size_t I) const { return Variants[I]; }

  Variant plain(Decision What) const {
    Variant V;
    V.What = What;
    V.MaxRegs = What == Decision::Cap || !Goal.CapIsNew ? Goal.MaxRegs : 0;
    return V;
  }
  Variant rewritten(Rewrite R, InstOrder Order) const {
    Variant V = plain(Goal.CapIsNew ? Decision::Cap : Decision::Rewrite);
    V.Rewrites = R;
    V.Order = Order;
    return V;
  }

  std::vector<Variant> capAlone() {
    std::vector<Variant> Wanted = {plain(Decision::Stock)};
    if (Goal.CapIsNew)
      Wanted.push_back(plain(Decision::Cap));
    return Wanted;
  }
  void startFromCap(size_t, size_t End) { Base = Capped = End - 1; }

  std::vector<Variant> rewrites() {
    std::vector<Variant> Wanted;
    bool IsCrowded = at(Base).spillBytes() || missingWordsInFlight(at(Base));
    if (IsCrowded && ListWorthwhile)
      for (Rewrite R : ListWorthwhile(RegisterRewrites))
        Wanted.push_back(rewritten(R, InstOrder::Source));
    return Wanted;
  }
  void startFromRewrite(size_t First, size_t) {
    Base = betterRewrite(Variants, First, Base);
  }

  /// Where the build at Base spills nothing because addresses are chained,
  /// which costs instructions, the best that shares them, for predictions to
  /// decide; otherwise Base.
  size_t toReorder() const {
    if (at(Base).spillBytes() || !Predict ||
        !has(at(Base).Rewrites, Rewrite::ChainAddresses))
      return Base;
    size_t Rival = Capped;
    for (size_t I = Capped; I != size(); ++I)
      if (!has(at(I).Rewrites, Rewrite::ChainAddresses) &&
          at(I).Order == InstOrder::Source &&
          scoreOf(at(I)) < scoreOf(at(Rival)))
        Rival = I;
    return Rival;
  }

  /// With the passes that are left out and without them.
  std::vector<Variant> orders() {
    size_t I = toReorder();
    std::vector<Variant> Wanted;
    if (!at(I).spillBytes())
      return Wanted;
    for (InstOrder Order : OtherOrders)
      Wanted.push_back(rewritten(at(I).Rewrites, Order));
    for (InstOrder Order : OtherOrders)
      if (I != Capped)
        Wanted.push_back(rewritten(at(Capped).Rewrites, Order));
    return Wanted;
  }
  void startFromOrder(size_t First, size_t) {
    size_t I = toReorder(), Best = betterOrder(Variants, First, I);
    if (I != Base) {
      if (!at(Best).spillBytes())
        AlsoPredicted = {Best};
      return;
    }
    if (Best != Base)
      AlsoPredicted = {Base};
    Base = Best;
  }

  /// The build like that at Base with straight-line strength reduction, shared
  /// addresses and the source's order; none where that is Base.
  std::optional<size_t> otherStart() const {
    Rewrite Wanted = at(Base).Rewrites;
    Wanted &= ~(Rewrite::SkipSLSR | Rewrite::ChainAddresses);
    for (size_t I = 0; I != Base; ++I)
      if (at(I).MaxRegs && at(I).Rewrites == Wanted &&
          at(I).Order == InstOrder::Source)
        return I;
    return std::nullopt;
  }

  /// Winner, or ptxas's own spilling to shared memory of the best build without
  /// demotion where that has better figures and costs no block per SM.
  size_t orSmemSpilling(size_t Winner) {
    std::optional<size_t> I = withSmemSpilling();
    bool IsBetter = I && at(*I).BlocksPerSM >= Goal.BlocksPerSM &&
                    scoreOf(at(*I)) < scoreOf(at(Winner));
    return IsBetter ? *I : Winner;
  }

  /// Index of the variant that is predicted to be fastest of those worth
  /// reading; none without predictions. All are compared with the cap alone, at
  /// Capped, unless the best build without demotion, at Base, spills nothing.
  std::optional<size_t> predictedFastest() {
    std::vector<size_t> Indices = finalists(Variants, Base, Goal);
    if (at(Base).spillBytes() && Capped != Base && at(Capped).BlocksPerSM) {
      erase(Indices, Capped);
      Indices.insert(Indices.begin(), Capped);
    }
    for (size_t I : AlsoPredicted)
      if (at(I).BlocksPerSM && !is_contained(Indices, I) &&
          (at(I).What != Decision::Demote ||
           scoreOf(at(I)) < scoreOf(at(Base))))
        Indices.push_back(I);
    bool IsAlone =
        Indices.size() == 1 &&
        !(Goal.MovesFrames && at(Base).FrameBytes && at(Base).BlocksPerSM);
    if (!Predict || IsAlone)
      return std::nullopt;
    std::vector<Variant> List;
    for (size_t I : Indices)
      List.push_back(at(I));
    std::optional<std::vector<double>> Cycles = Predict(List);
    if (!Cycles)
      return std::nullopt;
    for (size_t N = Indices.size(); N != List.size(); ++N) {
      Indices.push_back(size());
      Variants.push_back(List[N]);
    }
    for (size_t N = 0; N != Indices.size(); ++N)
      Variants[Indices[N]].Cycles = (*Cycles)[N];
    return Indices[chooseBuild(List, *Cycles, Evidence::MachineCode)];
  }

  /// Index of the best build without demotion, built once more with ptxas's own
  /// spilling to shared memory. None where there is nothing to spill or where
  /// ptxas does not take it.
  std::optional<size_t> withSmemSpilling() {
    if (!at(Base).spillBytes())
      return std::nullopt;
    Variant Wanted = at(Base);
    Wanted.SmemSpilling = true;
    Wanted.What = Decision::Pragma;
    auto Built = Build(Wanted);
    if (!Built || Built->empty())
      return std::nullopt;
    Variant V = Built->front();
    countSmemSpilling(V, at(Base));
    Variants.push_back(V);
    return size() - 1;
  }

  /// The result if variant I is to be built.
  Outcome choose(size_t I) { return settledOn(std::move(Variants), I); }
};

const Move<CapSearch> CapSearch::Starts[] = {
    {"the cap alone", &CapSearch::capAlone, &CapSearch::startFromCap},
    {"rewrites", &CapSearch::rewrites, &CapSearch::startFromRewrite},
    {"other orders", &CapSearch::orders, &CapSearch::startFromOrder},
};

} // namespace

std::optional<Outcome> searchUnderCap(const Objective &Goal,
                                      BuildVariants Build,
                                      PredictVariants Predict,
                                      ListRewrites ListWorthwhile) {
  return CapSearch(Goal, Build, Predict, ListWorthwhile).run();
}

} // namespace regdem
