//===- predict.cpp - the cost model on builds that were measured ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads one JSON object a line, a kernel with its builds, and prints what the
// cost model and the RegDem paper's predictor say of each, and which build the
// former chooses:
//
//   {"arch": 90, "threads": 256, "kernel": NAME, "constants":
//    [{"MoreBlocksMargin": 0.02, …}, …], "variants": [{"cubin": PATH,
//    "regs": …, "spill_store_bytes": …, "spill_load_bytes": …, "frame_bytes":
//    …, "smem": …, "max_regs": …, "min_blocks": …, "smem_spilling": true,
//    "rewrites": …, "pressure_after": …}, …]}
//   {"model": [cycles …], "paper": […], "chosen_by_model": I,
//    "chosen_under_caps": {"48": I, …}, "chosen_with": [I …]}
//
// The stock build comes first. "kernel", which tells it from others in a cubin,
// and "constants" may be left out; for each of these, "chosen_with" says what
// the model chooses with them in the place of its own (Constants.def; those
// that are not named keep their values). evaluate.py and leave_one_out.py
// compare the choices with times. With --constants it prints that table as JSON
// and reads nothing.
//
//===----------------------------------------------------------------------===//

#include "PaperPredictor.h"
#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Decision/Model/CostModel.h"
#include "regdem/Decision/Model/KnownHits.h"
#include "regdem/MachineCode/Sass.h"
#include "regdem/Target/Occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace regdem;

