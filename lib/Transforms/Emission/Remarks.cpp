//===- Remarks.cpp - what users are told while they compile ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/Remarks.h"

#include "regdem/Decision/Builds/FrameOrder.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Emission/Messages.h"
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

/// Emits a remark at Where, of code in At. Its text is made only if somebody
/// asks for it.
template <typename Remark, typename Emitter, typename Block>
static void emit(Emitter &To, StringRef Name, const DiagnosticLocation &Where,
                 const Block &At, function_ref<std::string()> Text) {
  To.emit([&] { return Remark(PassName, Name, Where, &At) << Text(); });
}

void emitRemarks(const MachineFunction &MF, const Outcome &O,
                 MachineOptimizationRemarkEmitter &Emitter) {
  using Analysis = MachineOptimizationRemarkAnalysis;
  using Missed = MachineOptimizationRemarkMissed;
  DiagnosticLocation Where(MF.getFunction().getSubprogram());
  const MachineBasicBlock &Entry = MF.front();
  emit<Analysis>(Emitter, "Figures", Where, Entry,
                 [&] { return withArch(describeFigures(O), O); });
  for (const Build &V : O.Builds)
    emit<Analysis>(Emitter, "Build", Where, Entry,
                   [&] { return withArch(describeBuild(O, V), O); });
  auto Decided = [&] { return withArch(describeDecision(O), O); };
  const Build *Chosen = O.chosen();
  if (O.What == Decision::Stock && !(Chosen && Chosen->MovedBytes) &&
      O.Launches.empty())
    emit<Missed>(Emitter, "NotDemoted", Where, Entry, Decided);
  else
    emit<MachineOptimizationRemark>(Emitter, "Decided", Where, Entry, Decided);
  if (O.Staying.Bytes)
    emit<Missed>(Emitter, "FrameInLocalMemory", Where, Entry,
                 [&] { return describeStayingFrame(O); });
  if (O.Unbounded)
    emit<Missed>(Emitter, "LaunchBounds", Where, Entry,
                 [&] { return withArch(describeUnbounded(O), O); });
}

/// Emits a remark at the start of F, of which there is no machine code yet.
template <typename Remark>
static void emitAtStart(const Function &F, StringRef Name,
                        function_ref<std::string()> Text) {
  OptimizationRemarkEmitter Emitter(&F);
  emit<Remark>(Emitter, Name, F.getSubprogram(), F.getEntryBlock(), Text);
}

namespace {
/// {0} is the kernel, {1} is why, {2} is how Option is stated, {3} how effort
/// is.
struct MissedRemark {
  StringLiteral Name;
  const char *Text;
  StringLiteral Option = "";
};
} // namespace

// In the order of Missed.
static constexpr MissedRemark MissedRemarks[] = {
    {"CacheNotWritten", "decisions are not cached: {1}"},
    {"UnknownCode", "{1}"},
    {"ProfileNotUsed",
     "'{0}': profile entry is stale: the kernel's code has changed since it "
     "was measured: run regdem-tune again"},
    {"ProfileNotUsed",
     "'{0}': profile entry not used: no assembler confirms that the functions "
     "it calls keep to the cap: see {2}",
     "ptxas"},
    {"ProfileNotUsed",
     "'{0}': profile entry not used: with its loops unrolled results may "
     "differ in the last bit: run regdem-tune again"},
    {"ProfileNotUsed",
     "'{0}': profile entry not used: it is not certain that ptxas takes the "
     "pragma for spilling to shared memory: see {2}",
     "pragma"},
    {"NoLaunchBuilds",
     "'{0}': no builds are chosen at launch: ptxas decides which of its "
     "products are fused into sums, so that results might depend on the "
     "build; -ffp-contract=on leaves ptxas no choice"},
    {"NoLaunchBuilds",
     "'{0}': no builds are chosen at launch: of several files with the same "
     "template or inline kernel the linker keeps one file's, with that file's "
     "variables or builds; a static kernel is its file's own"},
    {"NoLaunchBuilds",
     "'{0}': no builds are chosen at launch: it calls functions, which have "
     "registers of their own if they are linked (-fgpu-rdc): have them "
     "inlined"},
    {"NoLaunchBuilds",
     "'{0}': no builds are chosen at launch: its file's kernels are many or "
     "large, and making builds of them takes long: a __launch_bounds__ of its "
     "blocks' threads leaves more for it; see also {3}"},
    {"StubEscapes",
     "launches of '{0}' take the kernel itself: the host code sets attributes "
     "on it, or its address goes where that is not known"},
    {"FewerBuilds", "launches of '{0}' do not take all of its builds: {1}"},
    {"NoDispatch", "all launches take the kernel itself: {1}"},
};
static_assert(std::size(MissedRemarks) ==
              static_cast<size_t>(Missed::NoDispatch) + 1);

