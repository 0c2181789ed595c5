//===- Outcome.h - what was decided for a kernel, and why -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that users are told about one kernel, as figures. The words are
// made in Emission.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_OUTCOME_H
#define REGDEM_DECISION_BUILDS_OUTCOME_H

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Analysis/Legality.h"
#include "regdem/Decision/Builds/BuildRecipe.h"
#include "regdem/Decision/Builds/Launch.h"
#include "regdem/Decision/Builds/LaunchTable.h"
#include "regdem/MachineCode/LoneWarp.h"
#include "llvm/ADT/ArrayRef.h"
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
  Profiled,        ///< A profile names this variant.
  // Where nobody states a cap:
  NoAssembler,        ///< Variants could not be compared.
  NotRegisterLimited, ///< Registers cost neither occupancy nor spill code.
  DoesNotFit,         ///< Not one block of the stock build fits an SM.
  CalleesNeedMore,    ///< ptxas refuses a cap for the sake of a callee.
  BudgetEnded,        ///< Nothing was compared with the stock build.
  WarpsDoNotPay,      ///< More warps at no cost would gain too little.
  StockFastest,       ///< No variant is predicted to gain enough.
  PredictedFaster,    ///< The variant chosen is predicted to be faster.
  ChosenAtLaunch,     ///< Stock, with builds beside it for some launches.
};

/// What an SM holds of a build at a launch.
struct Residency {
  unsigned BlocksPerSM = 0;
  unsigned SpillFootprint = 0; ///< Spilled bytes of all resident threads.
  unsigned L1Bytes = 0;        ///< L1 cache that the carve-out leaves.
};

/// One candidate, and its figures once it is assembled. Its residency is that
/// at the stated launch.
struct Variant : BuildRecipe, Residency {
  unsigned Regs = 0; ///< Registers that ptxas used.
  unsigned SpillStoreBytes = 0, SpillLoadBytes = 0; ///< Static, per thread.
  unsigned FrameBytes = 0; ///< Of local memory per thread, with arrays.
  /// Of a frame that ptxas puts into local memory and RegDem moves to shared
  /// memory then, per thread; 0: none. Figures are those after the move.
  unsigned MovedBytes = 0;
  /// Bytes per block, what RegDem adds included: a moved frame, and what the
  /// launch adds for ThreadBytes.
  unsigned StaticShared = 0;
  /// Bytes that a thread has at the end of dynamic shared memory, to which its
  /// launches add them; 0: none.
  unsigned ThreadBytes = 0;
  LoneWarp Alone;             ///< All 0: not known.
  unsigned PressureAfter = 0; ///< Words, as planned.
  /// Words stored to shared memory and reloaded, static: by the plan and, as
  /// far as the figures show, by ptxas.
  unsigned SlotAccesses = 0;
  unsigned Recomputations = 0; ///< Static count.
  unsigned BlockWords = 0;     ///< Words per block for values of the block.
  unsigned UniformWords = 0;   ///< Words left to uniform registers.
  unsigned WordsInFlight = 0;  ///< See wordsInFlight().
  unsigned Score = 0;          ///< Lower is better; see VariantScore.cpp.
  double Cycles = 0; ///< Predicted, for comparison only; 0: not predicted.
  /// The same for Launch::alone().
  double LoneCycles = 0;
  bool Chosen = false;

  /// Static bytes per thread that ptxas stores to and loads from local memory.
  unsigned spillBytes() const { return SpillStoreBytes + SpillLoadBytes; }
  /// Whether it differs from the stock build in no more than that ptxas does
  /// not limit its registers by itself, and in passes left out.
  bool liftsLimit() const {
    return What == Decision::Cap && MinBlocks && !MaxRegs && !SmemSpilling;
  }
};

/// The build that lifts that limit and leaves no pass out.
inline Variant liftedLimit() {
  Variant V;
  V.What = Decision::Cap;
  V.MinBlocks = 1;
  return V;
}

/// Whether A and B are built in the same way.
inline bool isSameBuild(const Variant &A, const Variant &B) {
  return A.recipe() == B.recipe() && !A.MovedBytes == !B.MovedBytes;
}

