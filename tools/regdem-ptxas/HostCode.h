//===- HostCode.h - what a source's host code says --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc (13.0 and 13.5 were tried) makes the host code of app.cu before it
// assembles the device code:
//
//   /tmp/tmpxft_0000545a_00000000-7_app.compute_80.ptx
//   /tmp/tmpxft_0000545a_00000000-6_app.compute_90.cudafe1.cpp
//
// One run's files have the same name up to the last "-". With one architecture
// there is no ".compute_90", with -keep nothing before "app".
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_REGDEM_PTXAS_HOSTCODE_H
#define REGDEM_TOOLS_REGDEM_PTXAS_HOSTCODE_H

#include "llvm/ADT/StringRef.h"

namespace regdem {

struct PtxProgram;

/// Reads what the host code of the source from which nvcc has made the PTX file
/// at Path says of shared memory: of all that it may be, as of two sources with
/// one name. Nothing where no such code lies beside it, as after `nvcc -cubin`.
void readHostCode(llvm::StringRef Path, PtxProgram &Program);

} // namespace regdem

#endif // REGDEM_TOOLS_REGDEM_PTXAS_HOSTCODE_H
