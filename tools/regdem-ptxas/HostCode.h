//===- HostCode.h - host code that nvcc leaves beside PTX -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_PTXAS_HOSTCODE_H
#define REGDEM_TOOLS_PTXAS_HOSTCODE_H

#include "llvm/ADT/StringRef.h"

namespace regdem {

/// Whether the host code of the source from which nvcc has made the PTX file at
/// Path says how much of an SM is shared memory (KernelFacts::StatesCarveout).
/// False where no such code lies beside it, as after `nvcc -cubin`.
bool hostCodeStatesCarveout(llvm::StringRef Path);

} // namespace regdem

#endif // REGDEM_TOOLS_PTXAS_HOSTCODE_H
