//===- TargetSearch.cpp - find the best plan by asking ptxas --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/TargetSearch.h"

#include "CapChoice.h"
#include "SearchRules.h"
#include "VariantScore.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

/// Distances from the cap at which plans are tried first: ptxas's estimate of
/// pressure and ours differ by up to about ten registers either way, and a plan
/// below the cap leaves ptxas room to schedule.
constexpr int ResidentSteps[] = {0, -4, -8, -12};
constexpr int RotatingSteps[] = {-4, -8};
/// Distances from the best of those that are tried next.
constexpr int FineSteps[] = {2, -2};

class Search {
public:
  Search(const Objective &Goal, BuildVariants Build, PredictVariants Predict,
         ListOmissions Omissions)
      : Goal(Goal), Build(Build), Predict(Predict), Omissions(Omissions) {}

  std::optional<Settled> run() {
    std::vector<Variant> Plain = {plain(Decision::Stock)};
    if (Goal.CapIsNew)
      Plain.push_back(plain(Decision::Cap));
    if (!add(Plain))
      return std::nullopt;
    size_t Base = size() - 1, Capped = Base;
    bool Crowded = at(Base).spillBytes() || missingWordsInFlight(at(Base));
    if (Crowded && !leavePassesOut(Base))
      return std::nullopt;
    if (at(Base).spillBytes() && !reorder(Base, Capped))
      return std::nullopt;
    if (at(Base).spillBytes() == 0 || Goal.SlotBytes == 0)
      return choose(Base);

    size_t FirstDemoted = size();
    if (!tryAllHomes())
      return std::nullopt;
    // Without this pass fewer values wait for long, which are those that
    // demotion does well with: Gauss-Jordan at 48 registers spills 856 bytes
    // instead of 1240, and 96 instead of none once it is demoted. Nor does the
    // order that takes the fewest registers always run fastest.
    if (Without.StraightLine || Order != InstOrder::Source) {
      append_range(AlsoPredicted, finalists(Result.Variants, Base, Goal));
      size_t First = size();
      Without.StraightLine = false;
      Order = InstOrder::Source;
      if (!tryAllHomes())
        return std::nullopt;
      if (First != size())
        AlsoPredicted.push_back(best(First));
    }
    size_t Best = best(FirstDemoted);
    size_t Winner = isWorthIt(at(Best), at(Base)) ? Best : Base;
    if (Goal.MaySpillToShared)
      Winner = bestWithSmemSpilling(Winner, Base, Best);
    return choose(predictedFastest(Base).value_or(Winner));
  }

private:
  const Objective &Goal;
  BuildVariants Build;
  PredictVariants Predict;
  ListOmissions Omissions;
  Omission Without; ///< What all further variants are built without.
  InstOrder Order = InstOrder::Source; ///< And their order.
  /// Builds to predict besides those with the best figures of all, where there
  /// are two starts: the best of each.
  std::vector<size_t> AlsoPredicted;
  Settled Result;
  /// The homes that plans may use now, and the first of their variants.
  Home UpTo = AnyHome;
  size_t FirstWithHomes = 0;

  // Variants go by their index. Building one may move them all.
  const Variant &at(size_t I) const { return Result.Variants[I]; }
  size_t size() const { return Result.Variants.size(); }

  /// Tries plans with all homes, and with fewer where these are used: what else
  /// a plan uses in the place of slots is not always better. False where a
  /// build fails.
  bool tryAllHomes() {
    UpTo = AnyHome;
    if (!tryPlans())
      return false;
    while (std::optional<Home> Fewer = fewerHomes()) {
      UpTo = *Fewer;
      if (!tryPlans())
        return false;
    }
    return true;
  }

