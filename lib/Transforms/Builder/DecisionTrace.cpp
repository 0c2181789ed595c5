//===- DecisionTrace.cpp - where the time of decisions goes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecisionTrace.h"

#include "regdem/Emission/Remarks.h"
#include "regdem/Toolchain/Parallel.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

DecisionTrace::DecisionTrace(LLVMContext &Context, StringRef File,
                             StringRef Arch)
    : Context(Context) {
  if (File.empty() || timeTraceProfilerEnabled())
    return;
  StringRef Ending = sys::path::extension(File);
  Path = (File.drop_back(Ending.size()) + "-" + Arch + Ending).str();
  timeTraceProfilerInitialize(TraceMicroseconds, "RegDem");
}

DecisionTrace::~DecisionTrace() {
  if (Path.empty())
    return;
  std::error_code Problem;
  raw_fd_ostream OS(Path, Problem, sys::fs::OF_TextWithCRLF);
  if (Problem)
    reportWarning(Context, "cannot write '" + Path + "': " + Problem.message());
  else
    timeTraceProfilerWrite(OS);
  timeTraceProfilerCleanup();
}

} // namespace regdem
