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
#include "regdem/Decision/Model/BuildScore.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

namespace {

class CapSearch {
public:
  CapSearch(const Objective &Goal, MakeBuilds Make, PredictBuilds Predict,
            ListRewrites ListWorthwhile)
      : Goal(Goal), Make(Make), Predict(Predict),
        ListWorthwhile(ListWorthwhile) {}

  std::optional<Outcome> run() {
    std::optional<Outcome> Result = search();
    return EndedEarly ? chooseSoFar() : Result;
  }

  size_t size() const { return Builds.size(); }
  bool add(ArrayRef<BuildRecipe> Wanted) {
    return buildInto(Wanted, Make, Builds, EndedEarly);
  }

private:
  const Objective &Goal;
  MakeBuilds Make;
  PredictBuilds Predict;
  ListRewrites ListWorthwhile;
  /// To be predicted besides the builds with the best figures.
  std::optional<size_t> AlsoPredicted;
  /// All that were built. They go by their index: building one may move them.
  std::vector<Build> Builds;
  bool EndedEarly = false; ///< More was wanted than may be built.
  /// The cap alone, or with arrays in registers where that is faster; and the
  /// best build without demotion.
  size_t Capped = 0, Base = 0;

  static const Move<CapSearch> Starts[4];

  std::optional<Outcome> search() {
    if (!tryInTurn<CapSearch>(*this, Starts))
      return std::nullopt;
    if (at(Base).spillBytes() == 0 || Goal.SlotBytes == 0)
      return choose(predictedFastest().value_or(Base));

    size_t FirstDemoted = size();
    auto Add = [this](ArrayRef<BuildRecipe> Wanted) { return add(Wanted); };
    if (!PlanSearch(Builds, at(Base), Add).tryAll())
      return std::nullopt;
    size_t Best = bestByFigures(Builds, FirstDemoted);
    size_t Winner = isWorthIt(at(Best), at(Base)) ? Best : Base;
    if (Goal.MaySpillToShared)
      Winner = orSmemSpilling(Winner);
    return choose(predictedFastest().value_or(Winner));
  }

  /// The best of what was built before that had to end; the cap alone was.
  std::optional<Outcome> chooseSoFar() {
    Base = Capped = Goal.CapIsNew ? 1 : 0;
    size_t Winner = bestByFigures(Builds, Base);
    if (!isWorthIt(at(Winner), at(Base)) ||
        at(Winner).BlocksPerSM < Goal.BlocksPerSM)
      Winner = Base;
    return choose(predictedFastest().value_or(Winner));
  }

  const Build &at(size_t I) const { return Builds[I]; }

  BuildRecipe plain(Decision What) const {
    BuildRecipe R;
    R.What = What;
    R.MaxRegs = What == Decision::Cap || !Goal.CapIsNew ? Goal.MaxRegs : 0;
    return R;
  }
  BuildRecipe rewritten(Rewrite Rewrites, InstOrder Order) const {
    BuildRecipe R = plain(Goal.CapIsNew ? Decision::Cap : Decision::Rewrite);
    R.Rewrites = Rewrites;
    R.Order = Order;
    return R;
  }

  std::vector<BuildRecipe> capAlone() {
    std::vector<BuildRecipe> Wanted = {plain(Decision::Stock)};
    if (Goal.CapIsNew)
      Wanted.push_back(plain(Decision::Cap));
    return Wanted;
  }
  void startFromCap(size_t, size_t End) { Base = Capped = End - 1; }

  /// Shared memory is left to slots.
  std::vector<BuildRecipe> arrays() {
    std::vector<BuildRecipe> Wanted;
    if (Predict && ListWorthwhile && Goal.HasFreeRewrites)
      for (Rewrite R :
           ListWorthwhile({Rewrite::ScalarArrays, Rewrite::PackedArrays,
                           Rewrite::JoinBranches}))
        Wanted.push_back(rewritten(R, InstOrder::Source));
    return Wanted;
  }
  /// What an array costs shows in no figure: predictions decide, moved frames
  /// and all.
  void startFromArrays(size_t First, size_t End) {
    std::vector<size_t> Indices = {Capped};
    std::vector<Build> List = {at(Capped)};
    for (size_t I = First; I != End; ++I)
      if (at(I).BlocksPerSM) {
        Indices.push_back(I);
        List.push_back(at(I));
      }
    if (List.size() == 1 || !at(Capped).BlocksPerSM)
      return;
    std::optional<std::vector<Build>> Predicted = Predict(List);
    if (!Predicted)
      return;
    Rewrite Fastest =
        (*Predicted)[chooseBuild(*Predicted, Evidence::MachineCode)].Rewrites;
    for (auto [I, V] : zip(Indices, *Predicted)) {
      Builds[I] = V;
      if (V.Rewrites == Fastest)
        Base = Capped = I;
    }
  }

