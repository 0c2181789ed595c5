//===- Report.cpp - remarks and the JSON Lines report ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/Report.h"

#include "regdem/Decision/Outcome.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Options.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace regdem {

static constexpr const char *PassName = "regdem";

void reportWarning(LLVMContext &Context, const Twine &Text) {
  std::string Message = ("regdem: " + Text).str();
  Context.diagnose(DiagnosticInfoGeneric(Message, DS_Warning));
}

void reportError(const Function &F, Error E) {
  F.getContext().emitError("regdem: '" + F.getName() +
                           "': " + toString(std::move(E)));
}

/// Text of a remark with the architecture, as one command may compile for
/// several.
static std::string withArch(const std::string &Text, const Outcome &O) {
  return Text + " (" + O.Facts.ArchName + ")";
}

void emitRemarks(const MachineFunction &MF, const Outcome &O,
                 MachineOptimizationRemarkEmitter &Emitter) {
  DiagnosticLocation Where(MF.getFunction().getSubprogram());
  const MachineBasicBlock *Entry = &MF.front();
  Emitter.emit([&] {
    return MachineOptimizationRemarkAnalysis(PassName, "Figures", Where, Entry)
           << withArch(describeFigures(O), O);
  });
  for (const Variant &V : O.Variants)
    Emitter.emit([&] {
      return MachineOptimizationRemarkAnalysis(PassName, "Variant", Where,
                                               Entry)
             << withArch(describeVariant(O, V), O);
    });
  if (O.What == Decision::Stock)
    Emitter.emit([&] {
      return MachineOptimizationRemarkMissed(PassName, "NotDemoted", Where,
                                             Entry)
             << withArch(describeDecision(O), O);
    });
  else
    Emitter.emit([&] {
      return MachineOptimizationRemark(PassName, "Decided", Where, Entry)
             << withArch(describeDecision(O), O);
    });
}

/// Emits a `missed` remark of a kernel of which there is no machine code yet.
static void emitMissed(const Function &Kernel, StringRef Name,
                       const std::string &Text) {
  OptimizationRemarkEmitter(&Kernel).emit([&] {
    return OptimizationRemarkMissed(PassName, Name,
                                    DiagnosticLocation(Kernel.getSubprogram()),
                                    &Kernel.getEntryBlock())
           << Text;
  });
}

void emitProfileFault(const Function &Kernel, ProfileFault Fault) {
  emitMissed(Kernel, "ProfileNotUsed", describeFault(Kernel.getName(), Fault));
}

void tellDeclined(const Function &Kernel, const Outcome &O,
                  const Options &Opts) {
  emitMissed(Kernel, "NotDemoted", withArch(describeDecision(O), O));
  appendReport(Kernel, O, Opts);
}

static json::Object toJSON(const Variant &V) {
  return json::Object{
      {"decision", toString(V.What)},
      {"max_regs", V.MaxRegs},
      {"min_blocks", V.MinBlocks},
      {"target", V.Target},
      {"strategy", V.What == Decision::Demote ? toString(V.How) : ""},
      {"homes", V.What == Decision::Demote ? toString(V.UpTo) : ""},
      {"most_slots", V.MostSlots},
      {"smem_spilling", V.SmemSpilling},
      {"without", toString(V.Without)},
      {"order", toString(V.Order)},
      {"regs", V.Regs},
      {"spill_store_bytes", V.SpillStoreBytes},
      {"spill_load_bytes", V.SpillLoadBytes},
      {"smem", V.StaticShared},
      {"blocks_per_sm", V.BlocksPerSM},
      {"pressure_after", V.PressureAfter},
      {"slot_accesses", V.SlotAccesses},
      {"recomputations", V.Recomputations},
      {"block_words", V.BlockWords},
      {"uniform_words", V.UniformWords},
      {"words_in_flight", V.WordsInFlight},
      {"l1_bytes", V.L1Bytes},
      {"spill_footprint", V.SpillFootprint},
      {"score", V.Score},
      {"cycles", V.Cycles},
      {"chosen", V.Chosen},
  };
}

/// A share in percent, with one decimal.
static double percent(double Share) { return std::round(1000 * Share) / 10; }

