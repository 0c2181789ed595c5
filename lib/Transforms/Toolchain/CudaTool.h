//===- CudaTool.h - run programs of the CUDA toolkit ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs are run without a shell, with a time limit, and print into memory
// files, so that there is nothing on disk to share, to leak or to clean up,
// however the compiler ends.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TOOLCHAIN_CUDATOOL_H
#define REGDEM_LIB_TOOLCHAIN_CUDATOOL_H

#include "regdem/Toolchain/ToolLimits.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace regdem {

/// The path of the toolkit's program Name that an option's Setting asks for:
/// for "auto" where clang looks for CUDA (--ptxas-path and --cuda-path of its
/// command line, $CUDA_PATH, $CUDA_HOME, the search path, /usr/local/cuda) and
/// then beside RegDem itself, none if it is in none of them; none for "off";
/// else Setting itself, and an error that calls the program its Role if that is
/// not an executable file.
llvm::Expected<std::optional<std::string>>
chooseCudaTool(llvm::StringRef Setting, llvm::StringRef Name,
               llvm::StringRef Role);

/// A program and what its runs have in common.
struct CudaTool {
  std::string Program; ///< Path.
  ToolLimits Limits;
  /// What it prints on stderr is not part of its output, but explains failures.
  bool ErrorsApart = false;
};

/// Runs Tool Count times, as many at a time as its limits say. Arguments gives
/// those of run N just before it starts; Finished gets what it printed, in any
/// order. A run that fails, that takes too long, or for which one of the two
/// returns an error ends the others and is the error returned.
llvm::Error
runCudaTool(const CudaTool &Tool, size_t Count,
            llvm::function_ref<llvm::Expected<std::vector<std::string>>(size_t)>
                Arguments,
            llvm::function_ref<llvm::Error(size_t, llvm::StringRef)> Finished);

} // namespace regdem

#endif // REGDEM_LIB_TOOLCHAIN_CUDATOOL_H
