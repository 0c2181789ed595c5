//===- Messages.cpp - decisions in words ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/Messages.h"

#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Decision/Choice/Choose.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

std::string shownName(StringRef Symbol) {
  // Demanglers do not know the suffix of builds; C++ names have no '$'. Nor do
  // they know those that tell files apart with -fgpu-rdc.
  auto [Kernel, Build] = Symbol.split('$');
  std::string Name = demangle(Kernel.split("__intern__").first);
  return Build.empty() ? Name : Name + ("$" + Build.split('_').first).str();
}

std::string counted(unsigned Number, StringRef Noun) {
  return (Twine(Number) + " " + Noun + (Number == 1 ? "" : "s")).str();
}

/// ", loops unrolled, without slsr" and the like; empty where nothing is left
/// out.
static std::string nameRewrites(Rewrite O) {
  return any(O) ? ", " + describe(O) : "";
}

/// ", instructions in order 'near'"; empty for the source's.
static std::string nameOrder(InstOrder Order) {
  return Order == InstOrder::Source
             ? ""
             : formatv(", instructions in order '{0}'", toString(Order)).str();
}

/// ", frame of 48 bytes a thread in shared memory", ", 48 of 96 bytes of its
/// frame in shared memory", or nothing.
static std::string nameMove(const Build &V) {
  if (!V.MovedBytes)
    return "";
  if (V.FrameBytes)
    return formatv(", {0} of {1} bytes of its frame in shared memory",
                   V.MovedBytes, V.MovedBytes + V.FrameBytes);
  return formatv(", frame of {0} bytes a thread in shared memory",
                 V.MovedBytes);
}

/// What is given to ptxas, passes left out and orders aside, in a few words.
static std::string nameDirectives(const Build &V) {
  switch (V.What) {
  case Decision::Stock:
  case Decision::Rewrite:
    return "stock";
  case Decision::Cap:
    if (V.MinBlocks)
      return formatv(".minnctapersm {0}", V.MinBlocks);
    return formatv("cap {0}", V.MaxRegs);
  case Decision::Pragma:
    if (!V.MaxRegs)
      return "enable_smem_spilling";
    return formatv("cap {0} and enable_smem_spilling", V.MaxRegs);
  case Decision::Demote:
    return formatv("cap {0} and demotion to {1} words, {2}{3}", V.MaxRegs,
                   V.Target, toString(V.How),
                   V.SmemSpilling ? ", enable_smem_spilling" : "");
  }
  return "";
}

/// "cap 40, loops unrolled" and the like.
static std::string nameBuild(const Build &V) {
  return nameDirectives(V) + nameRewrites(V.Rewrites) + nameOrder(V.Order) +
         nameMove(V);
}

/// "gain 3.2 %" or "loss 1.0 %" for a share of the stock build's time.
static std::string gainOrLoss(double Share) {
  return formatv("{0} {1:F1} %", Share < 0 ? "loss" : "gain",
                 100 * (Share < 0 ? -Share : Share));
}

/// What blocks per SM leave out where nobody states it.
static StringRef nameAside(const Outcome &O) {
  return O.Facts.knowsDynamicShared() ? "" : ", dynamic shared memory aside";
}

static std::string describeRegisterLimit(const Outcome &O) {
  if (!O.Facts.knowsBlockSize() && O.Builds.empty())
    return "they leave room for all warps at any block size, by estimate";
  return formatv("{0} per SM, limited by {1}{2}{3}",
                 counted(O.Before.BlocksPerSM, "block"),
                 toString(O.Before.Limit), nameAside(O),
                 O.Builds.empty() ? ", by estimate" : ", no spill code");
}

/// The gain that a build needed.
static std::string describeMargin(const Prediction &P) {
  return formatv("margin {0:F1} %", 100 * P.Margin);
}

/// The fastest of the builds that were not chosen over stock, and why not.
static std::string describeOther(const Outcome &O, const Prediction &P) {
  const Build &Other = O.Builds[P.Best];
  return formatv("best other: {0}, expected {1}, {2}", nameBuild(Other),
                 gainOrLoss(P.Gain),
                 spillsBeyondL1(Other, O.Builds.front())
                     ? "but with more spill code than L1 holds"
                     : describeMargin(P));
}

/// What keeps a kernel from demotion, though it may be built in other ways.
static std::string missingForDemotion(const Outcome &O) {
  Obstacle Why = findSharedObstacle(O.Facts);
  StringRef Missing =
      O.MayDemote ? " to have demotion tried" : " to have shared memory tried";
  bool IsForGood =
      Why == Obstacle::ReadsTotalShared || Why == Obstacle::HostStatesShared;
  return describeObstacle(O, Why) + (IsForGood ? "" : Missing).str();
}