  /// On top of those that Base has; where it has any, only what is about
  /// integers alone is known to be exact with them.
  std::vector<BuildRecipe> rewrites() {
    std::vector<BuildRecipe> Wanted;
    Rewrite Has = at(Base).Rewrites;
    bool IsCrowded = at(Base).spillBytes() || missingWordsInFlight(at(Base));
    if (IsCrowded && ListWorthwhile)
      for (Rewrite R : any(Has) ? ListWorthwhile(AddressRewrites)
                                : ListWorthwhile(RegisterRewrites))
        Wanted.push_back(rewritten(Has | R, InstOrder::Source));
    return Wanted;
  }
  void startFromRewrite(size_t First, size_t) {
    Base = betterRewrite(Builds, First, Base);
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
          (at(I).Rewrites & FreeRewrites) ==
              (at(Base).Rewrites & FreeRewrites) &&
          at(I).Order == InstOrder::Source &&
          scoreOf(at(I)) < scoreOf(at(Rival)))
        Rival = I;
    return Rival;
  }

  /// With the passes that are left out and without them.
  std::vector<BuildRecipe> orders() {
    size_t I = toReorder();
    std::vector<BuildRecipe> Wanted;
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
    size_t I = toReorder(), Best = betterOrder(Builds, First, I);
    if (I != Base) {
      if (!at(Best).spillBytes())
        AlsoPredicted = Best;
      return;
    }
    if (Best != Base)
      AlsoPredicted = Base;
    Base = Best;
  }

  /// Winner, or ptxas's own spilling to shared memory of the best build without
  /// demotion where that has better figures and costs no block per SM.
  size_t orSmemSpilling(size_t Winner) {
    std::optional<size_t> I = withSmemSpilling();
    bool IsBetter = I && at(*I).BlocksPerSM >= Goal.BlocksPerSM &&
                    scoreOf(at(*I)) < scoreOf(at(Winner));
    return IsBetter ? *I : Winner;
  }

  /// Index of the build that is predicted to be fastest of those worth
  /// reading; none without predictions. All are compared with the cap alone, at
  /// Capped, unless the best build without demotion, at Base, spills nothing.
  std::optional<size_t> predictedFastest() {
    std::vector<size_t> Indices = finalists(Builds, Base, Goal);
    if (at(Base).spillBytes() && Capped != Base && at(Capped).BlocksPerSM) {
      erase(Indices, Capped);
      Indices.insert(Indices.begin(), Capped);
    }
    if (AlsoPredicted && at(*AlsoPredicted).BlocksPerSM &&
        !is_contained(Indices, *AlsoPredicted))
      Indices.push_back(*AlsoPredicted);
    bool IsAlone =
        Indices.size() == 1 &&
        !(Goal.MovesFrames && at(Base).FrameBytes && at(Base).BlocksPerSM);
    if (!Predict || IsAlone)
      return std::nullopt;
    std::vector<Build> List;
    for (size_t I : Indices)
      List.push_back(at(I));
    std::optional<std::vector<Build>> Predicted = Predict(List);
    if (!Predicted)
      return std::nullopt;
    for (auto [N, V] : enumerate(*Predicted)) {
      if (N == Indices.size()) { // With its frame moved.
        Indices.push_back(size());
        Builds.push_back(V);
      }
      Builds[Indices[N]] = V;
    }
    return Indices[chooseBuild(*Predicted, Evidence::MachineCode)];
  }

  /// Index of the best build without demotion, built once more with ptxas's own
  /// spilling to shared memory. None where there is nothing to spill or where
  /// ptxas does not take it.
  std::optional<size_t> withSmemSpilling() {
    if (!at(Base).spillBytes())
      return std::nullopt;
    BuildRecipe Wanted = at(Base).recipe();
    Wanted.SmemSpilling = true;
    Wanted.What = Decision::Pragma;
    auto Built = Make(Wanted);
    if (!Built || Built->empty())
      return std::nullopt;
    Builds.push_back(withSmemSpills(Built->front(), at(Base)));
    return size() - 1;
  }

  /// The result if build I is to be built.
  Outcome choose(size_t I) { return settledOn(std::move(Builds), I); }
};

const Move<CapSearch> CapSearch::Starts[] = {
    {"the cap alone", &CapSearch::capAlone, &CapSearch::startFromCap},
    {"arrays in registers", &CapSearch::arrays, &CapSearch::startFromArrays},
    {"rewrites", &CapSearch::rewrites, &CapSearch::startFromRewrite},
    {"other orders", &CapSearch::orders, &CapSearch::startFromOrder},
};

} // namespace

std::optional<Outcome> searchUnderCap(const Objective &Goal, MakeBuilds Make,
                                      PredictBuilds Predict,
                                      ListRewrites ListWorthwhile) {
  return CapSearch(Goal, Make, Predict, ListWorthwhile).run();
}

} // namespace regdem
