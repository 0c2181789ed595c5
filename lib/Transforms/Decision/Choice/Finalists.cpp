//===- Finalists.cpp - builds under a cap that are worth a prediction -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finalists.h"

#include "regdem/Constants.h"
#include "regdem/Decision/Model/BuildScore.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

/// Puts those with better figures first of Indices, which are of List; equals
/// keep their order.
static void sortByFigures(ArrayRef<Build> List,
                          MutableArrayRef<size_t> Indices) {
  llvm::stable_sort(Indices, [List](size_t A, size_t B) {
    return hasBetterFigures(List[A], List[B]);
  });
}

/// Whether V takes a good part of what Base spills off local memory. Less does
/// not make up for the L1 that slots take from all the other words, which is
/// more than the prediction sees.
static bool relieves(const Build &V, const Build &Base) {
  return isLessBy(Tuned.Relief, V.spillBytes(), Base.spillBytes());
}

/// Of Demoted, sorted by figures, the first without local spill, unless its
/// figures are much worse than those of the first. Such a one takes far more of
/// L1.
static std::optional<size_t> firstWithoutSpill(ArrayRef<Build> List,
                                               ArrayRef<size_t> Demoted) {
  for (size_t I : Demoted)
    if (!List[I].spillBytes())
      return isLessBy(Tuned.Relief, scoreOf(List[Demoted.front()]),
                      scoreOf(List[I]))
                 ? std::nullopt
                 : std::optional(I);
  return std::nullopt;
}

std::vector<size_t> plainRivals(ArrayRef<Build> List, size_t Base) {
  std::vector<size_t> All, Result;
  bool IsPlain =
      List[Base].Order == InstOrder::Source && !any(List[Base].Rewrites);
  if (IsPlain && !List[Base].spillBytes())
    return Result;
  for (size_t I = 0; I != List.size(); ++I) {
    const Build &V = List[I];
    if (V.What != Decision::Demote && !V.SmemSpilling &&
        V.MaxRegs == List[Base].MaxRegs && V.BlocksPerSM &&
        scoreOf(V) <= scoreOf(List[Base]))
      All.push_back(I);
  }
  sortByFigures(List, All);
  for (size_t I : All)
    if (Result.size() != Tuned.MostFinalists &&
        !haveSameFigures(List[I], List[Base]) && none_of(Result, [&](size_t R) {
          return haveSameFigures(List[I], List[R]);
        }))
      Result.push_back(I);
  return Result;
}

std::vector<size_t> finalists(ArrayRef<Build> List, size_t Base,
                              unsigned BlocksPerSM) {
  std::vector<size_t> Result = {Base}, Demoted, Spilling;
  if (!List[Base].BlocksPerSM)
    return Result;
  for (size_t I = 0; I != List.size(); ++I) {
    const Build &V = List[I];
    bool IsBetter = scoreOf(V) < scoreOf(List[Base]);
    bool SavesAll = !V.spillBytes() && List[Base].spillBytes();
    if (!V.BlocksPerSM || !(IsBetter || SavesAll))
      continue;
    if (!V.SmemSpilling && V.What == Decision::Demote &&
        relieves(V, List[Base]))
      Demoted.push_back(I);
    else if (V.SmemSpilling && IsBetter && V.BlocksPerSM >= BlocksPerSM)
      Spilling.push_back(I);
  }
  sortByFigures(List, Demoted);
  std::optional<size_t> WithoutSpill = firstWithoutSpill(List, Demoted);
  for (size_t I : Demoted) {
    if (I != WithoutSpill && (scoreOf(List[I]) >= scoreOf(List[Base]) ||
                              Result.size() > Tuned.MostFinalists))
      continue;
    if (none_of(Result, [&](size_t Other) {
          return haveSameFigures(List[I], List[Other]);
        }))
      Result.push_back(I);
  }
  append_range(Result, Spilling);
  append_range(Result, plainRivals(List, Base));
  // In another order than the source's, rivals must not spill more than stays
  // in L1.
  erase_if(Result, [&](size_t I) {
    const Build &V = List[I], &B = List[Base];
    return V.What != Decision::Demote && V.Order != InstOrder::Source &&
           (V.Order != B.Order || V.Rewrites != B.Rewrites) &&
           !spillsStayInL1(V);
  });
  return Result;
}

} // namespace regdem
