//===- Omission.cpp - passes that a build is made without -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Omission.h"

namespace regdem {

llvm::StringRef toString(Omission O) {
  if (O.StrengthReduction)
    return O.Sinking ? "loop-reduce,machine-sink" : "loop-reduce";
  return O.Sinking ? "machine-sink" : "";
}

Omission parseOmission(llvm::StringRef Names) {
  for (Omission O : AllOmissions)
    if (toString(O) == Names)
      return O;
  return {};
}

} // namespace regdem
