//===- ClangPaths.h - where clang finds CUDA's programs ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ptxas that is asked has to be the one that clang's driver runs. The rules
// are those of clang 22 (lib/Driver/ToolChains/Cuda.cpp,
// CudaInstallationDetector, and Driver::GetProgramPath), seen with -###.
// $CUDA_PATH and $CUDA_HOME are none of them.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TOOLCHAIN_CLANGPATHS_H
#define REGDEM_LIB_TOOLCHAIN_CLANGPATHS_H

#include "regdem/Toolchain/Invocation.h"

namespace regdem {

/// Where clang, whose command lines are I, looks for the toolkit's program
/// Name, in order: the first executable file is taken. Programs that clang does
/// not run itself (cuobjdump) are looked for in the toolkit that it takes
/// alone.
std::vector<std::string> clangToolPaths(const Invocation &I,
                                        llvm::StringRef Name);

} // namespace regdem

#endif // REGDEM_LIB_TOOLCHAIN_CLANGPATHS_H
