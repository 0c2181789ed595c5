//===- Legality.cpp - may this kernel be demoted at all -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/Legality.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Options.h"
#include "regdem/Target/SMLimits.h"

namespace regdem {

Obstacle findObstacle(const KernelFacts &Facts, const Options &O) {
  if (!lookupSMLimits(Facts.Arch))
    return Obstacle::UnknownArch;
  if (Facts.HasSetMaxNReg)
    return Obstacle::SetMaxNReg;
  if (Facts.ThreadsFrom == BlockSizeSource::Assumed)
    return Obstacle::UnknownBlockSize;
  if (Facts.UsesDynamicShared && !O.DynamicSmem)
    return Obstacle::UnknownDynamicShared;
  // What another module's function, or one called through a pointer, takes of
  // the 48 KB is known to the linker only.
  if (Facts.HasExternalCalls || Facts.HasIndirectCalls)
    return Obstacle::UnknownCallee;
  return Obstacle::None;
}

} // namespace regdem
