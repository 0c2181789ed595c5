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

#include "regdem/Toolchain/Parallel.h"
#include "regdem/Toolchain/ToolLimits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace regdem {

/// The path of the toolkit's program Name that an option's Setting asks for:
/// for "auto" the one that clang takes, if this process is clang
/// (ClangPaths.h), or else that of $CUDA_PATH, $CUDA_HOME, the search path,
/// /usr/local/cuda, then beside RegDem itself and in NVIDIA's packages for
/// Python beside it, none if it is in none of them; none for "off"; else
/// Setting itself, and an error that calls the program its Role if that is not
/// an executable file. Where that is regdem-ptxas, the ptxas that it runs.
llvm::Expected<std::optional<std::string>>
chooseCudaTool(llvm::StringRef Setting, llvm::StringRef Name,
               llvm::StringRef Role);

/// The path of the ptxas that regdem-ptxas, whose file is StandIn, runs here:
/// $REGDEM_PTXAS, which is an error where it is regdem-ptxas or no executable
/// file; else the first that is no regdem-ptxas of what the shell would take
/// for Command, unless that is empty, and of where toolkits are; none if there
/// is none.
llvm::Expected<std::optional<std::string>>
chooseStoodFor(const std::string &StandIn, llvm::StringRef Command = "");

/// A program and what its runs have in common.
struct CudaTool {
  std::string Program; ///< Path.
  ToolLimits Limits;
};

/// What a run of a tool that came to its end has left.
struct ToolRun {
  std::string Output;
  /// "ended with STATUS: " and the program's first words; empty: it succeeded.
  std::string Failure;
};

/// Runs Tool with Arguments. An error where it cannot be run, crashes or takes
/// too long.
llvm::Expected<ToolRun> tryCudaTool(const CudaTool &Tool,
                                    llvm::ArrayRef<std::string> Arguments);

/// What Tool prints that is run with Arguments. A run that fails is an error,
/// too.
llvm::Expected<std::string> runCudaTool(const CudaTool &Tool,
                                        llvm::ArrayRef<std::string> Arguments);

/// What Run, which runs a tool, returns for each number below Count, as many at
/// a time as Limits say. None is begun after one has returned an error; of
/// several errors that of the lowest number is returned.
template <typename Result>
llvm::Expected<std::vector<Result>>
runAll(size_t Count, const ToolLimits &Limits,
       llvm::function_ref<llvm::Expected<const Result &>(size_t)> Run) {
  std::vector<Result> Results(Count);
  std::vector<std::string> Problems(Count);
  std::atomic<bool> HasFailed = false;
  forEachInParallel(Count, Limits.Jobs, [&](size_t I) {
    if (HasFailed)
      return;
    if (llvm::Expected<const Result &> Its = Run(I)) {
      Results[I] = *Its;
    } else {
      Problems[I] = toString(Its.takeError());
      HasFailed = true;
    }
  });
  for (const std::string &Problem : Problems)
    if (!Problem.empty())
      return llvm::createStringError(Problem);
  return Results;
}

} // namespace regdem

#endif // REGDEM_LIB_TOOLCHAIN_CUDATOOL_H
