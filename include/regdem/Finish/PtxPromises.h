//===- PtxPromises.h - what PTX promises of its kernels ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_FINISH_PTXPROMISES_H
#define REGDEM_FINISH_PTXPROMISES_H

#include "regdem/Finish/Finisher.h"

namespace regdem {

struct Options;

/// Adds to Promised what Text, a PTX file of any compiler, and O promise:
///  - threads of a block, blocks per SM and registers, by its directives;
///  - that blocks wait for each other, where a kernel reads %envreg, by which
///    the driver tells a cooperative launch about its grid, or knows of
///    clusters;
///  - dynamic shared memory: what O state, or none where a kernel names none.
void addPromisesOf(llvm::StringRef Text, const Options &O,
                   ProgramPromises &Promised);

} // namespace regdem

#endif // REGDEM_FINISH_PTXPROMISES_H
