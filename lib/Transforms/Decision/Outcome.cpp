//===- Outcome.cpp - what was decided for a kernel, and why ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Outcome.h"

namespace regdem {

llvm::StringRef toString(Decision D) {
  switch (D) {
  case Decision::Stock:
    return "stock";
  case Decision::Cap:
    return "cap";
  case Decision::Pragma:
    return "pragma";
  case Decision::Demote:
    return "demote";
  }
  return "";
}

} // namespace regdem
