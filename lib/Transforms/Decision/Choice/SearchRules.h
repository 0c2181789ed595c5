//===- SearchRules.h - what searches for builds go by -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the searches, with a stated cap and without, have builds made, and
// comparisons of builds under one cap by ptxas's figures: which
// build without demotion a search starts from, when a demotion is worth its
// slots, and which plans need not be tried. Builds go by their index.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CHOICE_SEARCHRULES_H
#define REGDEM_LIB_DECISION_CHOICE_SEARCHRULES_H

#include "regdem/Decision/Choice/CapSearch.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

/// A plan: its strategy and the distance of its target from the cap.
struct PlanShape {
  Strategy How;
  int Distance;
};

/// Has Wanted built, if it is not empty, and appends it to List, but for what
/// is to spill to shared memory where ptxas refuses that; false when that
/// fails, and with EndedEarly when it ends after the first of Wanted.
bool buildInto(llvm::ArrayRef<BuildRecipe> Wanted, MakeBuilds Make,
               std::vector<Build> &List, bool &EndedEarly);

/// Index of the build of List with the best figures from First on.
size_t bestByFigures(llvm::ArrayRef<Build> List, size_t First);

/// Puts those with better figures first of Indices, which are of List, and of
/// equals the one with the lower index.
void sortByFigures(llvm::ArrayRef<Build> List,
                   llvm::MutableArrayRef<size_t> Indices);

/// Target, or what comes nearest to it that a plan may have.
unsigned clampTarget(int Target);

/// Whether demoting as V does is worth it where Base is the cap alone.
bool isWorthIt(const Build &V, const Build &Base);

/// Whether a build like Base in another order, or rewritten, that needs Words
/// registers before ptxas needs far more than Base: ptxas can make little of
/// it.
bool isCrowded(unsigned Words, const Build &Base);

/// The best of Base and the builds of List from First on, which leave passes
/// out. As with demotion, some spill code less does not make up for what the
/// passes were good for.
size_t betterRewrite(llvm::ArrayRef<Build> List, size_t First, size_t Base);

/// The best of Base and the builds of List from First on, which differ from it
/// in their order.
size_t betterOrder(llvm::ArrayRef<Build> List, size_t First, size_t Base);

/// Whether the plan of R, a demotion, is among those of List, perhaps for
/// another target: where words are short, a plan saves what they allow,
/// whatever lower target is stated (relieving plans do so in another way for
/// each).
bool isKnownPlan(const BuildRecipe &R, llvm::ArrayRef<Build> List);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_SEARCHRULES_H
