//===- SettleModule.cpp - how each kernel of a module is built ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Builder/SettleModule.h"

#include "CalleeCopies.h"
#include "KnownDecisions.h"
#include "LaunchBuilds.h"
#include "ProfileUse.h"
#include "Settling.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Analysis/Legality.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Toolchain/Invocation.h"
#include "regdem/Toolchain/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regdem {

namespace {

constexpr const char *KernelsStay =
    "kernels are left as they are, but for caps that are stated";

/// The programs that settle kernels; none, after a warning if the user does not
/// do without, where there is no ptxas.
std::optional<Tools> toolsFor(LLVMContext &Context, const Options &O) {
  auto Assembler = Ptxas::choose(O.Ptxas);
  if (!Assembler) {
    reportWarning(Context,
                  toString(Assembler.takeError()) + "; " + KernelsStay);
    return std::nullopt;
  }
  if (*Assembler)
    return Tools{std::move(**Assembler)};
  if (O.Ptxas == "auto")
    reportWarning(Context, describeMissingPtxas());
  return std::nullopt;
}

/// Has C's kernel, of which builds cannot be compared, ready for the cap that
/// is stated for it.
void leaveToPtxas(const Candidate &C) {
  if (!C.Fixed && C.Goal && C.Goal->CapIsNew)
    omitJumpTables(*C.Kernel); // What it spills is not known.
}

/// Leaves C to ptxas because of what builds of it would cost, and notes that.
void leaveForWork(const Candidate &C) {
  leaveToPtxas(C);
  if (C.Fixed || C.Goal || !C.Facts.knowsLaunch())
    return;
  Outcome Left;
  Left.IsFree = true;
  Left.Why = Reason::WorkSpent;
  writeSettled(*C.Kernel, Left);
}

/// What is decided for a module, for those who finish its program.
struct Decided {
  ProgramRecord Record;
  /// A frame is to stay, or may be there and is to stay. Without a record, what
  /// finishes the program would decide by itself.
  bool KeepsFrames = false;
};

/// Settles Kernels, and writes that on them and to D. M's PTX where the stock
/// build that has been compiled of one is all that code generation would make.
std::optional<std::string>
settleModuleOf(MutableArrayRef<Candidate> Kernels, const Module &M,
               const TargetMachine &TM, const Tools &T,
               const Options &CommandLine, Decided &D) {
  std::vector<Settled> All =
      settleAll(to_vector(make_pointer_range(Kernels)), M, TM, T, CommandLine);
  std::optional<std::string> PTX;
  for (auto [C, S] : zip_equal(Kernels, All)) {
    const std::optional<Outcome> &Result = S.Result;
    if (!Result) {
      Outcome Alone;
      Alone.LeaveAlone = true;
      writeSettled(*C.Kernel, Alone);
    }
    const Build *Chosen = Result ? Result->chosen() : nullptr;
    // Host code may prefer L1 to shared memory (Host/SharedRoom.cpp).
    bool NeedsRoom =
        Chosen && runHasHost() && Chosen->StaticShared > C.Facts.StaticShared;
    if (Chosen && (Chosen->MovedBytes || NeedsRoom))
      D.Record.Kernels.push_back(recordOf(C, *Chosen));
    D.KeepsFrames |= !Result || (Chosen && Chosen->FrameBytes);
    bool IsStock =
        Result && Result->choosesStock() && !(C.Goal && C.Goal->CapIsNew);
    if (S.Settler && IsStock && !C.IsToldOf && !C.Fixed)
      PTX = S.Settler->wholeStockText();
  }
  return PTX;
}

/// Notes while it is there what LLVM's TimeTraceScope marks, and writes that in
/// the end: trace-sm_90.json for the File trace.json. clang hands -ftime-trace
/// to the host compilation only, which is not where RegDem decides. Does
/// nothing without a File, or where the compiler traces itself.
class DecisionTrace {
public:
  DecisionTrace(LLVMContext &Context, StringRef File, StringRef Arch)
      : Context(Context) {
    if (File.empty() || timeTraceProfilerEnabled())
      return;
    StringRef Ending = sys::path::extension(File);
    Path = (File.drop_back(Ending.size()) + "-" + Arch + Ending).str();
    timeTraceProfilerInitialize(TraceMicroseconds, "RegDem");
  }
  DecisionTrace(const DecisionTrace &) = delete;

  /// Warns where the file cannot be written.
  ~DecisionTrace() {
    if (Path.empty())
      return;
    std::error_code Problem;
    raw_fd_ostream OS(Path, Problem, sys::fs::OF_TextWithCRLF);
    if (Problem)
      reportWarning(Context,
                    "cannot write '" + Path + "': " + Problem.message());
    else
      timeTraceProfilerWrite(OS);
    timeTraceProfilerCleanup();
  }

private:
  LLVMContext &Context;
  std::string Path; ///< Empty: nothing is noted.
};

} // namespace

/// Writes on M's kernels what Shown has of their launches.
static void noteLaunches(Module &M, const LaunchesOfFile &Shown,
                         const Options &CommandLine) {
  for (Function &F : kernelsOf(M))
    if (const ShownLaunches *Its = findLaunches(Shown, F.getName()))
      setShownLaunches(F, *Its,
                       collectKernelFacts(F, CommandLine).UsesDynamicShared);
}

/// Tells of each kernel that it is left alone because of -O0, at which the
/// machine pass has no place.
static void declineUnoptimized(Module &M, const Options &CommandLine) {
  for (Function &F : kernelsOf(M)) {
    Expected<Options> O = optionsFor(F, CommandLine);
    if (!O) {
      reportError(F, O.takeError());
      continue;
    }
    if (O->RunMode == Mode::Off)
      continue;
    Outcome R;
    R.Facts = collectKernelFacts(F, *O);
    R.Why = Reason::Declined;
    R.Because = Obstacle::NotOptimized;
    R.LosesCap = statesNewCap(R.Facts, *O);
    warnOfCap(F, R, *O);
    emitDeclined(F, R);
    appendReport(F, R, *O);
  }
}

