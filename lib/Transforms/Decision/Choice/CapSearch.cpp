//===- CapSearch.cpp - the best build under a stated cap ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is tried, and what is not, was weighed on kernels of benchmarks/ and of
// benchmarks/real under caps under which clang's code spills:
// benchmarks/model/README.md, "Each move under a cap", has the figures.
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/CapSearch.h"

#include "Finalists.h"
#include "Moves.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Builds/ProgramRecord.h"
#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Decision/Model/BuildScore.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

namespace {

/// Whether demoting as V does is worth it where Base is the cap alone: a plan
/// that leaves most of the spill pays for slots and gets little for them.
bool isWorthIt(const Build &V, const Build &Base) {
  if (V.spillBytes() == 0)
    return scoreOf(V) < scoreOf(Base);
  return isLessBy(Tuned.WorthwhileRelief, scoreOf(V), scoreOf(Base));
}

/// Whether V, built like Base but in another order, is a better start: a good
/// part of the cost of spill code less, and not much more for a demotion to
/// move.
bool isBetterOrder(const Build &V, const Build &Base) {
  return isLessBy(Tuned.Relief, scoreOf(V), scoreOf(Base)) &&
         !isLessBy(Tuned.Relief, Base.PressureAfter, V.PressureAfter);
}

/// The best of Base and the builds of List from First on, which leave passes
/// out. As with demotion, some spill code less does not make up for what the
/// passes were good for.
size_t betterRewrite(ArrayRef<Build> List, size_t First, size_t Base) {
  size_t Best = Base;
  for (size_t I = First; I != List.size(); ++I)
    if (!List[I].isRefused() && scoreOf(List[I]) < scoreOf(List[Best]))
      Best = I;
  return !List[Base].spillBytes() || isWorthIt(List[Best], List[Base]) ? Best
                                                                       : Base;
}

/// The best of Base and the builds of List from First on, which differ from it
/// in their order.
size_t betterOrder(ArrayRef<Build> List, size_t First, size_t Base) {
  size_t Best = Base;
  for (size_t I = First; I != List.size(); ++I)
    if (!List[I].isRefused() && isBetterOrder(List[I], List[Base]) &&
        scoreOf(List[I]) < scoreOf(List[Best]))
      Best = I;
  return Best;
}

/// Whether the plan of R, a demotion, is among those of List, perhaps for
/// another target: where words are short, a Belady plan saves what they
/// allow, whatever lower target is stated. Resident ones do so in another way
/// for each.
bool isKnownPlan(const BuildRecipe &R, ArrayRef<Build> List) {
  return any_of(List, [&R](const Build &Built) {
    if (Built.What != Decision::Demote)
      return false;
    if (R == Built.recipe())
      return true;
    bool ReachesTarget = Built.PressureAfter <= Built.Target;
    return R.How == Built.How && R.How == Strategy::Belady && !ReachesTarget &&
           R.Target <= Built.PressureAfter;
  });
}

class CapSearch {
public:
  CapSearch(const Objective &Goal, MakeBuilds Make, PredictBuilds Predict,
            ListRewrites ListWorthwhile)
      : Goal(Goal), Make(Make), Predict(Predict),
        ListWorthwhile(ListWorthwhile) {}

  std::optional<Outcome> run() {
    if (!tryInTurn<CapSearch>(*this, Moves))
      return std::nullopt;
    std::optional<size_t> Winner = predictedFastest();
    if (!Winner)
      Winner = bestByFigures();
    if (!Winner)
      return std::nullopt;
    return settledOn(std::move(Builds), *Winner);
  }

  size_t size() const { return Builds.size(); }
  bool add(ArrayRef<BuildRecipe> Wanted) {
    return buildInto(Wanted, Make, Builds);
  }

private:
  const Objective &Goal;
  MakeBuilds Make;
  PredictBuilds Predict;
  ListRewrites ListWorthwhile;
  /// All that were built. They go by their index: building one may move them.
  std::vector<Build> Builds;
  /// The cap alone, or with arrays in registers or products of words where that
  /// is faster; and the best build without demotion, for which plans are made.
  size_t Capped = 0, Base = 0;
  /// The cap alone, or stock in its place: what it promises, all have to keep.
  size_t Alone = 0;