  /// Tries several targets and strategies; false where a build fails.
  bool tryPlans() {
    FirstWithHomes = size();
    std::vector<Variant> Wanted;
    for (int Step : ResidentSteps)
      Wanted.push_back(demoted(Strategy::Resident, cap() + Step));
    for (int Step : RotatingSteps)
      Wanted.push_back(demoted(Strategy::Rotating, cap() + Step));
    if (!add(Wanted))
      return false;
    Variant Best = at(best(FirstWithHomes));
    Wanted.clear();
    // Where slots are short, which part of a plan they serve is to be tried.
    if (Best.spillBytes() && Best.PressureAfter > Best.Target) {
      for (int Step : ResidentSteps)
        Wanted.push_back(demoted(Strategy::Relieving, cap() + Step));
      if (!add(Wanted))
        return false;
      Best = at(best(FirstWithHomes));
      Wanted.clear();
    }
    for (int Step : FineSteps)
      Wanted.push_back(demoted(Best.How, static_cast<int>(Best.Target) + Step));
    // Where one strategy cannot do without local spill, the other may.
    if (Best.spillBytes())
      for (int Step : FineSteps)
        Wanted.push_back(demoted(otherStrategy(Best.How),
                                 static_cast<int>(Best.Target) + Step - 2));
    return add(Wanted);
  }

  /// The homes that plans have not been tried with and that make other plans
  /// than those tried last, which use none of the homes beyond.
  std::optional<Home> fewerHomes() const {
    ArrayRef<Variant> Last =
        ArrayRef(Result.Variants).drop_front(FirstWithHomes);
    if (UpTo >= Home::BlockSlot &&
        any_of(Last, [](const Variant &V) { return V.BlockWords != 0; }))
      return Home::Recomputation;
    if (UpTo > Home::ThreadSlot && any_of(Last, [](const Variant &V) {
          return V.Recomputations || V.UniformWords;
        }))
      return Home::ThreadSlot;
    return std::nullopt;
  }

  int cap() const { return static_cast<int>(Goal.MaxRegs); }

  Variant plain(Decision What) const {
    Variant V;
    V.What = What;
    V.MaxRegs = What == Decision::Cap || !Goal.CapIsNew ? Goal.MaxRegs : 0;
    return V;
  }

  Variant demoted(Strategy S, int Target) const {
    Variant V;
    V.What = Decision::Demote;
    V.MaxRegs = Goal.MaxRegs;
    V.Without = Without;
    V.Order = Order;
    V.How = S;
    V.UpTo = UpTo;
    V.Target = static_cast<unsigned>(std::max(Target, 8));
    return V;
  }

  /// Makes Base, an index, the best build without demotion, and what is built
  /// from now on like it, if leaving passes out is worth it; false when a build
  /// fails. As with demotion, some spill code less does not make up for what
  /// the passes were good for.
  bool leavePassesOut(size_t &Base) {
    size_t First = size();
    std::vector<Variant> Wanted;
    for (Omission O :
         Omissions ? Omissions(SingleOmissions) : std::vector<Omission>()) {
      Variant V = plain(Goal.CapIsNew ? Decision::Cap : Decision::Omit);
      V.Without = O;
      Wanted.push_back(V);
    }
    if (!add(Wanted))
      return false;
    Base = betterOmission(Result.Variants, First, Base);
    Without = at(Base).Without;
    return true;
  }

  /// Makes Base the best build in another order, if one is better, with the
  /// passes that are left out of it or without them: at Capped is the cap
  /// alone.
  bool reorder(size_t &Base, size_t Capped) {
    size_t First = size();
    std::vector<Variant> Wanted;
    std::vector<size_t> Alike = {Base};
    if (Base != Capped)
      Alike.push_back(Capped);
    for (size_t Like : Alike)
      for (InstOrder Other : OtherOrders) {
        Variant V = plain(Goal.CapIsNew ? Decision::Cap : Decision::Omit);
        V.Without = at(Like).Without;
        V.Order = Other;
        Wanted.push_back(V);
      }
    if (!add(Wanted))
      return false;
    size_t Best = betterOrder(Result.Variants, First, Base);
    if (Best != Base)
      AlsoPredicted = {Base};
    Base = Best;
    Without = at(Base).Without;
    Order = at(Base).Order;
    return true;
  }

