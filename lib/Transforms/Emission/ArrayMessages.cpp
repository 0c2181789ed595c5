//===- ArrayMessages.cpp - what became of arrays --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/ArrayMessages.h"

#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Transform/ArrayRewriting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include <tuple>

using namespace llvm;

namespace regdem {

bool asksForArrays(const Function &Kernel) {
  if (Kernel.hasOptNone()) // Each variable is in local memory then.
    return false;
  // The machine pass reports an error.
  auto O = expectedToOptional(optionsFor(Kernel, commandLineOptions()));
  return O && O->RunMode != Mode::Off && isToldOf(Kernel, *O);
}

namespace {

/// What is known of where a kernel's arrays are in the end.
struct Whereabouts {
  bool WereRewritten; ///< As RegDem's results say.
  /// What the kernel is built as, with ptxas's figures; null: not known.
  const Build *Built;
  /// Why registers were not tried for arrays that they could hold; empty: they
  /// were.
  std::string Untried;

  /// Whether ptxas leaves none in local memory, or RegDem moves what it does.
  bool leavesNone() const { return Built && !Built->FrameBytes; }
};

/// Arrays of which the same is said: name, place, size and reason.
struct ArrayGroup {
  const ArrayResult *First;
  unsigned Number;
  StringRef Fate;     ///< As the report has it.
  std::string Reason; ///< Why it is in local memory still, if it is.