  static const Move<CapSearch> Moves[7];

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
  /// Stock stands for the cap where it keeps that by itself and ptxas, told of
  /// it, takes more registers and thereby breaks a promise.
  void startFromCap(size_t, size_t End) {
    Base = Capped = Alone = End - 1;
    if (at(0).Regs <= Goal.MaxRegs && Goal.SM && !at(Alone).isRefused() &&
        !keepsPromises(at(Alone), at(0), Goal.Keep, *Goal.SM))
      Base = Capped = Alone = 0;
  }

  /// Whether V keeps what is promised of the kernel.
  bool keeps(const Build &V) const {
    return !Goal.SM || at(Alone).isRefused() ||
           keepsPromises(V, at(Alone), Goal.Keep, *Goal.SM);
  }

  /// Whether or not it spills. Shared memory is left to slots.
  std::vector<BuildRecipe> arraysAndProducts() {
    std::vector<BuildRecipe> Wanted;
    if (Predict && ListWorthwhile)
      for (Rewrite R :
           ListWorthwhile({Rewrite::WideProducts, Rewrite::ScalarArrays,
                           Rewrite::PackedArrays}))
        Wanted.push_back(rewritten(R, InstOrder::Source));
    return Wanted;
  }
  /// What an array or a product costs shows in no figure: predictions decide,
  /// moved frames and all.
  void startFromFastest(size_t First, size_t End) {
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
    bool IsCrowded =
        at(Base).spillBytes() || at(Base).PressureAfter > Goal.MaxRegs;
    if (IsCrowded && ListWorthwhile)
      for (Rewrite R : any(Has) ? ListWorthwhile(AddressRewrites)
                                : ListWorthwhile(RegisterRewrites))
        Wanted.push_back(rewritten(Has | R, InstOrder::Source));
    return Wanted;
  }
  void startFromRewrite(size_t First, size_t) {
    Base = betterRewrite(Builds, First, Base);
  }

  /// With the passes that are left out and without them.
  std::vector<BuildRecipe> orders() {
    std::vector<BuildRecipe> Wanted;
    if (!at(Base).spillBytes())
      return Wanted;
    for (InstOrder Order : OtherOrders)
      Wanted.push_back(rewritten(at(Base).Rewrites, Order));
    for (InstOrder Order : OtherOrders)
      if (Base != Capped)
        Wanted.push_back(rewritten(at(Capped).Rewrites, Order));
    return Wanted;
  }
  void startFromOrder(size_t First, size_t) {
    Base = betterOrder(Builds, First, Base);
  }

  /// A plan for Base; a target that its code keeps to anyway demotes nothing:
  /// the least that does stands for it.
  BuildRecipe plan(PlanShape Shape) const {
    BuildRecipe R = at(Base).recipe();
    R.What = Decision::Demote;
    R.How = Shape.How;
    int Target = static_cast<int>(R.MaxRegs) + Shape.Distance;
    if (unsigned Words = at(Base).PressureAfter)
      Target = std::min(Target, static_cast<int>(Words) - 2);
    R.Target = clampTarget(Target);
    return R;
  }
  /// Those of Shapes that are not known yet.
  std::vector<BuildRecipe> plans(ArrayRef<PlanShape> Shapes) const {
    std::vector<BuildRecipe> New;
    for (PlanShape S : Shapes)
      if (BuildRecipe R = plan(S);
          !isKnownPlan(R, Builds) && !is_contained(New, R))
        New.push_back(R);
    return New;
  }
  /// The plan with the best figures; null: none was made.
  const Build *bestPlan() const {
    const Build *Best = nullptr;
    for (const Build &V : Builds)
      if (V.What == Decision::Demote && (!Best || hasBetterFigures(V, *Best)))
        Best = &V;
    return Best;
  }

  /// ptxas's estimate of pressure and ours differ by up to about ten registers
  /// either way, and a plan below the cap leaves ptxas room to schedule.
  std::vector<BuildRecipe> nearPlans() {
    if (!at(Base).spillBytes() || !Goal.SlotBytes)
      return {};
    return plans({{Strategy::Resident, 0},
                  {Strategy::Resident, -4},
                  {Strategy::Belady, -4}});
  }