namespace {

struct RecordedBuild {
  std::string Cubin, Rewrites;
  Build Figures;
};

struct ConstantSet : Constants {};

Error invalid(const Twine &Text) {
  return createStringError(inconvertibleErrorCode(), Text);
}

bool fromJSON(const json::Value &Value, RecordedBuild &B, json::Path Path) {
  json::ObjectMapper O(Value, Path);
  Build &V = B.Figures;
  return O && O.map("cubin", B.Cubin) && O.map("regs", V.Regs) &&
         O.map("spill_store_bytes", V.SpillStoreBytes) &&
         O.map("spill_load_bytes", V.SpillLoadBytes) &&
         O.map("smem", V.StaticShared) && O.map("max_regs", V.MaxRegs) &&
         O.map("min_blocks", V.MinBlocks) &&
         O.mapOptional("frame_bytes", V.FrameBytes) &&
         O.mapOptional("smem_spilling", V.SmemSpilling) &&
         O.mapOptional("rewrites", B.Rewrites) &&
         O.mapOptional("pressure_after", V.PressureAfter);
}

bool fromJSON(const json::Value &Value, ConstantSet &C, json::Path Path) {
  json::ObjectMapper O(Value, Path);
  return O
#define CONSTANT(Type, Name, ...) &&O.mapOptional(#Name, C.Name)
#include "regdem/Constants.def"
      ;
}

/// The table of constants, for leave_one_out.py and docs/constants.md.
json::Array constantTable() {
  json::Array Rows;
#define CONSTANT(Type, Name, Value, Unit, Kind, Range, Evidence)               \
  Rows.push_back(json::Object{{"name", #Name},                                 \
                              {"value", Value},                                \
                              {"unit", Unit},                                  \
                              {"kind", #Kind},                                 \
                              {"range", Range},                                \
                              {"evidence", Evidence}});
#include "regdem/Constants.def"
  return Rows;
}

/// The machine code of kernel Name (empty: the only one) of Builds in their
/// order.
Expected<std::vector<SassKernel>> decode(ArrayRef<RecordedBuild> Builds,
                                         StringRef Name) {
  std::vector<std::unique_ptr<MemoryBuffer>> Files;
  std::vector<StringRef> Contents;
  for (const RecordedBuild &B : Builds) {
    auto File = MemoryBuffer::getFile(B.Cubin);
    if (!File)
      return invalid(B.Cubin + ": " + File.getError().message());
    Contents.push_back((*File)->getBuffer());
    Files.push_back(std::move(*File));
  }
  return decodeKernels(Contents, Name);
}

/// Has accesses to a frame that was moved take as long as the widest of them
/// (FrameChoice.h). R1 is its address and nothing else; what has a generic
/// address is in it, too.
void widenFrameAccesses(SassKernel &K) {
  std::vector<SassInstruction *> Accesses, Generic;
  unsigned Widest = 0;
  for (SassBlock &B : K.Blocks)
    for (SassInstruction &I : B.Instructions) {
      if (isGenericAccess(I))
        Generic.push_back(&I);
      if ((I.Class == SassClass::SharedLoad ||
           I.Class == SassClass::SharedStore) &&
          any_of(I.Operands, [](const SassOperand &O) {
            return O.What == SassOperand::Kind::Address &&
                   O.Register == SassOperand::general(StackPointer).Register;
          })) {
        Accesses.push_back(&I);
        Widest = std::max(Widest, I.Bytes);
      }
    }
  if (Accesses.empty())
    return;
  for (SassInstruction *I : Generic)
    I->Class = I->Class == SassClass::GlobalLoad ? SassClass::SharedLoad
                                                 : SassClass::SharedStore;
  Accesses.insert(Accesses.end(), Generic.begin(), Generic.end());
  for (SassInstruction *I : Accesses)
    I->Bytes = Widest;
}

/// Indices of the variants that compete, stock first. As in Search.cpp,
/// where registers cost the stock build nothing, only builds without a cap are
/// made: without strength reduction and, where one register more would cost a
/// block, without ptxas's own limit. (Other than there, also where warps need
/// not wait: of what was measured, the prediction is to choose.)
std::vector<size_t> candidates(ArrayRef<Build> Builds, unsigned Threads,
                               const SMLimits &Limits) {
  const Build &Stock = Builds.front();
  auto OccupancyWith = [&](unsigned Regs) {
    return computeOccupancy(
        Limits, {Regs, Threads, Stock.StaticShared, /*DynamicShared=*/0});
  };
  Occupancy O = OccupancyWith(Stock.Regs);
  bool AreAll = O.Limit == Limiter::Registers || Stock.spillBytes();
  bool MayLift = OccupancyWith(Stock.Regs + 1).BlocksPerSM < O.BlocksPerSM;
  std::vector<size_t> List = {0};
  for (size_t I = 1; I != Builds.size(); ++I) {
    const Build &V = Builds[I];
    bool IsReduced =
        has(V.Rewrites, Rewrite::SkipLoopReduce) && !V.MaxRegs && !V.MinBlocks;
    if (AreAll || IsReduced || (MayLift && V.liftsLimit()))
      List.push_back(I);
  }
  return List;
}

bool touchesLocalMemory(const CodeSummary &Code) {
  return any_of(Code.Trace,
                [](const TraceStep &S) { return isLocalAccess(S.Unit); });
}

/// Predicted cycles of variants, in their order, by the constants that
/// predictions depend on: least share of misses, share of L1.
using Predictions = std::map<std::pair<double, double>, std::vector<double>>;

std::pair<double, double> keyOf(const Constants &C) {
  return {C.LeastLocalMisses, C.LocalShareOfL1};
}

/// Predicts V, whose index is I, by Model and with all constants that All has
/// an entry for.
void predictWithAll(const Build &V, const CodeSummary &Code, size_t I,
                    const Launch &L, Predictor Model, Predictions &All) {
  double Cycles = Model.predict(V, Code, L);
  bool Depends = touchesLocalMemory(Code);
  for (auto &[Key, List] : All) {
    std::tie(Model.C.LeastLocalMisses, Model.C.LocalShareOfL1) = Key;
    bool IsOwn = Key == keyOf(Tuned);
    List[I] = Depends && !IsOwn ? Model.predict(V, Code, L) : Cycles;
  }
}

/// Index of the build that is chosen among those of Builds with Indices, if
/// builds take Cycles.
size_t chooseAmong(ArrayRef<size_t> Indices, ArrayRef<Build> Builds,
                   ArrayRef<double> Cycles, const Constants &C = Tuned) {
  std::vector<Build> List;
  for (size_t I : Indices)
    List.emplace_back(Builds[I]).Cycles = Cycles[I];
  return Indices[chooseBuild(List, C)];
}

/// Of the builds under each cap the one that is chosen, by cap, where the cap
/// alone spills: {"48": I, …}. The cap alone comes before the others.
json::Object chooseUnderCaps(ArrayRef<Build> Builds, ArrayRef<double> Cycles) {
  std::map<unsigned, std::vector<size_t>> Cells;
  for (auto [I, V] : enumerate(Builds))
    if (V.MaxRegs)
      Cells[V.MaxRegs].push_back(I);
  json::Object Chosen;
  for (const auto &[Cap, Cell] : Cells)
    if (Cell.size() > 1 && Builds[Cell.front()].spillBytes())
      Chosen[std::to_string(Cap)] = chooseAmong(Cell, Builds, Cycles);
  return Chosen;
}

Expected<json::Object> predict(const json::Value &Kernel) {
  json::Path::Root Root("kernel");
  unsigned Arch = 0, Threads = 0, GridBlocks = 0;
  std::string Name;
  std::vector<RecordedBuild> Recorded;
  std::vector<ConstantSet> Sets;
  json::ObjectMapper O(Kernel, Root);
  if (!O || !O.map("arch", Arch) || !O.map("threads", Threads) ||
      !O.mapOptional("kernel", Name) ||
      !O.mapOptional("grid_blocks", GridBlocks) ||
      !O.map("variants", Recorded) || !O.mapOptional("constants", Sets))
    return Root.getError();
  const SMLimits *Limits = lookupSMLimits(Arch);
  if (!Limits || Recorded.empty() || !Threads)
    return invalid("unknown arch, no threads or no variants");
  auto Code = decode(Recorded, Name);
  if (!Code)
    return Code.takeError();

  size_t N = Recorded.size();
  const Launch At{Threads}, InGrid{Threads, 0, GridBlocks};
  std::vector<Build> Builds;
  for (const RecordedBuild &R : Recorded) {
    Build V = residentAt(At, R.Figures, *Limits);
    if (!V.BlocksPerSM)
      return invalid(R.Cubin + " does not fit an SM");
    V.Rewrites = parseRewrites(R.Rewrites);
    if (toString(V.Rewrites) != R.Rewrites)
      return invalid(R.Cubin + " has rewrites that are not made any more");
    if (V.MinBlocks && !V.MaxRegs)
      V.What = Decision::Cap;
    Builds.push_back(V);
  }
  std::vector<double> Paper;
  std::vector<CodeSummary> Ways;
  Summarizer Summaries;
  for (SassKernel &K : *Code)
    widenFrameAccesses(K);
  for (auto [V, K] : zip_equal(Builds, *Code)) {
    unsigned Warps = V.BlocksPerSM * warpsPerBlock(*Limits, Threads);
    Paper.push_back(paperCycles(double(Warps) / Limits->MaxWarpsPerSM, K));
    Ways.push_back(Summaries.summarize(K, V.Rewrites));
  }
  KnownHits Hits; // As in BuildPool.cpp.
  for (auto [V, C] : zip_equal(Builds, Ways))
    if (!V.MaxRegs)
      Hits.raiseTo(knownHits(C));
  for (CodeSummary &C : Ways)
    setKnownHits(C, Hits);
  Predictions Model = {{keyOf(Tuned), std::vector<double>(N)}};
  for (const Constants &C : Sets)
    Model.try_emplace(keyOf(C), N);
  // Builds are on threads of their own.
  const Predictor ByModel{*Limits, /*Jobs=*/1, Ways.front().Work};
  parallelFor(0, N, [&](size_t I) {
    Build &V = Builds[I];
    predictWithAll(V, Ways[I], I, InGrid, ByModel, Model);
    V.LoneCycles = ByModel.predict(V, Ways[I], At.alone());
  });
  std::vector<size_t> May = candidates(Builds, Threads, *Limits);
  json::Array ChosenWith;
  for (const Constants &C : Sets)
    ChosenWith.push_back(chooseAmong(May, Builds, Model[keyOf(C)], C));
  const std::vector<double> &Own = Model[keyOf(Tuned)];
  return json::Object{{"model", json::Array(Own)},
                      {"paper", json::Array(Paper)},
                      {"chosen_by_model", chooseAmong(May, Builds, Own)},
                      {"chosen_under_caps", chooseUnderCaps(Builds, Own)},
                      {"chosen_with", std::move(ChosenWith)}};
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count == 2 && StringRef(Arguments[1]) == "--constants") {
    outs() << json::Value(constantTable()) << "\n";
    return 0;
  }
  auto Input = MemoryBuffer::getSTDIN();
  if (!Input)
    return 1;
  SmallVector<StringRef, 64> Lines;
  (*Input)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  ExitOnError Require("error: ");
  for (StringRef Line : Lines) {
    json::Value Kernel = Require(json::parse(Line));
    outs() << json::Value(Require(predict(Kernel))) << '\n';
  }
  return 0;
}
