//===- DecisionTrace.h - where the time of decisions goes -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang hands -ftime-trace to the host compilation only, which is not where
// RegDem decides. So RegDem writes a file of its own, in the same format, for
// each architecture: trace-sm_90.json for -regdem-time-trace=trace.json.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_DECISIONTRACE_H
#define REGDEM_LIB_BUILDER_DECISIONTRACE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class LLVMContext;
} // namespace llvm

namespace regdem {

/// Notes while it is there what LLVM's TimeTraceScope marks, and writes that in
/// the end. Does nothing without a File, or where the compiler traces itself.
class DecisionTrace {
public:
  DecisionTrace(llvm::LLVMContext &Context, llvm::StringRef File,
                llvm::StringRef Arch);
  DecisionTrace(const DecisionTrace &) = delete;
  DecisionTrace &operator=(const DecisionTrace &) = delete;
  /// Warns where the file cannot be written.
  ~DecisionTrace();

private:
  llvm::LLVMContext &Context;
  std::string Path; ///< Empty: nothing is noted.
};

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_DECISIONTRACE_H
