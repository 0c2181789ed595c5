//===- SearchRules.cpp - what searches for builds go by -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchRules.h"

#include "regdem/Constants.h"
#include "regdem/Decision/Model/BuildScore.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace llvm;

namespace regdem {

bool buildInto(ArrayRef<BuildRecipe> Wanted, MakeBuilds Make,
               std::vector<Build> &List, bool &EndedEarly) {
  if (Wanted.empty())
    return true;
  auto Built = Make(Wanted);
  if (!Built) {
    std::vector<BuildRecipe> Others = Wanted.vec();
    llvm::erase_if(Others, [](const BuildRecipe &R) { return R.SmemSpilling; });
    return Others.size() != Wanted.size() &&
           buildInto(Others, Make, List, EndedEarly);
  }
  append_range(List, *Built);
  EndedEarly = Built->size() < Wanted.size();
  return !EndedEarly;
}

size_t bestByFigures(ArrayRef<Build> List, size_t First) {
  return static_cast<size_t>(
      std::min_element(List.begin() + First, List.end(), hasBetterFigures) -
      List.begin());
}

void sortByFigures(ArrayRef<Build> List, MutableArrayRef<size_t> Indices) {
  llvm::sort(Indices, [List](size_t A, size_t B) {
    if (hasBetterFigures(List[A], List[B]))
      return true;
    return !hasBetterFigures(List[B], List[A]) && A < B;
  });
}

unsigned clampTarget(int Target) {
  return static_cast<unsigned>(std::max(Target, int(TargetRange.Low)));
}

/// A plan that leaves most of the spill pays for slots and gets little for
/// them.
bool isWorthIt(const Build &V, const Build &Base) {
  if (V.spillBytes() == 0)
    return scoreOf(V) < scoreOf(Base);
  return isLessBy(Tuned.WorthwhileRelief, scoreOf(V), scoreOf(Base));
}

bool isCrowded(unsigned Words, const Build &Base) {
  return Words && isLessBy(Tuned.Relief, Base.PressureAfter, Words);
}

/// Whether V, built like Base but in another order, is a better start: a good
/// part of the cost of spill code less, and not much more for a demotion to
/// move.
static bool isBetterOrder(const Build &V, const Build &Base) {
  return isLessBy(Tuned.Relief, scoreOf(V), scoreOf(Base)) &&
         !isCrowded(V.PressureAfter, Base);
}

size_t betterRewrite(ArrayRef<Build> List, size_t First, size_t Base) {
  auto Rank = [List](size_t I) {
    return std::make_tuple(scoreOf(List[I]), missingWordsInFlight(List[I]));
  };
  size_t Best = Base;
  for (size_t I = First; I != List.size(); ++I)
    if (Rank(I) < Rank(Best))
      Best = I;
  return !List[Base].spillBytes() || isWorthIt(List[Best], List[Base]) ? Best
                                                                       : Base;
}

size_t betterOrder(ArrayRef<Build> List, size_t First, size_t Base) {
  size_t Best = Base;
  for (size_t I = First; I != List.size(); ++I)
    if (isBetterOrder(List[I], List[Base]) &&
        scoreOf(List[I]) < scoreOf(List[Best]))
      Best = I;
  return Best;
}

bool isKnownPlan(const BuildRecipe &R, ArrayRef<Build> List) {
  return any_of(List, [&R](const Build &Built) {
    if (Built.What != Decision::Demote)
      return false;
    if (R == Built.recipe())
      return true;
    bool ReachesTarget = Built.PressureAfter <= Built.Target;
    return R.How == Built.How && R.VolatileSlots == Built.VolatileSlots &&
           R.How != Strategy::Relieving && !ReachesTarget &&
           R.Target <= Built.PressureAfter;
  });
}

} // namespace regdem