/// What an SM of Limits holds at L of a build with V's figures.
Residency residencyAt(const Launch &L, const Variant &V,
                      const SMLimits &Limits);

/// Has V say that it is resident as at L.
inline void setResidency(Variant &V, const Launch &L, const SMLimits &Limits) {
  static_cast<Residency &>(V) = residencyAt(L, V, Limits);
}

/// How a choice without a stated cap was made. Gain and Margin are shares of
/// the stock build's predicted time.
struct Prediction {
  Scorer By = Scorer::Model;
  bool FromSass = false; ///< From machine code, not from ptxas's figures only.
  double Gain = 0;       ///< What the best variant other than stock saves.
  double Margin = 0;     ///< What it has to save to be chosen.
  unsigned Best = 0;     ///< Its index among the variants; 0: there is none.
};

/// A build without the blocks per SM that the kernel's launch bounds ask for.
/// It is never made, as the program may rely on them; users are told of it.
struct UnboundedBuild {
  unsigned Regs = 0; ///< Registers that ptxas takes.
  unsigned BlocksPerSM = 0;
  /// What it saves, as a share of the predicted time of what is built.
  double Gain = 0;
};

struct Outcome {
  KernelFacts Facts;
  Decision What = Decision::Stock;
  Reason Why = Reason::NoCap;
  Obstacle Because = Obstacle::None; ///< Where Why is Declined.
  bool LosesCap = false;     ///< A stated cap, or part of it, does not hold.
  bool SmemSpilling = false; ///< As in Variant.
  enum Rewrite Rewrites = Rewrite::None;          ///< As in Variant.
  InstOrder Order = InstOrder::Source;            ///< As in Variant.
  unsigned MaxRegs = 0;                           ///< Cap in force; 0: none.
  unsigned MinBlocks = 0;                         ///< As in Variant.
  unsigned Slots = 0;                             ///< Words per thread.
  unsigned BlockWords = 0;                        ///< Words per block besides.
  unsigned UniformWords = 0;                      ///< As in Variant.
  uint64_t SlotBytes = 0;                         ///< Per block.
  unsigned ThreadBytes = 0;                       ///< As in Variant.
  unsigned PressureBefore = 0, PressureAfter = 0; ///< Words.
  /// Occupancy without and with the decision. Registers are ptxas's where it
  /// was asked, estimated from the pressure where it was not.
  Occupancy Before{}, After{};
  unsigned Stores = 0, Reloads = 0; ///< Static counts.
  unsigned SlotAccesses = 0;        ///< The same in words.
  unsigned Recomputations = 0;      ///< Static count.
  unsigned WordsInFlight = 0;       ///< See wordsInFlight().
  std::vector<Variant> Variants;
  std::vector<LaunchRow> Launches; ///< Where Why is ChosenAtLaunch.
  bool FromProfile = false;        ///< A profile was followed.
  bool FromCache = false;          ///< An earlier compilation has settled it.
  bool FusesOtherwise = false;     ///< See isMarkedFusedOtherwise().
  bool EndedEarly = false;         ///< As in Settled.
  std::string Hash; ///< See KernelHasher; empty: nobody asked for it.
  std::optional<Prediction> Predicted; ///< Where variants were compared.
  /// Where the kernel's launch bounds are expected to cost much.
  std::optional<UnboundedBuild> Unbounded;
};

/// The variant of List that is to be built; null where there is none.
const Variant *chosenVariant(llvm::ArrayRef<Variant> List);

/// The variant of List that is the stock build; null where it was not tried.
const Variant *stockVariant(llvm::ArrayRef<Variant> List);

/// What predictions are compared with: the first variant of O that has one,
/// which is the stock build or, where a cap is stated, the cap alone. Null
/// where there is no prediction.
const Variant *predictedBase(const Outcome &O);

/// The share of the predicted time of predictedBase() that V saves. V must be
/// one of O's variants and have a prediction.
double expectedGain(const Outcome &O, const Variant &V);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_OUTCOME_H
