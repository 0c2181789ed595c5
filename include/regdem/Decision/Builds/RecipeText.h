//===- RecipeText.h - how a kernel is built, in one line --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cap=40 demote=resident:36 order=near rewrites=skip-slsr,unroll-loops
//
// Parts are in this order, those that say nothing left out; "stock" stands for
// none.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_RECIPETEXT_H
#define REGDEM_DECISION_BUILDS_RECIPETEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace regdem {

struct Build;

/// V's recipe, and how its frame moves.
std::string toText(const Build &V);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_RECIPETEXT_H
