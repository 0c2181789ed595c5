//===- PtxPromises.cpp - what PTX promises of its kernels -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Finish/PtxPromises.h"

#include "regdem/Analysis/PtxFacts.h"
#include "regdem/Decision/Builds/Objective.h"
#include "regdem/MachineCode/PtxText.h"
#include "regdem/Options.h"

using namespace llvm;

namespace regdem {

void addPromisesOf(StringRef Text, const Options &O,
                   ProgramPromises &Promised) {
  PtxFile File(Text);
  for (const PtxFunction &F : File.functions()) {
    if (!F.IsEntry)
      continue;
    KernelFacts Facts = collectPtxFacts(File, F, /*ArchName=*/"", O);
    Promises &P = Promised.Named[F.Name];
    P = promisesOf(Facts, O);
    P.MaxRegs = Facts.MaxRegs;
  }
}

} // namespace regdem
