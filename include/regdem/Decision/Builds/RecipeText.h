//===- RecipeText.h - how a kernel is built, in one line --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cap=40 demote=resident:36 order=near rewrites=skip-slsr,unroll-loops
//
// The parts are cap=REGISTERS, min-blocks=BLOCKS, demote=STRATEGY:WORDS,
// smem-spilling, order=ORDER and rewrites=LIST. They are printed in this order,
// those that say nothing left out, and read in any; "stock" stands for none. Of
// a build follows what became of its frame: frame=whole, frame=part:STRIDE or
// frame=end.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_RECIPETEXT_H
#define REGDEM_DECISION_BUILDS_RECIPETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace regdem {

struct Build;
struct BuildRecipe;

std::string toText(const BuildRecipe &R);

/// V's recipe, and how its frame moves.
std::string toText(const Build &V);

/// The recipe that Text states, or an error in one line that names the part at
/// fault. A cap is LeastCap at least; unset: what ptxas takes.
llvm::Expected<BuildRecipe> parseRecipe(llvm::StringRef Text,
                                        std::optional<unsigned> LeastCap = {});

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_RECIPETEXT_H
