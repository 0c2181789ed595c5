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

using namespace llvm;

namespace regdem {

bool asksForArrays(const Function &Kernel) {
  // The machine pass reports an error.
  auto O = expectedToOptional(optionsFor(Kernel, commandLineOptions()));
  return O && O->RunMode != Mode::Off && isToldOf(Kernel, *O);
}

static bool isGone(const ArrayResult &R, bool WasRewritten) {
  return WasRewritten && R.leavesLocalMemory();
}

static StringRef fateOf(const ArrayResult &R, bool WasRewritten) {
  if (!isGone(R, WasRewritten))
    return R.Fate == ArrayFate::SlowPath ? "slow path" : "local";
  return R.Fate == ArrayFate::Registers ? "registers" : "shared";
}

/// Whether a build of Kernel without its arrays was compared with others.
static bool wereTried(const Function &Kernel) {
  std::optional<Outcome> S = readSettled(Kernel);
  return S && any_of(S->Builds, [](const Build &V) {
           return has(V.Rewrites, Rewrite::LowerArrays);
         });
}

/// Why R is in local memory still. WereTried: as wereTried() says.
static StringRef reasonOf(const ArrayResult &R, bool WereTried) {
  if (R.Fate == ArrayFate::SlowPath)
    return "it is for huge arguments of sin and cos only";
  if (R.Fate != ArrayFate::Stays)
    return WereTried ? "no build with it in registers is predicted to pay"
                     : "registers were not tried for it";
  if (R.Are != Roundings::Fixed)
    return "results might be rounded in another way";
  switch (R.Why) {
  case ScalarObstacle::InMemory:
    return describe(R.Array.Obstacle);
  case ScalarObstacle::OutOfBounds:
    return "an index is not known to be within bounds";
  case ScalarObstacle::TooLarge:
    return "it has more elements than pay in registers";
  case ScalarObstacle::Elements:
    return "accesses to it are of no simple type";
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
static std::string helpFor(const ArrayResult &R, bool WereTried) {
  if (R.Fate != ArrayFate::Stays) {
    if (!commandLineOptions().Arrays)
      return "try them by " + optionFlag("arrays") + "=auto";
    return WereTried ? "" : "that takes ptxas and nvdisasm";
  }
  if (R.Are == Roundings::Open)
    return "allow it by " + optionFlag("fp") + "=relaxed";
  if (R.Are != Roundings::Fixed)
    return "";
  if (R.Array.Obstacle == ArrayObstacle::Call)
    return "make the function __forceinline__";
  if (R.Why == ScalarObstacle::OutOfBounds)
    return R.Loops == LoopObstacle::Count
               ? "give the loop that indexes it a constant count"
               : "guard the index (if (i < N)) or mask it (i & (N - 1))";
  return "";
}

static std::string describe(const Function &Kernel, const ArrayResult &R,
                            bool WereTried) {
  std::string Text =
      "'" + shownName(Kernel.getName()) + "': '" + R.Array.Name + "' (";
  if (!R.Array.File.empty())
    Text += R.Array.File + ":" + std::to_string(R.Array.Line) + ", ";
  Text += std::to_string(R.Array.Bytes) + " bytes a thread) stays in local " +
          (R.IsPart ? "memory in part: " : "memory: ") +
          reasonOf(R, WereTried).str();
  if (std::string Help = helpFor(R, WereTried); !Help.empty())
    Text += "; " + Help;
  return Text;
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
  bool WereTried = wereTried(Kernel);
  json::Array All;
  for (const ArrayResult &R : Results) {
    bool IsGone = isGone(R, WasRewritten);
    json::Object Entry{{"name", R.Array.Name},
                       {"bytes", R.Array.Bytes},
                       {"fate", fateOf(R, WasRewritten)},
                       {"reason", IsGone ? "" : reasonOf(R, WereTried)}};
    if (!R.Array.File.empty())
      Entry["source"] = R.Array.File + ":" + std::to_string(R.Array.Line);
    All.push_back(std::move(Entry));
    if (!IsGone && R.Fate != ArrayFate::SlowPath)
      emitLocalArray(Kernel, [&] { return describe(Kernel, R, WereTried); });
  }
  return All;
}

} // namespace regdem
