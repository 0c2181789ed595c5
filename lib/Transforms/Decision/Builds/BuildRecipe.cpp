//===- BuildRecipe.cpp - what is done to a kernel's code ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/BuildRecipe.h"

namespace regdem {

llvm::StringRef toString(Decision D) {
  switch (D) {
  case Decision::Stock:
    return "stock";
  case Decision::Rewrite:
    return "rewrite";
  case Decision::Cap:
    return "cap";
  case Decision::Pragma:
    return "pragma";
  case Decision::Demote:
    return "demote";
  }
  return "";
}

Decision parseDecision(llvm::StringRef Name) {
  for (Decision D :
       {Decision::Rewrite, Decision::Cap, Decision::Pragma, Decision::Demote})
    if (toString(D) == Name)
      return D;
  return Decision::Stock;
}

} // namespace regdem
