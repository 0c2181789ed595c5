//===- LaunchRemarks.cpp - what users are told of host code ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/LaunchRemarks.h"

#include "regdem/Emission/KernelNames.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace regdem {

static constexpr const char *PassName = "regdem";

void emitLaunchSite(const CallBase &Launch, StringRef Kernel,
                    std::optional<uint64_t> Threads, unsigned NumBuilds) {
  std::string Blocks = Threads
                           ? formatv("blocks of {0} threads", *Threads).str()
                           : "blocks of any size";
  OptimizationRemarkEmitter Emitter(Launch.getFunction());
  if (NumBuilds)
    Emitter.emit([&] {
      return OptimizationRemark(PassName, "LaunchSite", &Launch)
             << formatv(
                    "launch of '{0}', {1}: chooses among the kernel and {2}",
                    shownName(Kernel), Blocks, counted(NumBuilds, "build"))
                    .str();
    });
  else
    Emitter.emit([&] {
      return OptimizationRemarkMissed(PassName, "LaunchSite", &Launch)
             << formatv("launch of '{0}', {1}: no build is for these",
                        shownName(Kernel), Blocks)
                    .str();
    });
}

/// Emits a `missed` remark at the start of Constructor.
static void emitMissed(const Function &Constructor, StringRef Name,
                       const std::string &Text) {
  OptimizationRemarkEmitter(&Constructor).emit([&] {
    return OptimizationRemarkMissed(PassName, Name, DiagnosticLocation(),
                                    &Constructor.getEntryBlock())
           << Text;
  });
}

void emitStubEscapes(const Function &Constructor, StringRef Kernel) {
  emitMissed(Constructor, "StubEscapes",
             formatv("launches of '{0}' take the kernel itself: the host code "
                     "uses its address for more than launches",
                     shownName(Kernel)));
}

void emitNoDispatch(const Function &Constructor, StringRef Why) {
  emitMissed(Constructor, "NoDispatch",
             formatv("all launches take the kernel itself: {0}", Why));
}

} // namespace regdem