  /// Winner, or what is better and costs no block per SM with ptxas's own
  /// spilling to shared memory: the kernel under the cap alone, which spills,
  /// or the best demotion.
  size_t bestWithSmemSpilling(size_t Winner, size_t Capped, size_t Demoted) {
    std::optional<size_t> First = withSmemSpilling(Capped), Second;
    // ptxas takes so much shared memory, the kernel's included, and no more
    // (13.0: up to 160 KB an SM on sm_90). Where that was not enough, slots of
    // the same size leave it nothing.
    if (First && !(at(*First).spillBytes() &&
                   at(Demoted).StaticShared >= at(*First).StaticShared))
      Second = withSmemSpilling(Demoted);
    for (std::optional<size_t> I : {First, Second})
      if (I && at(*I).BlocksPerSM >= Goal.BlocksPerSM &&
          at(*I).Score < at(Winner).Score)
        Winner = *I;
    return Winner;
  }

  /// Index of the variant that is predicted to be fastest of those worth
  /// reading, the cap alone at Base among them; none without predictions.
  std::optional<size_t> predictedFastest(size_t Base) {
    std::vector<size_t> Indices = finalists(Result.Variants, Base, Goal);
    for (size_t I : AlsoPredicted)
      if (at(I).BlocksPerSM && !is_contained(Indices, I) &&
          (at(I).What != Decision::Demote || at(I).Score < at(Base).Score))
        Indices.push_back(I);
    if (!Predict || Indices.size() == 1)
      return std::nullopt;
    std::vector<Variant> List;
    for (size_t I : Indices)
      List.push_back(at(I));
    std::optional<std::vector<double>> Cycles = Predict(List);
    if (!Cycles)
      return std::nullopt;
    for (size_t N = 0; N != Indices.size(); ++N)
      Result.Variants[Indices[N]].Cycles = (*Cycles)[N];
    return fastestUnderCap(Result.Variants, Indices);
  }

  /// Index of Spilling, an index, built once more with ptxas's own spilling to
  /// shared memory. None where there is nothing to spill or where ptxas does
  /// not take it.
  std::optional<size_t> withSmemSpilling(size_t Spilling) {
    if (!at(Spilling).spillBytes())
      return std::nullopt;
    Variant Wanted = at(Spilling);
    Wanted.SmemSpilling = true;
    if (Wanted.What != Decision::Demote)
      Wanted.What = Decision::Pragma;
    auto Built = Build(Wanted);
    if (!Built)
      return std::nullopt;
    Variant V = Built->front();
    scoreSmemSpilling(V, at(Spilling));
    Result.Variants.push_back(V);
    return size() - 1;
  }

  bool add(std::vector<Variant> Wanted) {
    erase_if(Wanted, [this](const Variant &V) {
      return isKnownPlan(V, Result.Variants);
    });
    if (Wanted.empty())
      return true;
    auto Built = Build(Wanted);
    if (!Built)
      return false;
    for (Variant &V : *Built) {
      V.Score = scoreVariant(V);
      Result.Variants.push_back(V);
    }
    return true;
  }

  /// Index of the variant with the best figures from First on.
  size_t best(size_t First) const {
    auto Begin = Result.Variants.begin();
    return std::min_element(Begin + First, Result.Variants.end(),
                            hasBetterFigures) -
           Begin;
  }

  /// Writes down that variant I is to be built.
  Settled choose(size_t I) {
    Result.Variants[I].Chosen = true;
    Result.recipe() = at(I).recipe();
    return std::move(Result);
  }
};

} // namespace

std::optional<Settled> searchTarget(const Objective &Goal, BuildVariants Build,
                                    PredictVariants Predict,
                                    ListOmissions Omissions) {
  return Search(Goal, Build, Predict, Omissions).run();
}

} // namespace regdem