  bool isGone() const { return Fate != "local" && Fate != "slow path"; }
};

} // namespace

static StringRef fateOf(const ArrayResult &R, const Whereabouts &W) {
  if (W.WereRewritten && R.leavesLocalMemory())
    return R.Fate == ArrayFate::Registers ? "registers"
           : R.Fate == ArrayFate::Shared  ? "shared"
                                          : "parameter";
  if (W.leavesNone())
    return W.Built->MovedBytes ? "shared" : "registers";
  return R.Fate == ArrayFate::SlowPath ? "slow path" : "local";
}

/// Whereabouts::Untried of a kernel with Settled.
static std::string reasonUntried(const std::optional<Outcome> &Settled) {
  if (!commandLineOptions().Arrays)
    return optionFlag("arrays") + "=off";
  if (Settled && (Settled->FromProfile || Settled->IsStated))
    return Settled->FromProfile ? "the profile names another build"
                                : optionFlag("build") + " states another build";
  if (!Settled || Settled->LeaveAlone || Settled->Why == Reason::WorkSpent)
    return "builds of the kernel were not compared";
  bool WereTried = any_of(Settled->Builds, [](const Build &V) {
    return has(V.Rewrites, Rewrite::LowerArrays);
  });
  if (!WereTried && Settled->EndedEarly)
    return "the search ended before: see " + effortFlag();
  return "";
}

/// Why R is in local memory still.
static std::string reasonOf(const ArrayResult &R, const Whereabouts &W) {
  if (R.Fate == ArrayFate::SlowPath)
    return "it is for huge arguments of sin and cos only";
  if (R.Fate != ArrayFate::Stays)
    return W.Untried.empty()
               ? "no build with it in registers is predicted to pay"
               : "registers were not tried for it: " + W.Untried;
  if (R.Are == Roundings::Inexact)
    return "LLVM would compute some operations in another way than the GPU: "
           "approximate quotients, remainders, powers, or those that make "
           "subnormal numbers zero";
  if (R.Are != Roundings::Fixed)
    return "results might be rounded in another way";
  switch (R.Why) {
  case ScalarObstacle::InMemory:
    if (!R.Array.Callee.empty())
      return "its address goes to '" + shownName(R.Array.Callee) + "'";
    return describe(R.Array.Obstacle).str();
  case ScalarObstacle::OutOfBounds:
    return "an index is not known to be within bounds";
  case ScalarObstacle::TooLarge:
    return "it has more elements than pay in registers";
  case ScalarObstacle::Elements:
    return "accesses to it are of no simple type";
  case ScalarObstacle::Approximate:
    return "of constants that there would be then, LLVM and ptxas compute "
           "something else than the GPU: arguments of functions that it "
           "approximates, or factors";
  case ScalarObstacle::Unchecked:
    return "the checker cannot run the code around it";
  case ScalarObstacle::Differs:
    return "the checker finds that the rewritten kernel does something else";
  case ScalarObstacle::None:
    break;
  }
  return "the loops that index it cannot be unrolled";
}

/// What can be done about it; empty where there is nothing.
static std::string helpFor(const ArrayResult &R) {
  if (R.Fate != ArrayFate::Stays)
    return "";
  if (R.Are == Roundings::Open)
    return "allow it by " + optionFlag("fp") + "=relaxed";
  if (R.Are != Roundings::Fixed)
    return "";
  if (R.Array.Obstacle == ArrayObstacle::Call)
    return R.Array.Callee.empty() ? "call it by name, and make it "
                                    "__forceinline__"
                                  : "make that function __forceinline__";
  if (R.Why == ScalarObstacle::OutOfBounds)
    return R.IsUncounted
               ? "give the loop that indexes it a constant count"
               : "guard the index (if (i < N)) or mask it (i & (N - 1))";
  return "";
}

static std::string describe(const Function &Kernel, const ArrayGroup &G,
                            bool HasFrame) {
  const ArrayResult &R = *G.First;
  std::string Text =
      "'" + shownName(Kernel.getName()) + "': '" + R.Array.Name + "' (";
  if (!R.Array.File.empty())
    Text += R.Array.File + ":" + std::to_string(R.Array.Line) + ", ";
  if (G.Number != 1)
    Text += std::to_string(G.Number) + " times ";
  Text += (R.Array.Bytes ? std::to_string(R.Array.Bytes) + " bytes"
                         : std::string("of unknown size")) +
          " a thread) " + (HasFrame ? "stays" : "may stay") +
          " in local memory" + (R.IsPart ? " in part: " : ": ") + G.Reason;
  if (std::string Help = helpFor(R); !Help.empty())
    Text += "; " + Help;
  return Text;
}

/// Results, those together of which the same is to be said.
static std::vector<ArrayGroup> grouped(ArrayRef<ArrayResult> Results,
                                       const Whereabouts &W) {
  auto Key = [](const ArrayGroup &G) {
    const LocalArray &A = G.First->Array;
    return std::tie(A.Name, A.File, A.Line, A.Bytes, G.Fate, G.First->IsPart,
                    G.Reason);
  };
  std::vector<ArrayGroup> All;
  for (const ArrayResult &R : Results) {
    ArrayGroup One{&R, 1, fateOf(R, W), reasonOf(R, W)};
    auto Same =
        find_if(All, [&](const ArrayGroup &G) { return Key(G) == Key(One); });
    if (Same != All.end())
      ++Same->Number;
    else
      All.push_back(std::move(One));
  }
  return All;
}

void warnOfDifference(const Function &Kernel, const std::string &Difference) {
  if (!Difference.empty())
    reportWarning(Kernel.getContext(),
                  "'" + shownName(Kernel.getName()) + "': " + Difference +
                      "; the kernel's arrays stay in local memory. This is a "
                      "fault of RegDem: report it");
}

json::Array tellArrays(const Function &Kernel,
                       const std::vector<ArrayResult> &Results,
                       bool WasRewritten) {
  const std::optional<Outcome> Settled = readSettled(Kernel);
  const Build *Built = Settled ? Settled->chosen() : nullptr;
  // Whether ptxas is known to leave some of them in local memory.
  bool HasFrame = Built ? Built->FrameBytes : Settled && Settled->Staying.Bytes;
  Whereabouts W{WasRewritten, Built, reasonUntried(Settled)};
  json::Array All;
  for (const ArrayGroup &G : grouped(Results, W)) {
    const ArrayResult &R = *G.First;
    json::Object Entry{{"name", R.Array.Name},
                       {"bytes", G.Number * R.Array.Bytes},
                       {"fate", G.Fate},
                       {"reason", G.isGone() ? "" : G.Reason}};
    if (std::string Help = helpFor(R); !G.isGone() && !Help.empty())
      Entry["help"] = Help;
    if (!R.Array.File.empty())
      Entry["source"] = R.Array.File + ":" + std::to_string(R.Array.Line);
    All.push_back(std::move(Entry));
    if (!G.isGone() && R.Fate != ArrayFate::SlowPath)
      emitLocalArray(Kernel, [&] { return describe(Kernel, G, HasFrame); });
  }
  return All;
}

} // namespace regdem