json::Object toJSON(const Outcome &O) {
  json::Object Object{
      {"kernel", O.Facts.Name},
      {"arch", O.Facts.ArchName},
      {"block_size", O.Facts.Threads},
      {"block_size_from", toString(O.Facts.ThreadsFrom)},
      {"decision", toString(O.What)},
      {"reason", describeReason(O)},
      {"estimated", O.Variants.empty()},
      {"smem_spilling", O.SmemSpilling},
      {"without", toString(O.Without)},
      {"order", toString(O.Order)},
      {"max_regs", O.MaxRegs},
      {"min_blocks", O.MinBlocks},
      {"slots", O.Slots},
      {"block_words", O.BlockWords},
      {"slot_bytes", O.SlotBytes},
      {"static_smem", O.Facts.StaticShared},
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
  if (!O.Hash.empty())
    Object["hash"] = O.Hash;
  if (O.FromProfile)
    Object["from_profile"] = true;
  if (O.Predicted) {
    Object["scorer"] = toString(O.Predicted->By);
    Object["from_sass"] = O.Predicted->FromSass;
    Object["expected_gain"] = percent(O.Predicted->Gain);
    Object["margin"] = percent(O.Predicted->Margin);
  }
  if (!O.Variants.empty()) {
    json::Array Variants;
    for (const Variant &V : O.Variants) {
      json::Object Entry = toJSON(V);
      if (V.Cycles > 0)
        Entry["expected_gain"] = percent(expectedGain(O, V));
      Variants.push_back(std::move(Entry));
    }
    Object["variants"] = std::move(Variants);
  }
  return Object;
}

static Error appendLine(StringRef File, const Outcome &O) {
  std::string Line;
  raw_string_ostream(Line) << json::Value(toJSON(O)) << "\n";
  std::error_code EC;
  raw_fd_ostream OS(File, EC, sys::fs::OF_Append);
  if (EC)
    return createStringError(EC, "cannot write report '" + File +
                                     "': " + EC.message());
  // Unbuffered, the line is one write() to a file opened for appending.
  OS.SetUnbuffered();
  OS << Line;
  OS.close();
  if (OS.has_error()) {
    std::error_code WriteError = OS.error();
    OS.clear_error();
    return createStringError(WriteError, "cannot write report '" + File +
                                             "': " + WriteError.message());
  }
  return Error::success();
}

void appendReport(const Function &Kernel, const Outcome &O,
                  const Options &Opts) {
  if (Opts.ReportFile.empty())
    return;
  if (Error E = appendLine(Opts.ReportFile, O))
    reportError(Kernel, std::move(E));
}

std::string encodeVariants(ArrayRef<Variant> Variants) {
  json::Array List;
  for (const Variant &V : Variants)
    List.push_back(toJSON(V));
  std::string Text;
  raw_string_ostream(Text) << json::Value(std::move(List));
  return Text;
}

std::vector<Variant> decodeVariants(StringRef Text) {
  std::vector<Variant> Result;
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return Result;
  }
  const json::Array *List = Parsed->getAsArray();
  if (!List)
    return Result;
  for (const json::Value &Item : *List) {
    const json::Object *O = Item.getAsObject();
    if (!O)
      return {};
    auto Number = [O](StringRef Key) {
      return static_cast<unsigned>(O->getInteger(Key).value_or(0));
    };
    Variant V;
    V.What = parseDecision(O->getString("decision").value_or(""));
    V.MaxRegs = Number("max_regs");
    V.MinBlocks = Number("min_blocks");
    V.Target = Number("target");
    V.How = parseStrategy(O->getString("strategy").value_or(""));
    V.UpTo = parseHome(O->getString("homes").value_or(""));
    V.MostSlots = Number("most_slots");
    V.SmemSpilling = O->getBoolean("smem_spilling").value_or(false);
    V.Without = parseOmission(O->getString("without").value_or(""));
    V.Order = parseInstOrder(O->getString("order").value_or(""));
    V.Regs = Number("regs");
    V.SpillStoreBytes = Number("spill_store_bytes");
    V.SpillLoadBytes = Number("spill_load_bytes");
    V.StaticShared = Number("smem");
    V.BlocksPerSM = Number("blocks_per_sm");
    V.PressureAfter = Number("pressure_after");
    V.SlotAccesses = Number("slot_accesses");
    V.Recomputations = Number("recomputations");
    V.BlockWords = Number("block_words");
    V.UniformWords = Number("uniform_words");
    V.WordsInFlight = Number("words_in_flight");
    V.L1Bytes = Number("l1_bytes");
    V.SpillFootprint = Number("spill_footprint");
    V.Score = Number("score");
    V.Cycles = O->getNumber("cycles").value_or(0);
    V.Chosen = O->getBoolean("chosen").value_or(false);
    Result.push_back(V);
  }
  return Result;
}

} // namespace regdem