/// Why builds that take shared memory were not tried; empty where they were.
static std::string hintOfLaunch(const Outcome &O) {
  return findSharedObstacle(O.Facts) == Obstacle::None
             ? ""
             : "; " + missingForDemotion(O);
}

static std::string describeBlockChange(const Outcome &O) {
  unsigned Before = O.Before.BlocksPerSM, After = O.After.BlocksPerSM;
  if (Before == After)
    return formatv("still {0} per SM", counted(After, "block"));
  return formatv("{0} instead of {1} per SM", After, counted(Before, "block"));
}

/// "7", "7 to 12".
static std::string range(const std::string &Low, const std::string &High) {
  return Low == High ? Low : Low + " to " + High;
}

/// Rows of O, which are for one build and leave no block size out.
static std::string describeRows(const Outcome &O, ArrayRef<LaunchRow> Rows) {
  const LaunchRow &First = Rows.front();
  std::string Threads =
      range(utostr(First.FromThreads), utostr(Rows.back().Threads));
  if (First.OnlyBuild)
    return formatv("blocks of {0} threads, with which this one cannot be "
                   "launched, take build {1}",
                   Threads, First.Build);
  bool OnFull = all_of(Rows, [](const LaunchRow &R) {
    return uint64_t(R.Own.Full) * R.Stock.Blocks <
           uint64_t(R.Stock.Full) * R.Own.Blocks;
  });
  SmallVector<double> Gains;
  for (const LaunchRow &R : Rows)
    Gains.push_back(100 * R.Gain);
  return formatv("blocks of {0} threads take build {1} in grids that gain by "
                 "it ({2} {3} %{4})",
                 Threads, First.Build, OnFull ? "on full SMs" : "at best",
                 range(formatv("{0:F1}", *min_element(Gains)),
                       formatv("{0:F1}", *max_element(Gains))),
                 O.choosesStock() ? "" : " over this one");
}

/// Whether no block size lies between those of A and B, or both are for the
/// same and different amounts of shared memory.
static bool isNextTo(const LaunchRow &A, const LaunchRow &B) {
  return B.FromThreads == A.Threads + 1 || B.Threads == A.Threads;
}

/// One clause: which launches of O's kernel take builds of their own.
static std::string describeLaunches(const Outcome &O) {
  std::string LeftOut;
  if (O.BuildsLeftOut)
    LeftOut = counted(O.BuildsLeftOut, "build") +
              " left out for the size of the file's machine code (see " +
              optionFlag("launch-code") + ")";
  if (O.Launches.empty())
    return O.BuildsLeftOut
               ? LeftOut
               : formatv("no build {0} is expected to gain with blocks of "
                         "{1:$[, ]} threads",
                         O.EndedEarly ? "that was tried" : "of it",
                         make_range(O.LaunchSizes.begin(), O.LaunchSizes.end()))
                     .str();
  std::string Text = "the host code chooses at launch: ";
  ArrayRef<LaunchRow> Left = O.Launches;
  while (!Left.empty()) {
    size_t Count = 1;
    while (Count != Left.size() && Left[Count].Build == Left.front().Build &&
           Left[Count].OnlyBuild == Left.front().OnlyBuild &&
           isNextTo(Left[Count - 1], Left[Count]))
      ++Count;
    if (Left.size() != O.Launches.size())
      Text += ", ";
    Text += describeRows(O, Left.take_front(Count));
    Left = Left.drop_front(Count);
  }
  Text += "; all others take this one";
  return O.BuildsLeftOut ? Text + "; " + LeftOut : Text;
}

/// The first other build than stock's, where ptxas refuses all of them.
static const Build *onlyRefused(const Outcome &O) {
  bool AllAre = O.Builds.size() > 1 &&
                all_of(drop_begin(O.Builds),
                       [](const Build &V) { return V.isRefused(); });
  return AllAre ? &O.Builds[1] : nullptr;
}

