//===- BuildNames.cpp - builds in a few words -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildNames.h"

#include "regdem/Decision/Builds/Outcome.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace regdem {

std::string nameRewrites(Rewrite O) { return any(O) ? ", " + describe(O) : ""; }

std::string nameOrder(InstOrder Order) {
  return Order == InstOrder::Source
             ? ""
             : formatv(", instructions in order '{0}'", toString(Order)).str();
}

std::string nameMove(const Variant &V) {
  if (!V.MovedBytes)
    return "";
  return formatv(", frame of {0} bytes a thread in shared memory",
                 V.MovedBytes);
}

/// What is given to ptxas, passes left out and orders aside, in a few words.
static std::string nameDirectives(const Variant &V) {
  switch (V.What) {
  case Decision::Stock:
  case Decision::Rewrite:
    return "stock";
  case Decision::Cap:
    if (V.MinBlocks)
      return formatv(".minnctapersm {0}", V.MinBlocks);
    return formatv("cap {0}", V.MaxRegs);
  case Decision::Pragma:
    if (!V.MaxRegs)
      return "enable_smem_spilling";
    return formatv("cap {0} and enable_smem_spilling", V.MaxRegs);
  case Decision::Demote:
    return formatv("cap {0} and demotion to {1} words, {2}{3}{4}", V.MaxRegs,
                   V.Target, toString(V.How),
                   V.VolatileSlots ? ", volatile" : "",
                   V.SmemSpilling ? ", enable_smem_spilling" : "");
  }
  return "";
}

std::string nameVariant(const Variant &V) {
  return nameDirectives(V) + nameRewrites(V.Rewrites) + nameOrder(V.Order) +
         nameMove(V);
}

} // namespace regdem