/// Writes on each kernel that RegDem is to leave out, and to report, what ptxas
/// makes of it.
static void noteStock(Module &M, const TargetMachine &TM,
                      const Options &CommandLine) {
  if (CommandLine.ReportFile.empty())
    return;
  std::vector<Function *> LeftOut;
  for (Function &F : kernelsOf(M))
    if (auto O = expectedToOptional(optionsFor(F, CommandLine));
        O && O->RunMode == Mode::Off && cantFail(isSelected(F, CommandLine)))
      LeftOut.push_back(&F);
  if (LeftOut.empty())
    return;
  auto Assembler = expectedToOptional(Ptxas::choose(CommandLine.Ptxas));
  if (!Assembler || !*Assembler)
    return; // Kernels do not depend on it.
  for (Function *F : LeftOut) {
    CandidateBuilder Builder(M, *F, TM, CapOrigin::Free);
    auto Built = Builder.build(BuildRecipe(), **Assembler);
    if (!Built || Built->front().isRefused())
      continue;
    Outcome Stock = settledOn(std::move(*Built), 0);
    Stock.LeaveAlone = true;
    writeSettled(*F, Stock);
  }
}

/// Warns where the name that is stated selects no kernel of M.
static void warnOfSelection(Module &M, const Options &CommandLine) {
  unsigned NumKernels = 0;
  for (Function &F : kernelsOf(M)) {
    ++NumKernels;
    auto Selected = expectedToOptional(isSelected(F, CommandLine));
    if (!Selected || *Selected) // The machine pass reports errors.
      return;
  }
  if (NumKernels)
    reportWarning(M.getContext(),
                  describeNoSelection(CommandLine.Kernels, NumKernels));
}

/// Decides for M's kernels. PTX as settleModule() returns it, unless M changes.
static std::optional<std::string>
decide(Module &M, TargetMachine &TM, const Options &CommandLine, Decided &D) {
  std::vector<Candidate> Kernels;
  for (Function &F : kernelsOf(M)) {
    auto O = expectedToOptional(optionsFor(F, CommandLine));
    if (!O)
      continue; // The machine pass reports it.
    D.Record.ArchName = F.getFnAttribute("target-cpu").getValueAsString().str();
    if (std::optional<Candidate> C = candidate(F, *O, TM))
      Kernels.push_back(std::move(*C));
    else if (O->RunMode != Mode::Auto || readSettled(F))
      D.KeepsFrames = true; // Somebody wants it left alone.
  }
  if (Kernels.empty())
    return std::nullopt;

  LLVMContext &Context = M.getContext();
  if (!comparesBuilds(CommandLine)) {
    for_each(Kernels, leaveForWork);
    return std::nullopt;
  }
  std::optional<Tools> Found = toolsFor(Context, CommandLine);
  if (!Found) {
    for_each(Kernels, leaveToPtxas);
    return std::nullopt;
  }
  Tools &T = *Found;
  if (auto Cache = DecisionCache::open(CommandLine.Cache)) {
    T.Known =
        std::make_shared<KnownDecisions>(std::move(*Cache), M, TM, T.Assembler);
    for (Candidate &C : Kernels)
      C.Hash = T.Known->hashOf(C);
  }
  if (runIsRelocatable())
    if (std::string Name = compilationName(readInvocation()); !Name.empty())
      D.Record.Tag = "_" + Name;
  Kernels =
      addLaunchBuilds(std::move(Kernels), M, TM, T, CommandLine, D.Record);
  erase_if(Kernels, [](const Candidate &C) {
    bool IsLeft = C.Limit < BuildsToCompare;
    if (IsLeft)
      leaveForWork(C);
    return IsLeft;
  });
  std::optional<std::string> PTX =
      settleModuleOf(Kernels, M, TM, T, CommandLine, D);
  // Nobody has asked for the folder that is there anyway.
  if (T.Known && !T.Known->refusal().empty()) {
    if (CommandLine.Cache == Options().Cache)
      emitMissed(*kernelsOf(M).begin(), Missed::Cache, T.Known->refusal());
    else
      warnOfCache(Context, T.Known->refusal());
  }
  return PTX;
}

std::optional<std::string> settleModule(Module &M, TargetMachine &TM,
                                        const LaunchesOfFile &Shown) {
  if (!TM.getTargetTriple().isNVPTX() ||
      TargetPassConfig::hasLimitedCodeGenPipeline())
    return std::nullopt;
  Options CommandLine = commandLineOptions();
  if (TM.getOptLevel() == CodeGenOptLevel::None) {
    declineUnoptimized(M, CommandLine);
    return std::nullopt;
  }
  noteLaunches(M, Shown, CommandLine);
  DecisionTrace Trace(M.getContext(), CommandLine.TimeTraceFile,
                      TM.getTargetCPU());
  warnOfSelection(M, CommandLine);
  applyStatedBuilds(M, TM, CommandLine);
  noteStock(M, TM, CommandLine);
  Decided D;
  std::optional<std::string> PTX = decide(M, TM, CommandLine, D);
  settleCallees(M);
  if (D.Record.Kernels.empty() &&
      !(D.KeepsFrames && willMoveFrames(CommandLine) &&
        CommandLine.RunMode != Mode::Off))
    return PTX;
  addRecord(M, D.Record, runIsRelocatable());
  return std::nullopt; // PTX that was made before lacks the record.
}

} // namespace regdem