/// Why a kernel for which nobody states a cap is built as it is.
static std::string describeFreeReason(const Outcome &O) {
  Prediction P = O.Predicted.value_or(Prediction());
  const Build *Stock = O.Facts.launchesAddShared() ? O.stock() : nullptr;
  bool IsAlone = Stock && O.chosen() && O.chosen()->Cycles > Stock->Cycles;
  switch (O.Why) {
  case Reason::NoAssembler:
    return "builds of it were not compared: there is no ptxas (" +
           optionFlag("ptxas") + ")";
  case Reason::WorkSpent:
    return "builds of it were not compared: they would cost more than the "
           "file's code allows, or its other kernels left (" +
           effortFlag() + ")";
  case Reason::NotRegisterLimited:
    return "registers do not limit it: " + describeRegisterLimit(O);
  case Reason::DoesNotFit:
    return formatv("not one block of {0} threads fits an SM with its "
                   "registers and shared memory: launch smaller blocks",
                   O.Facts.Threads);
  case Reason::FitsCapped:
    return formatv("without a cap it cannot be launched with blocks of {0} "
                   "threads, as it takes {1} registers",
                   O.Facts.Threads, O.stock()->Regs);
  case Reason::CalleesNeedMore:
    return "ptxas refuses a cap because of the functions that it calls: have "
           "them inlined to have more tried";
  case Reason::WarpsDoNotPay:
    return formatv("more warps would not help: registers limit it to {0} "
                   "per SM, but with more of them, and at no cost, "
                   "its code is predicted to gain {1:F1} % at most (margin "
                   "{2:F1} %){3}",
                   counted(O.Before.BlocksPerSM, "block"), 100 * P.Gain,
                   100 * P.Margin, hintOfLaunch(O));
  case Reason::StockFastest:
    if (P.Best && P.Best < O.Builds.size())
      return "fastest as it is by prediction (" + describeOther(O, P) + ")" +
             hintOfLaunch(O);
    if (const Build *Refused = onlyRefused(O))
      return "no other build passes ptxas, which " + Refused->Refusal;
    if (O.EndedEarly)
      return "no other build that was tried is known to be faster";
    return O.Facts.knowsLaunch()
               ? "no other build of it fits an SM"
               : "each other build is expected to be slower at some launch" +
                     hintOfLaunch(O);
  case Reason::PredictedFaster:
    if (!O.Facts.knowsLaunch())
      return formatv("expected {0} over the stock build with blocks of {1} "
                     "threads ({2}), and no loss at any launch{3}",
                     gainOrLoss(P.Gain), O.Facts.Threads, describeMargin(P),
                     O.hasLaunchBuilds() ? "; " + describeLaunches(O)
                                         : hintOfLaunch(O));
    return formatv("expected {0} over the stock build{1} ({2}), {3}{4}",
                   gainOrLoss(P.Gain),
                   IsAlone ? " with one block on an SM" : "", describeMargin(P),
                   describeBlockChange(O),
                   O.hasLaunchBuilds() ? "; " + describeLaunches(O) : "");
  case Reason::ChosenAtLaunch:
    return describeLaunches(O);
  default:
    return "";
  }
}

/// Why no demotion was taken where the kernel spills under its cap.
static std::string describeSpilling(const Outcome &O) {
  const Build *Built = O.chosen();
  if (O.Facts.HasCalls && O.PressureBefore <= O.MaxRegs && Built &&
      Built->Regs < O.MaxRegs)
    return formatv("it keeps to {0} registers without demotion; its {1} bytes "
                   "of spill code are what functions that it calls save",
                   O.MaxRegs, Built->spillBytes());
  return O.MayDemote ? "no demotion tried is expected to pay for its slots"
                     : "no other build tried is expected to be faster";
}

std::string describeReason(const Outcome &O) {
  switch (O.Why) {
  case Reason::Declined:
    return (O.What == Decision::Cap ? "nothing else was tried, as " : "") +
           describeObstacle(O, O.Because);
  case Reason::NoCap:
    return "no register cap is stated: state " + optionFlag("max-regs") +
           " or __launch_bounds__(threads, blocks)";
  case Reason::Fits:
    return formatv("it keeps to {0} registers without demotion", O.MaxRegs);
  case Reason::FitsRewritten:
    return formatv("built so, it keeps to {0} registers without demotion",
                   O.MaxRegs);
  case Reason::NoSharedMemory:
    return findSharedObstacle(O.Facts) == Obstacle::None
               ? "no shared memory is left for a slot: let the kernel "
                 "use less of it"
               : missingForDemotion(O);
  case Reason::NothingToDemote:
    return "no value can leave its register: state a higher cap";
  case Reason::NoBetter:
    return describeSpilling(O);
  case Reason::ToolFailed:
    return "no build of it could be compared, as a warning or another remark "
           "says";
  case Reason::SmemSpilling:
  case Reason::MovesFrame:
    if (!O.MayDemote)
      return formatv("expected to be the fastest under {0} registers",
                     O.MaxRegs);
    if (O.Why == Reason::MovesFrame)
      return "no demotion tried is expected to gain enough over that";
    return formatv("no demotion tried under {0} registers is expected to gain "
                   "enough over ptxas's own spilling to shared memory",
                   O.MaxRegs);
  case Reason::BelowCap:
    return formatv("the excess over {0} registers fits into shared memory",
                   O.MaxRegs);
  case Reason::AboveCap:
    return formatv("part of the excess over {0} registers fits into shared "
                   "memory; ptxas spills the rest{1}",
                   O.MaxRegs, O.SmemSpilling ? ", to shared memory first" : "");
  case Reason::Profiled:
    return "the profile names this build";
  case Reason::Stated:
    return O.isStock() ? "what " + optionFlag("build") +
                             " states changes nothing, or is not safe"
                       : optionFlag("build") + " states this build";
  case Reason::TurnedOff:
    return optionFlag("mode") + "=off, or an annotation, leaves it out";
  default:
    return describeFreeReason(O);
  }
}

