//===- Outcome.h - what was decided for a kernel, and why -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The builds of a kernel, the chosen one, and why. A search or a profile
// settles that before code generation, which completes it (Decide.h). It is all
// that users are told about the kernel; the words are made in Emission.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_OUTCOME_H
#define REGDEM_DECISION_BUILDS_OUTCOME_H

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Analysis/Legality.h"
#include "regdem/Decision/Builds/Build.h"
#include "regdem/Decision/Builds/LaunchTable.h"
#include <optional>
#include <vector>

namespace regdem {

/// Why the decision is what it is.
enum class Reason {
  Declined,        ///< An Obstacle stands in the way.
  NoCap,           ///< Nobody states a cap, and the mode asks for none.
  Fits,            ///< The kernel keeps to the cap without demotion.
  FitsRewritten,   ///< It does if passes are left out.
  NoSharedMemory,  ///< No room for a single slot.
  NothingToDemote, ///< No value can leave its register with any use.
  NoBetter,        ///< Demotion was tried and saves too little local spill.
  SmemSpilling,    ///< ptxas's spilling to shared memory is better.
  MovesFrame,      ///< What ptxas spills moves to shared memory behind it.
  BelowCap,        ///< Demoted: the kernel keeps to the cap.
  ToolFailed,      ///< The assembler could not be run or rejected the code.
  AboveCap,        ///< Demoted as far as possible; ptxas spills the rest.
  Profiled,        ///< A profile names this build.
  Stated,          ///< -regdem-build does.
  TurnedOff,       ///< The mode is off: figures of the stock build only.
  // Where nobody states a cap:
  NoAssembler,        ///< Builds could not be compared.
  WorkSpent,          ///< Other kernels took what the file's builds may cost.
  NotRegisterLimited, ///< Registers cost neither occupancy nor spill code.
  DoesNotFit,         ///< Not one block of the stock build fits an SM.
  FitsCapped,         ///< Nor does one, but under a cap.
  CalleesNeedMore,    ///< ptxas refuses a cap for the sake of a callee.
  WarpsDoNotPay,      ///< More warps at no cost would gain too little.
  StockFastest,       ///< No build is predicted to gain enough.
  PredictedFaster,    ///< The build chosen is predicted to be faster.
  ChosenAtLaunch,     ///< Stock, with builds beside it for some launches.
};

/// How a choice without a stated cap was made. Gain and Margin are shares of
/// the stock build's predicted time.
struct Prediction {
  double Gain = 0;   ///< What the best build other than stock saves.
  double Margin = 0; ///< What it has to save to be chosen.
  unsigned Best = 0; ///< Its index among the builds; 0: there is none.
};

/// A build without the blocks per SM that the kernel's launch bounds ask for.
/// It is never made, as the program may rely on them; users are told of it.
struct UnboundedBuild {
  unsigned Regs = 0; ///< Registers that ptxas takes.
  unsigned BlocksPerSM = 0;
  /// What it saves, as a share of the predicted time of what is built.
  double Gain = 0;
};

/// A frame that could have moved to shared memory.
struct StayingFrame {
  unsigned Bytes = 0; ///< Of a thread; 0: there is none.
  std::string Reason; ///< Why it stays in local memory.
};

/// The recipe is what is settled for the kernel; once it is decided, what it is
/// built as. Its cap stands in the place of what the options state; the
/// kernel's own bounds hold besides. Without one, what is stated holds.
struct Outcome : BuildRecipe, PlanFigures {
  // What is settled before code generation.

  /// The kernel is to be as the stock compiler builds it, whatever is stated:
  /// because the assembler could not be used, or for comparison.
  bool LeaveAlone = false;
  /// A profile names this build; no assembler was asked for a better one.
  bool FromProfile = false;
  /// Options::Stated is this build.
  bool IsStated = false;
  bool FromCache = false; ///< An earlier compilation has settled it.
  /// What it may cost was used up before the search was done (Effort.h).
  bool EndedEarly = false;
  /// What its search has cost, in instructions (workOfBuild() in Effort.h).
  uint64_t Work = 0;
  /// Nobody states a cap: the recipe was chosen, for the reason Why.
  bool IsFree = false;
  Reason Why = Reason::NoCap;
  std::optional<Prediction> Predicted; ///< Where builds were compared.
  std::vector<Build> Builds;
  std::optional<size_t> Chosen;    ///< Index of the one to build.
  std::vector<LaunchRow> Launches; ///< Of the builds beside it.
  /// Threads of the blocks for which such builds were looked for, ascending.
  std::vector<unsigned> LaunchSizes;
  /// Builds for launches that the file has no room for (Options::LaunchCode).
  unsigned BuildsLeftOut = 0;
  StayingFrame Staying; ///< Of the build that is chosen.
  /// Where the kernel's launch bounds are expected to cost much.
  std::optional<UnboundedBuild> Unbounded;

  // What code generation adds.

  KernelFacts Facts;
  Obstacle Because = Obstacle::None; ///< Where Why is Declined.
  bool LosesCap = false;       ///< A stated cap, or part of it, does not hold.
  unsigned Slots = 0;          ///< Words per thread.
  uint64_t SlotBytes = 0;      ///< Per block.
  unsigned PressureBefore = 0; ///< Words.
  /// Occupancy without and with the decision. Registers are ptxas's where it
  /// was asked, estimated from the pressure where it was not.
  Occupancy Before{}, After{};
  unsigned Stores = 0, Reloads = 0; ///< Static counts.
  bool FusesOtherwise = false;      ///< See fusesOtherwise().
  bool MayDemote = true;            ///< As in Question.
  std::string Hash; ///< See KernelHasher; empty: nobody asked for it.

  /// The build that is chosen, and the stock build; null where there is none.
  const Build *chosen() const { return Chosen ? &Builds[*Chosen] : nullptr; }
  const Build *stock() const;

  /// Whether there are builds for some launches beside it, or would be.
  bool hasLaunchBuilds() const { return !Launches.empty() || BuildsLeftOut; }

  /// Whether the stock build is the chosen one, or none is.
  bool choosesStock() const {
    return !Chosen || chosen()->What == Decision::Stock;
  }

  /// What predictions are compared with: the first build that has one, which is
  /// the stock build or, where a cap is stated, the cap alone. Null where there
  /// is no prediction.
  const Build *predictedBase() const;

  /// The share of the predicted time of predictedBase() that V saves. V must be
  /// one of Builds and have a prediction.
  double expectedGain(const Build &V) const {
    return 1 - V.Cycles / predictedBase()->Cycles;
  }

  /// Whether this can be built although Obstacle stands in the way of some
  /// builds: what takes shared memory needs to know how much is left and how
  /// many threads share it, and blocks per SM cannot be stated without threads.
  bool isLegalDespite(Obstacle O) const {
    bool TakesShared = What == Decision::Demote || SmemSpilling;
    return !TakesShared && (O != Obstacle::UnknownBlockSize || !MinBlocks);
  }
};

/// The stock build, for the reason Why, where nobody states a cap.
Outcome freelyStock(Reason Why);

/// What is settled by choosing build I of all that were tried.
Outcome settledOn(std::vector<Build> Tried, size_t I);

/// What Options::Stated settles for a kernel with these Facts; none where the
/// kernel is not to be touched or nothing is stated.
std::optional<Outcome> statedOutcome(const KernelFacts &Facts,
                                     const Options &O);

/// O with the cap that Settled has, if it has one.
Options optionsUnder(const Options &O, const Outcome &Settled);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_OUTCOME_H