  /// Plans for lower targets move more words, and may take spill code away.
  /// They come after the near ones, which may be the same: see isKnownPlan().
  std::vector<BuildRecipe> farPlans() {
    if (!bestPlan())
      return {};
    return plans({{Strategy::Resident, -8}, {Strategy::Belady, -8}});
  }

  /// Of the best build without demotion.
  std::vector<BuildRecipe> ownSpilling() {
    if (!bestPlan() || !Goal.MaySpillToShared)
      return {};
    return {withOwnSpilling(at(Base).recipe())};
  }

  /// Whether V may be what the kernel is built as.
  bool mayBuild(const Build &V) const { return !V.isRefused() && keeps(V); }

  /// What to build by figures alone; none where ptxas refuses all.
  std::optional<size_t> bestByFigures() const {
    std::optional<size_t> Best;
    if (mayBuild(at(Base)))
      Best = Base;
    for (size_t I = Goal.CapIsNew ? 1 : 0; I != size(); ++I)
      if (mayBuild(at(I)) && at(I).BlocksPerSM >= Goal.BlocksPerSM &&
          (!Best || hasBetterFigures(at(I), at(*Best))))
        Best = I;
    if (!Best && !at(Alone).isRefused())
      return Alone;
    if (!Best || !mayBuild(at(Base)))
      return Best;
    return isWorthIt(at(*Best), at(Base)) ? *Best : Base;
  }

  /// Index of the build that is predicted to be fastest of those worth
  /// reading; none without predictions. All are compared with the cap alone, at
  /// Capped, unless the best build without demotion, at Base, spills nothing.
  std::optional<size_t> predictedFastest() {
    std::vector<size_t> Indices = finalists(Builds, Base, Goal.BlocksPerSM);
    if (at(Base).spillBytes() && Capped != Base && at(Capped).BlocksPerSM) {
      erase(Indices, Capped);
      Indices.insert(Indices.begin(), Capped);
    }
    if (!keeps(at(Indices.front())) && at(Alone).BlocksPerSM) {
      erase(Indices, Alone);
      Indices.insert(Indices.begin(), Alone);
    }
    erase_if(Indices, [this](size_t I) { return !keeps(at(I)); });
    if (Indices.empty())
      return Alone;
    bool IsAlone = Indices.size() == 1 &&
                   !(Goal.MovesFrames && at(Indices.front()).FrameBytes &&
                     at(Indices.front()).BlocksPerSM);
    if (!Predict || IsAlone)
      return std::nullopt;
    std::vector<Build> List;
    for (size_t I : Indices)
      List.push_back(at(I));
    std::optional<std::vector<Build>> Predicted = Predict(List);
    if (!Predicted)
      return std::nullopt;
    // Those with their frames moved come last.
    erase_if(*Predicted, [this](const Build &V) { return !keeps(V); });
    for (auto [N, V] : enumerate(*Predicted)) {
      if (N == Indices.size()) {
        Indices.push_back(size());
        Builds.push_back(V);
      }
      Builds[Indices[N]] = V;
    }
    return Indices[chooseBuild(*Predicted, Evidence::MachineCode)];
  }
};

const Move<CapSearch> CapSearch::Moves[] = {
    {&CapSearch::capAlone, &CapSearch::startFromCap},
    {&CapSearch::arraysAndProducts, &CapSearch::startFromFastest},
    {&CapSearch::rewrites, &CapSearch::startFromRewrite},
    {&CapSearch::orders, &CapSearch::startFromOrder},
    {&CapSearch::nearPlans},
    {&CapSearch::farPlans},
    {&CapSearch::ownSpilling},
};

} // namespace

std::optional<Outcome> searchUnderCap(const Objective &Goal, MakeBuilds Make,
                                      PredictBuilds Predict,
                                      ListRewrites ListWorthwhile) {
  return CapSearch(Goal, Make, Predict, ListWorthwhile).run();
}

} // namespace regdem
