//===- Report.cpp - the JSON Lines report ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/Remarks.h"

#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/LaunchTable.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Emission/ArrayMessages.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Options.h"
#include "regdem/Toolchain/Invocation.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

/// "FILE:LINE" of the kernel's source; without the line where the compilation
/// keeps no debug information.
static std::string sourceOf(const Function &Kernel) {
  const DISubprogram *Where = Kernel.getSubprogram();
  const std::string &Main = Kernel.getParent()->getSourceFileName();
  if (!Where)
    return Main;
  // clang may name it relative to the folder in which it runs.
  StringRef Named = Where->getFilename();
  StringRef File = StringRef(Main).ends_with(Named) ? StringRef(Main) : Named;
  return (File + ":" + Twine(Where->getLine())).str();
}

/// Adds the parts of R to O, one a field.
static void addParts(json::Object &O, const BuildRecipe &R) {
  O["smem_spilling"] = R.SmemSpilling;
  O["rewrites"] = toString(R.Rewrites);
  O["order"] = toString(R.Order);
  O["max_regs"] = R.MaxRegs;
  O["min_blocks"] = R.MinBlocks;
}

/// Bytes of a block that O's kernel has of its own: at most those that ptxas
/// takes besides the slots, as it may lay out variables more closely than they
/// are declared.
static uint64_t ownShared(const Outcome &O) {
  const Build *Chosen = O.chosen();
  if (!Chosen || Chosen->isRefused())
    return O.Facts.StaticShared;
  return std::min<uint64_t>(O.Facts.StaticShared,
                            Chosen->StaticShared - O.SlotBytes);
}

static json::Object toJSON(StringRef Source, const Outcome &O,
                           json::Array Arrays) {
  json::Object Object{
      {"version", REGDEM_VERSION},
      {"kernel", O.Facts.Name},
      {"name", shownName(O.Facts.Name)},
      {"source", Source},
      {"arch", O.Facts.ArchName},
      {"block_size", O.Facts.Threads},
      {"block_size_from", toString(O.Facts.ThreadsFrom)},
      {"decision", toString(O.What)},
      {"reason", describeReason(O)},
      {"estimated", O.Builds.empty()},
      {"slots", O.Slots},
      {"slot_bytes", O.SlotBytes},
      {"static_smem", ownShared(O)},
      {"pressure_before", O.PressureBefore},
      {"pressure_after", O.PressureAfter},
      {"blocks_per_sm_before", O.Before.BlocksPerSM},
      {"blocks_per_sm_after", O.After.BlocksPerSM},
      {"limiter_before", toString(O.Before.Limit)},
      {"limiter_after", toString(O.After.Limit)},
      {"stores", O.Stores},
      {"reloads", O.Reloads},
      {"recomputations", O.Recomputations},
  };
  addParts(Object, O);
  if (!Arrays.empty())
    Object["arrays"] = std::move(Arrays);
  if (O.Facts.knowsDynamicShared())
    Object["dynamic_smem"] = O.Facts.StatedDynamicShared.value_or(0);
  if (isPtxas(readInvocation()))
    Object["from_ptx"] = true;
  if (!O.Hash.empty())
    Object["hash"] = O.Hash;
  if (O.FromProfile)
    Object["from_profile"] = true;
  if (O.FusesOtherwise)
    Object["fp"] = "relaxed";
  if (O.FromCache)
    Object["cached"] = true;
  if (O.EndedEarly)
    Object["budget_ended"] = true;
  // A kernel's builds for launches were searched for together.
  if (O.Work && kernelOfBuild(O.Facts.Name) == O.Facts.Name)
    Object["work"] = O.Work;
  if (O.Predicted) {
    Object["from_sass"] = true;
    Object["expected_gain"] = percent(O.Predicted->Gain);
    Object["margin"] = percent(O.Predicted->Margin);
  }
  if (O.Unbounded)
    Object["unbounded"] =
        json::Object{{"regs", O.Unbounded->Regs},
                     {"blocks_per_sm", O.Unbounded->BlocksPerSM},
                     {"expected_gain", percent(O.Unbounded->Gain)}};
  if (O.Why == Reason::ChosenAtLaunch || O.hasLaunchBuilds()) {
    Object["launches"] = O.Launches;
    Object["block_sizes"] = O.LaunchSizes;
    Object["builds_left_out"] = O.BuildsLeftOut;
  }
  json::Array Builds;
  for (const Build &V : O.Builds) {
    json::Object Entry = toJSON(V, &V == O.chosen());
    addParts(Entry, V);
    Entry["target"] = V.Target;
    Entry["strategy"] = V.What == Decision::Demote ? toString(V.How) : "";
    if (V.Cycles > 0)
      Entry["expected_gain"] = percent(O.expectedGain(V));
    Builds.push_back(std::move(Entry));
  }
  Object["variants"] = std::move(Builds);
  return Object;
}

Error appendReport(const Outcome &O, StringRef Source, const Options &Opts,
                   json::Array Arrays) {
  if (Opts.ReportFile.empty())
    return Error::success();
  std::string Line;
  raw_string_ostream(Line) << json::Value(toJSON(Source, O, std::move(Arrays)))
                           << "\n";
  if (Opts.ReportFile == "-") {
    outs() << Line;
    return Error::success();
  }
  std::error_code EC;
  raw_fd_ostream OS(Opts.ReportFile, EC, sys::fs::OF_Append);
  if (!EC) {
    OS.SetUnbuffered(); // One write() to a file opened for appending.
    OS << Line;
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  if (EC)
    return createStringError(EC, "cannot write report '" + Opts.ReportFile +
                                     "': " + EC.message());
  return Error::success();
}

void appendReport(const Function &Kernel, const Outcome &O, const Options &Opts,
                  json::Array Arrays) {
  if (Error E = appendReport(O, sourceOf(Kernel), Opts, std::move(Arrays)))
    reportError(Kernel, std::move(E));
}

} // namespace regdem