/// The code that a demotion inserts.
static std::string describeMoves(const Outcome &O) {
  if (!O.Recomputations)
    return formatv("{0} stores and {1} reloads", O.Stores, O.Reloads);
  return formatv("{0} stores, {1} reloads and {2} recomputations", O.Stores,
                 O.Reloads, O.Recomputations);
}

/// What was done to the kernel, in the order of Decision.
static std::string describeDeed(const Outcome &O) {
  const Build *Chosen = O.chosen();
  switch (O.What) {
  case Decision::Stock:
    if (!O.Launches.empty())
      return "has other builds beside it";
    return Chosen && Chosen->MovedBytes ? "built as without RegDem"
                                        : "left as it is";
  case Decision::Rewrite:
    return "built";
  case Decision::Cap:
    if (O.MinBlocks)
      return formatv("built with .minnctapersm {0}", O.MinBlocks);
    return formatv("held to {0} registers", O.MaxRegs);
  case Decision::Pragma:
    if (!O.MaxRegs)
      return "built with enable_smem_spilling";
    return formatv("held to {0} registers with enable_smem_spilling",
                   O.MaxRegs);
  case Decision::Demote:
    return formatv("held to {0} registers with {1} words a thread ({2} bytes a "
                   "block) in shared memory, {3}",
                   O.MaxRegs, O.Slots, O.SlotBytes, describeMoves(O));
  }
  return "";
}

/// That more would have been tried.
static std::string describeEnd(const Outcome &O) {
  return O.EndedEarly
             ? "; more builds would have been tried: see " + effortFlag()
             : "";
}

/// nameMove(), and what becomes of the blocks where the reason does not say so.
static std::string describeMove(const Outcome &O, const Build &V) {
  std::string Text = nameMove(V);
  bool IsSaid = O.Why == Reason::PredictedFaster && O.Facts.knowsLaunch();
  return Text.empty() || IsSaid ? Text
                                : Text + " (" + describeBlockChange(O) + ")";
}

std::string describeDecision(const Outcome &O) {
  const Build *Chosen = O.chosen();
  return formatv("'{0}' {1}{2}{3}{4}{5}: {6}{7}{8}", shownName(O.Facts.Name),
                 describeDeed(O), nameRewrites(O.Rewrites),
                 O.FusesOtherwise ? ", other products fused" : "",
                 nameOrder(O.Order), Chosen ? describeMove(O, *Chosen) : "",
                 describeReason(O), describeEnd(O),
                 O.FromCache ? ", cached" : "");
}

std::string describeBuild(const Outcome &O, const Build &V) {
  std::string Text = formatv(
      "'{0}' as {1}: {2} registers, {3} bytes of spill code, {4} bytes of "
      "shared memory a block, {5} per SM",
      shownName(O.Facts.Name), nameBuild(V), V.Regs, V.spillBytes(),
      V.StaticShared, counted(V.BlocksPerSM, "block"));
  const Build *Base = O.predictedBase();
  if (V.Cycles > 0 && &V != Base)
    Text += ", expected " + gainOrLoss(O.expectedGain(V)) + " over " +
            nameBuild(*Base);
  if (&V == O.chosen())
    Text += ", chosen";
  return Text;
}

/// "4 (limited by registers)".
static std::string describeOccupancy(const Occupancy &O) {
  if (O.Limit == Limiter::Unknown)
    return "unknown";
  if (O.Limit == Limiter::TooLarge)
    return "0 (not one fits)";
  return formatv("{0} (limited by {1})", O.BlocksPerSM, toString(O.Limit));
}

std::string describeFigures(const Outcome &O) {
  return formatv("'{0}': {1} threads a block ({2}), pressure {3} -> {4} words, "
                 "blocks per SM {5} -> {6}{7}",
                 shownName(O.Facts.Name), O.Facts.Threads,
                 toString(O.Facts.ThreadsFrom), O.PressureBefore,
                 O.PressureAfter, describeOccupancy(O.Before),
                 describeOccupancy(O.After), nameAside(O));
}

std::string describeUnbounded(const Outcome &O) {
  return formatv(
      "'{0}': its launch bounds ask for {1} per SM, which is expected to cost "
      "more than it brings: with a minimum of 1 block ptxas takes {2} "
      "registers, an SM holds {3}, and the kernel is expected to take {4:F0} % "
      "less time; measure it",
      shownName(O.Facts.Name), counted(O.Facts.MinBlocks, "block"),
      O.Unbounded->Regs, counted(O.Unbounded->BlocksPerSM, "block"),
      100 * O.Unbounded->Gain);
}

} // namespace regdem
