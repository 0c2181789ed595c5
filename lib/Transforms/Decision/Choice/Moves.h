//===- Moves.h - what a search tries, in turn -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches try one move after the other, from a table. A move names the builds
// that it makes of what is known by now; where facts and figures say that these
// cannot pay, it names none and costs nothing. The tables:
//
//   CapSearch.cpp   builds under a stated cap
//   StepSearch.cpp  builds at the occupancy steps of a kernel without one
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CHOICE_MOVES_H
#define REGDEM_LIB_DECISION_CHOICE_MOVES_H

#include "regdem/Decision/Choice/CapSearch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

namespace regdem {

template <class Search> struct Move {
  /// The builds that it wants.
  std::vector<BuildRecipe> (Search::*Wanted)();
  /// What follows from their figures; null: nothing. First, End: where those
  /// that were built stand.
  void (Search::*Then)(size_t First, size_t End) = nullptr;
};

/// Tries Moves in turn, each for All at once, which share their builds; false
/// when a build fails. A Search has size(), the number of builds so far, and
/// add(), which builds what it gets and says whether that could be done.
template <class Search>
bool tryInTurn(llvm::MutableArrayRef<Search> All,
               llvm::ArrayRef<Move<Search>> Moves) {
  if (All.empty())
    return true;
  for (const Move<Search> &M : Moves) {
    std::vector<BuildRecipe> Wanted;
    llvm::SmallVector<size_t, 4> Borders = {All.front().size()};
    for (Search &S : All) {
      llvm::append_range(Wanted, (S.*M.Wanted)());
      Borders.push_back(Borders.front() + Wanted.size());
    }
    if (!Wanted.empty() && !All.front().add(Wanted))
      return false;
    // What is more than the budget allows is not built.
    for (size_t &Border : Borders)
      Border = std::min(Border, All.front().size());
    for (size_t I = 0; M.Then && I != All.size(); ++I)
      (All[I].*M.Then)(Borders[I], Borders[I + 1]);
  }
  return true;
}

/// A plan: its strategy and the distance of its target from the cap.
struct PlanShape {
  Strategy How;
  int Distance;
};

/// Target, or what comes nearest to it that a plan may have.
inline unsigned clampTarget(int Target) {
  return static_cast<unsigned>(std::max(Target, int(TargetRange.Low)));
}

/// R with ptxas spilling to shared memory by itself.
inline BuildRecipe withOwnSpilling(BuildRecipe R) {
  R.What = Decision::Pragma;
  R.SmemSpilling = true;
  return R;
}

/// Has Wanted built, if it is not empty, and appends it to List, but for what
/// the budget leaves out; false when that fails, or the first of List, which is
/// stock's, is refused: then nothing is known to go through.
inline bool buildInto(llvm::ArrayRef<BuildRecipe> Wanted, MakeBuilds Make,
                      std::vector<Build> &List) {
  if (Wanted.empty())
    return true;
  auto Built = Make(Wanted);
  if (!Built)
    return false;
  llvm::append_range(List, *Built);
  return List.empty() || !List.front().isRefused();
}

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_MOVES_H
