//===- Remarks.cpp - what users are told while they compile ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/Remarks.h"

#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Finish/Finisher.h"
#include "regdem/Options.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace regdem {

static constexpr const char *PassName = "regdem";

void reportWarning(LLVMContext &Context, const Twine &Text) {
  std::string Message = ("regdem: " + Text).str();
  Context.diagnose(DiagnosticInfoGeneric(Message, DS_Warning));
}

void reportError(const Function &F, Error E) {
  F.getContext().emitError("regdem: '" + shownName(F.getName()) +
                           "': " + toString(std::move(E)));
}

void reportFault(const Function &F, Error E) {
  std::string Problem = toString(std::move(E));
  reportError(
      F, createStringError(Problem +
                           "; this is a fault of RegDem: report it, and "
                           "leave the kernel out with "
                           "__attribute__((annotate(\"regdem:mode=off\")))"));
}

void warnOfCap(const Function &F, const Outcome &O, const Options &Opts) {
  if (std::string Text = describeCapLoss(O, Opts); !Text.empty())
    reportWarning(F.getContext(), Text);
}

/// Text of a remark with the architecture, as one command may compile for
/// several.
static std::string withArch(const std::string &Text, const Outcome &O) {
  return Text + " (" + O.Facts.ArchName + ")";
}

namespace {

/// Emits remarks of one kernel. Their texts are made only if somebody asks for
/// them.
class KernelRemarks {
public:
  KernelRemarks(const MachineFunction &MF, const Outcome &O,
                MachineOptimizationRemarkEmitter &Emitter)
      : Where(MF.getFunction().getSubprogram()), Entry(MF.front()), O(O),
        Emitter(Emitter) {}

  template <typename Remark>
  void emit(StringRef Name, function_ref<std::string()> Text) {
    Emitter.emit([&] {
      return Remark(PassName, Name, Where, &Entry) << withArch(Text(), O);
    });
  }

private:
  DiagnosticLocation Where;
  const MachineBasicBlock &Entry;
  const Outcome &O;
  MachineOptimizationRemarkEmitter &Emitter;
};

} // namespace

void emitRemarks(const MachineFunction &MF, const Outcome &O,
                 MachineOptimizationRemarkEmitter &Emitter) {
  using Analysis = MachineOptimizationRemarkAnalysis;
  using Missed = MachineOptimizationRemarkMissed;
  KernelRemarks Remarks(MF, O, Emitter);
  Remarks.emit<Analysis>("Figures", [&] { return describeFigures(O); });
  for (const Build &V : O.Builds)
    Remarks.emit<Analysis>("Build", [&] { return describeBuild(O, V); });
  auto Decided = [&] { return describeDecision(O); };
  if (O.What == Decision::Stock)
    Remarks.emit<Missed>("NotDemoted", Decided);
  else
    Remarks.emit<MachineOptimizationRemark>("Decided", Decided);
  if (O.Unbounded)
    Remarks.emit<Missed>("LaunchBounds", [&] { return describeUnbounded(O); });
}

/// Emits a `missed` remark at the start of F, of which there is no machine code
/// yet.
static void emitMissed(const Function &F, StringRef Name,
                       const std::string &Text) {
  OptimizationRemarkEmitter(&F).emit([&] {
    return OptimizationRemarkMissed(PassName, Name,
                                    DiagnosticLocation(F.getSubprogram()),
                                    &F.getEntryBlock())
           << Text;
  });
}

void emitCacheFault(const Function &Kernel, const Twine &Problem) {
  emitMissed(Kernel, "CacheNotWritten",
             ("decisions are not cached: " + Problem).str());
}

void emitProfileFault(const Function &Kernel, ProfileFault Fault) {
  emitMissed(Kernel, "ProfileNotUsed", describeFault(Kernel.getName(), Fault));
}

void emitNoLaunchBuilds(const Function &Kernel) {
  emitMissed(Kernel, "NoLaunchBuilds",
             describeNoLaunchBuilds(Kernel.getName()));
}

bool isToldOf(const Function &Kernel, const Options &O) {
  LLVMContext &Context = Kernel.getContext();
  return !O.ReportFile.empty() || Context.getMainRemarkStreamer() ||
         Context.getLLVMRemarkStreamer() ||
         Context.getDiagHandlerPtr()->isAnyRemarkEnabled();
}

void emitDeclined(const Function &Kernel, const Outcome &O) {
  emitMissed(Kernel, "NotDemoted", withArch(describeDecision(O), O));
}

void emitNotSelected(const Function &Kernel, const Options &Opts) {
  Outcome O;
  O.Facts = collectKernelFacts(Kernel, Opts);
  O.Why = Reason::Declined;
  O.Because = Obstacle::NotSelected;
  emitDeclined(Kernel, O);
}

void emitFrame(const Function &Stub, const FrameResult &Frame) {
  std::string Text = describeFrame(Frame);
  if (!Frame.Moved) {
    emitMissed(Stub, "FrameInLocalMemory", Text);
    return;
  }
  OptimizationRemarkEmitter(&Stub).emit([&] {
    return OptimizationRemark(PassName, "FrameMoved",
                              DiagnosticLocation(Stub.getSubprogram()),
                              &Stub.getEntryBlock())
           << Text;
  });
}

// Of host code.

void emitLaunchSite(const CallBase &Launch, StringRef Kernel,
                    std::optional<uint64_t> Threads, unsigned NumBuilds) {
  std::string Blocks = Threads
                           ? formatv("blocks of {0} threads", *Threads).str()
                           : "blocks of any size";
  // Where the stub's code is inlined is where the program launches.
  const DebugLoc &Inner = Launch.getDebugLoc();
  const DebugLoc Site =
      Inner && Inner.getInlinedAt() ? DebugLoc(Inner.getInlinedAt()) : Inner;
  OptimizationRemarkEmitter Emitter(Launch.getFunction());
  if (NumBuilds)
    Emitter.emit([&] {
      return OptimizationRemark(PassName, "LaunchSite", Site,
                                Launch.getParent())
             << formatv(
                    "launch of '{0}', {1}: chooses among the kernel and {2}",
                    shownName(Kernel), Blocks, counted(NumBuilds, "build"))
                    .str();
    });
  else
    Emitter.emit([&] {
      return OptimizationRemarkMissed(PassName, "LaunchSite", Site,
                                      Launch.getParent())
             << formatv("launch of '{0}', {1}: no build is for these",
                        shownName(Kernel), Blocks)
                    .str();
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