void emitMissed(const Function &At, Missed Which, StringRef Why,
                StringRef Kernel) {
  const MissedRemark &R = MissedRemarks[static_cast<size_t>(Which)];
  emitAtStart<OptimizationRemarkMissed>(At, R.Name, [&]() -> std::string {
    return formatv(/*Validate=*/false, R.Text,
                   shownName(Kernel.empty() ? At.getName() : Kernel), Why,
                   optionFlag(R.Option), effortFlag());
  });
}

void warnOfCache(LLVMContext &Context, const Twine &Problem) {
  reportWarning(Context, "decisions are not cached: " + Problem);
}

bool isToldOf(const Function &Kernel, const Options &O) {
  LLVMContext &Context = Kernel.getContext();
  return !O.ReportFile.empty() || Context.getMainRemarkStreamer() ||
         Context.getLLVMRemarkStreamer() ||
         Context.getDiagHandlerPtr()->isAnyRemarkEnabled();
}

void emitDeclined(const Function &Kernel, const Outcome &O) {
  emitAtStart<OptimizationRemarkMissed>(
      Kernel, "NotDemoted", [&] { return withArch(describeDecision(O), O); });
}

void emitNotSelected(const Function &Kernel, const Options &Opts) {
  Outcome O;
  O.Facts = collectKernelFacts(Kernel, Opts);
  O.Why = Reason::Declined;
  O.Because = Obstacle::NotSelected;
  emitDeclined(Kernel, O);
}

void emitLocalArray(const Function &Kernel, function_ref<std::string()> Text) {
  emitAtStart<OptimizationRemarkMissed>(Kernel, "LocalArray", Text);
}

void emitFrame(const Function &Stub, const FrameResult &Frame) {
  auto Text = [&] { return describeFrame(Frame); };
  if (Frame.Moved)
    emitAtStart<OptimizationRemark>(Stub, "FrameMoved", Text);
  else
    emitAtStart<OptimizationRemarkMissed>(Stub, "FrameInLocalMemory", Text);
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
  const BasicBlock &Block = *Launch.getParent();
  auto Text = [&] {
    return formatv("launch of '{0}', {1}: {2}", shownName(Kernel), Blocks,
                   NumBuilds ? "chooses among the kernel and " +
                                   counted(NumBuilds, "build")
                             : "no build is for these")
        .str();
  };
  if (NumBuilds)
    emit<OptimizationRemark>(Emitter, "LaunchSite", Site, Block, Text);
  else
    emit<OptimizationRemarkMissed>(Emitter, "LaunchSite", Site, Block, Text);
}

void warnOfLaunch(const CallBase &Launch, StringRef Kernel, uint64_t Threads,
                  unsigned Registers, unsigned Arch) {
  reportWarning(Launch.getContext(),
                formatv("launches of '{0}' with blocks of {1} threads fail: it "
                        "takes {2} registers a thread (sm_{3}); state "
                        "__launch_bounds__({1})",
                        shownName(Kernel), Threads, Registers, Arch)
                    .str());
}

} // namespace regdem
