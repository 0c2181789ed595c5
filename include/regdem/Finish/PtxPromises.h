//===- PtxPromises.h - what PTX promises of its kernels ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_FINISH_PTXPROMISES_H
#define REGDEM_FINISH_PTXPROMISES_H

#include "regdem/Finish/Finisher.h"

namespace regdem {

/// Adds to Promised what Text, a PTX file of any compiler, promises:
///  - blocks per SM (.minnctapersm) and registers (.maxnreg), by its
///    directives;
///  - that blocks wait for each other, where a kernel reads %envreg, by which
///    the driver tells a cooperative launch about its grid, or where any
///    function of the file does;
///  - no dynamic shared memory, where the file declares none.
/// Threads of a block stand in the assembled program.
void addPromisesOf(llvm::StringRef Text, ProgramPromises &Promised);

} // namespace regdem

#endif // REGDEM_FINISH_PTXPROMISES_H
