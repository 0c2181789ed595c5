//===- LaunchBuilds.cpp - builds beside a kernel --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchBuilds.h"

#include "KernelIsolation.h"
#include "StockStudy.h"
#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/LaunchRows.h"
#include "regdem/Decision/Choice/LaunchOffers.h"
#include "regdem/Decision/Choice/Search.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Target/SMLimits.h"
#include "regdem/Toolchain/Invocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include <map>
#include <utility>

using namespace llvm;

namespace regdem {

namespace {

/// A kernel and its copies for launches, one a size; none where registers limit
/// no launch.
struct Job {
  Candidate *Kernel;
  Rewrite OfMemory = Rewrite::None; ///< As in Question.
  std::vector<Candidate> Sizes;
  std::optional<Build> Stock; ///< The kernel itself, once it is built.
  bool EndedEarly = false;    ///< Builds were left out for what they cost.
  uint64_t Work = 0;          ///< As in Outcome, of all of its searches.
  /// What the kernel itself is built as, where that is not stock.
  std::optional<Outcome> InPlace;

  explicit Job(Candidate &C) : Kernel(&C) {}
};

/// A copy of Kernel for blocks of so many threads.
Function *copyFor(Function &Kernel, unsigned Threads) {
  Function *Copy = copyBehind(Kernel);
  Copy->setName(Kernel.getName() + LaunchBuildSuffix + "_for" + Twine(Threads));
  Copy->setComdat(nullptr);
  setLaunchSize(*Copy, {Threads, std::nullopt});
  return Copy;
}

/// Bytes that a launch of V adds for the slots of each thread.
unsigned slotBytes(const Build &V) { return V.MovedBytes ? 0 : V.ThreadBytes; }

/// Whether A and B, which are of J's kernel, are the same program, for launches
/// of any size: what ptxas spills to shared memory, and arrays there, are for
/// blocks of one.
bool isSameProgram(const Job &J, const Build &A, const Build &B) {
  return !A.SmemSpilling && isSameBuild(A, B) &&
         A.ThreadBytes == B.ThreadBytes && A.Regs == B.Regs &&
         A.SlotAccesses == B.SlotAccesses &&
         (A.StaticShared == B.StaticShared ||
          !mayShareArrays(A, J.Sizes.front().Facts));
}

/// What S chooses over the stock build at the launch of Size; none where that
/// is the stock build itself, cannot be launched, or does not pay.
std::optional<LaunchChoice> choiceOf(const Outcome &S, const Candidate &Size) {
  const Build *Stock = S.stock();
  const Build *Chosen = S.chosen();
  if (!Chosen || (S.choosesStock() && !Chosen->MovedBytes) || !Stock ||
      !Chosen->BlocksPerSM)
    return std::nullopt;
  // Where stock cannot be launched, what gains time comes first.
  double Gain = Stock->BlocksPerSM ? gainAtLaunch(*Chosen, *Stock)
                                   : 1.0 / Size.Facts.Threads;
  if (!(Gain > 0))
    return std::nullopt;
  return LaunchChoice{statedLaunch(Size.Facts, Size.O),
                      *Chosen,
                      *Stock,
                      Gain,
                      Size.Facts.UsesDynamicShared,
                      Size.Facts.MayWaitForBlocks};
}

/// The build of the same program as Program, of J's kernel, in S; null: there
/// is none.
const Build *sameProgramIn(const Job &J, const Outcome &S,
                           const Build &Program) {
  auto Found = find_if(
      S.Builds, [&](const Build &V) { return isSameProgram(J, V, Program); });
  return Found == S.Builds.end() ? nullptr : &*Found;
}

/// Program at the launches for which S chooses Best, if it is expected to be
/// faster than stock there as well, and no slower whatever memory does: those
/// have been predicted alone on an SM, too.
std::optional<LaunchChoice> insteadOf(const LaunchChoice &Best, const Job &J,
                                      const Build &Program, const Outcome &S) {
  const Build *V = sameProgramIn(J, S, Program);
  if (!V || !V->BlocksPerSM || !V->LoneCycles || !paysAtLaunch(*V, Best.Stock))
    return std::nullopt;
  LaunchChoice Instead = Best;
  Instead.Chosen = *V;
  Instead.Gain = std::min(Best.Gain, S.expectedGain(*V));
  Instead.IsBest = false;
  return Instead;
}

/// A build that J's kernel may have beside it.
struct Offer {
  const Job *J;
  const Candidate *From; ///< One of its sizes, whose copy is built so.
  Build Program;
  /// What launches of J's sizes take if they take it, in their order.
  std::vector<std::optional<LaunchChoice>> BySize;
};

/// Has Offers, which are J's, be compared with what its kernel is built as in
/// place: they have to be faster than that. All is settled for J's sizes. Where
/// a size has arrays in shared memory, what is built in place is not among
/// them.
void compareWithInPlace(const Job &J, ArrayRef<Settled> All,
                        MutableArrayRef<Offer> Offers) {
  if (!J.InPlace)
    return;
  const SMLimits &Limits = *lookupSMLimits(J.Kernel->Facts.Arch);
  for (Offer &O : Offers)
    for (auto [C, OfSize] : zip_equal(O.BySize, All)) {
      if (!C)
        continue;
      const Build &InPlace = *J.InPlace->chosen();
      const Build *Same = sameProgramIn(J, *OfSize.Result, InPlace);
      Build Own =
          Same ? *Same
               : asPredictedElsewhere(*C, InPlace, *J.InPlace->stock(), Limits);
      C->Gain = Own.LoneCycles ? gainAtLaunch(C->Chosen, Own) : 0;
      if (C->Gain > 0)
        C->Stock = Own;
      else
        C.reset();
    }
}

/// Adds the builds that are chosen at J's sizes, for which All is settled, to
/// Offers, and removes the copies of which none is made. Returns the bytes of
/// the kernel's own code.
uint64_t addOffers(Job &J, ArrayRef<Settled> All, std::vector<Offer> &Offers) {
  const size_t First = Offers.size();
  uint64_t OwnBytes = 0;
  std::vector<std::optional<LaunchChoice>> Best;
  for (auto [Size, OfSize] : zip_equal(J.Sizes, All)) {
    const std::optional<Outcome> &S = OfSize.Result;
    std::optional<LaunchChoice> &C = Best.emplace_back();
    if (S && S->stock()) {
      OwnBytes = S->stock()->CodeBytes;
      J.Stock = *S->stock();
    }
    if (S) {
      C = choiceOf(*S, Size);
      J.EndedEarly |= S->EndedEarly;
      J.Work += S->Work;
    }
    bool IsNew = C && none_of(drop_begin(Offers, First), [&](const Offer &O) {
                   return isSameProgram(J, O.Program, C->Chosen);
                 });
    if (IsNew)
      Offers.push_back({&J, &Size, C->Chosen, {}});
    else
      Size.Kernel->eraseFromParent();
  }
  for (Offer &O : drop_begin(Offers, First))
    for (size_t I = 0; I != J.Sizes.size(); ++I) {
      std::optional<LaunchChoice> &C = O.BySize.emplace_back();
      if (&J.Sizes[I] == O.From ||
          (Best[I] && isSameProgram(J, Best[I]->Chosen, O.Program)))
        C = Best[I];
      else if (Best[I])
        C = insteadOf(*Best[I], J, O.Program, *All[I].Result);
    }
  compareWithInPlace(J, All, MutableArrayRef(Offers).drop_front(First));
  return OwnBytes;
}

/// Those of Offers that are kept in Room bytes of machine code.
KeptOffers keepOffers(ArrayRef<Offer> Offers, uint64_t Room) {
  std::vector<LaunchOffer> Weighed;
  for (const Offer &O : Offers) {
    // Jobs stand in a row.
    auto Kernel = static_cast<size_t>(O.J - Offers.front().J);
    Weighed.push_back({Kernel, O.Program.CodeBytes, {}});
    for (const std::optional<LaunchChoice> &C : O.BySize)
      Weighed.back().Gains.push_back(C ? C->Gain : 0);
  }
  return keepWorthMost(Weighed, Room);
}

/// The rows of J's kernel, whose builds are Builds in the order of their
/// numbers: launches of each size take what is chosen for them, or else what
/// gains most.
std::vector<LaunchRow> rowsOf(const Job &J, ArrayRef<const Offer *> Builds) {
  const SMLimits &Limits = *lookupSMLimits(J.Kernel->Facts.Arch);
  struct Taken {
    const LaunchChoice *By;
    unsigned Build;
  };
  auto Rank = [](const LaunchChoice &C) {
    return std::make_pair(C.IsBest, C.Gain);
  };
  std::map<unsigned, std::optional<Taken>> BySize;
  for (auto [I, Size] : enumerate(J.Sizes)) {
    std::optional<Taken> &OfSize = BySize[Size.Facts.Threads];
    for (auto [N, O] : enumerate(Builds))
      if (const auto &C = O->BySize[I];
          C && (!OfSize || Rank(*C) > Rank(*OfSize->By)))
        OfSize = {&*C, static_cast<unsigned>(N) + 1};
  }
  std::vector<LaunchRow> Rows;
  std::optional<Taken> Last; // By the next smaller size.
  for (const auto &[Threads, Now] : BySize) {
    size_t First = Rows.size();
    if (Last && Now && Last->Build == Now->Build)
      append_range(Rows, rowsBetween(*Last->By, *Now->By, Limits));
    if (Now)
      append_range(Rows, rowsFor(*Now->By, Limits));
    for (; First != Rows.size(); ++First)
      Rows[First].Build = Now->Build;
    Last = Now;
  }
  return Rows;
}

/// Writes on J's kernel what it is built as, with its rows beside it, and names
/// the copies of it that are its Builds. All of that goes to Record.
void settleKernel(const Job &J, ArrayRef<const Offer *> Builds,
                  unsigned NumLeftOut, ProgramRecord &Record) {
  const Candidate &C = *J.Kernel;
  std::vector<LaunchRow> Rows = rowsOf(J, Builds);
  Outcome S = J.InPlace.value_or(freelyStock(
      J.Sizes.empty() ? Reason::NotRegisterLimited : Reason::ChosenAtLaunch));
  S.Launches = Rows;
  for (const Candidate &Size : J.Sizes)
    S.LaunchSizes.push_back(Size.Facts.Threads);
  llvm::sort(S.LaunchSizes);
  S.BuildsLeftOut = NumLeftOut;
  S.EndedEarly |= J.EndedEarly;
  S.Work = J.Work;
  if (J.Stock && !J.InPlace) {
    S.Builds = {residentAt(statedLaunch(C.Facts, C.O), *J.Stock,
                           *lookupSMLimits(C.Facts.Arch))};
    S.Chosen = 0;
    if (C.MovesFrames && Builds.empty())
      S.Staying = {J.Stock->FrameBytes, "the threads of a block are not known: "
                                        "add __launch_bounds__"};
  }
  if (!J.InPlace)
    forgetRoundings(*C.Kernel);
  writeSettled(*C.Kernel, S);
  if (!Rows.empty()) {
    Record.Kernels.push_back(recordOf(C, J.InPlace ? *S.chosen() : Build()));
    Record.Kernels.back().Rows = std::move(Rows);
  }
  for (auto [I, O] : enumerate(Builds)) {
    Function &Copy = *O->From->Kernel;
    std::string Name =
        launchBuildName(C.Facts.Name, static_cast<unsigned>(I) + 1, Record.Tag);
    Copy.setName(Name);
    Copy.setLinkage(GlobalValue::ExternalLinkage);
    setLaunchSize(Copy, {launchSize(Copy)->Threads, slotBytes(O->Program)});
    Record.Kernels.push_back(recordOf(*O->From, O->Program));
    Record.Kernels.back().Kernel = Name;
  }
}

} // namespace

/// Whether C's kernel has arrays of which a block of as many threads as its
/// launch bounds allow has more than static shared memory is sure to hold.
/// Bounds may be loose: launches with fewer threads then take less at the end
/// of dynamic shared memory.
static bool hasLargeArrays(const Candidate &C) {
  return C.Facts.ThreadsFrom == BlockSizeSource::MaxNTID && C.MovesFrames &&
         C.Facts.LocalBytes * C.Facts.Threads >
             lookupSMLimits(C.Facts.Arch)->StaticSharedBytesPerBlock;
}

/// Whether C's kernel may have builds for launches: nobody states its block
/// size, or no more than a bound for which its arrays are large, or a cap, all
/// that it calls is known and its own, it has no annotations, and does not ask
/// how much shared memory a launch has.
static bool mayHaveLaunchBuilds(const Candidate &C) {
  return !C.Goal && !C.Fixed && C.O.RunMode == Mode::Auto && !C.O.IsAnnotated &&
         (!C.Facts.knowsLaunch() || hasLargeArrays(C)) &&
         !C.Facts.ReadsDynamicSize && !C.Facts.ReadsTotalSize &&
         C.Facts.ownsCallees() && !C.Facts.IsCooperative &&
         !C.Facts.MinBlocks && !C.Facts.MaxRegs;
}

/// Why a kernel's launches must not choose among builds, though they might gain
/// by that; none: they may. Tag: ProgramRecord::Tag.
static std::optional<Missed> whyNotForLaunches(const KernelFacts &Facts,
                                               StringRef Tag) {
  bool IsLinked = runIsRelocatable();
  // Launches that take the kernel may run another file's, with that file's
  // variables; the builds are this file's, unless another has some of the name.
  if (Facts.MayShareStub &&
      (Facts.UsesOwnVariables || (IsLinked && Tag.empty())))
    return Missed::SharedStub;
  // Functions that are linked have registers of their own.
  if (Facts.HasCalls && IsLinked)
    return Missed::LinkedCallees;
  return std::nullopt;
}

/// Copies J's kernel for the sizes of blocks that it is decided for.
static void addSizes(Job &J, const TargetMachine &TM,
                     const Options &CommandLine) {
  Function &Kernel = *J.Kernel->Kernel;
  for (unsigned Threads : launchSizes(J.Kernel->Facts, /*AsShown=*/true)) {
    Function *Copy = copyFor(Kernel, Threads);
    Options O = cantFail(optionsFor(*Copy, CommandLine));
    std::optional<Candidate> OfSize = candidate(*Copy, O, TM);
    if (OfSize && !OfSize->Fixed) {
      OfSize->Hash = J.Kernel->Hash;
      J.Sizes.push_back(std::move(*OfSize));
    } else
      Copy->eraseFromParent();
  }
  unsigned &Limit = J.Kernel->Limit;
  // The kernel in place has the other half, as long as that is of use.
  if (any(J.OfMemory))
    Limit = std::max(Limit / 2, std::min(Limit, BuildsOfRewrites));
  auto Paid = std::make_shared<PaidBuilds>(Limit);
  for (Candidate &Size : J.Sizes) {
    Size.Limit = Limit;
    Size.Paid = Paid;
    Size.PaysLast = &Size == &J.Sizes.back();
  }
}

/// Settles what kernels of Jobs themselves are built as, where they may access
/// memory less at no cost to any launch.
static void settleInPlace(MutableArrayRef<Job> Jobs, Module &M,
                          const TargetMachine &TM, const Tools &T,
                          const Options &CommandLine) {
  std::vector<Job *> Rewritten;
  std::vector<Candidate> Kernels;
  for (Job &J : Jobs)
    if (any(J.OfMemory)) {
      Rewritten.push_back(&J);
      Kernels.push_back(*J.Kernel);
      Kernels.back().IsForAnyLaunch = true;
      Kernels.back().MovesFrames = false; // For blocks of one size only.
    }
  std::vector<Settled> All =
      settleAll(to_vector(make_pointer_range(Kernels)), M, TM, T, CommandLine);
  for (auto [J, OfKernel] : zip_equal(Rewritten, All)) {
    std::optional<Outcome> &S = OfKernel.Result;
    if (!S)
      continue;
    J->Work += S->Work;
    if (S->choosesStock())
      continue;
    for (Candidate &Size : J->Sizes)
      Size.InPlace = S->recipe();
    J->InPlace = std::move(S);
  }
}

std::vector<Candidate> addLaunchBuilds(std::vector<Candidate> Kernels,
                                       Module &M, const TargetMachine &TM,
                                       Tools &T, const Options &CommandLine,
                                       ProgramRecord &Record) {
  FileBudget Budget =
      budgetFor(to_vector(make_pointer_range(Kernels)), M, CommandLine);
  std::vector<Candidate> Others, Unstudied;
  std::vector<StudiedKernel> Open;
  for (Candidate &C : Kernels) {
    if (choosesAtLaunch(CommandLine) && mayHaveLaunchBuilds(C))
      Open.push_back({&C, {}});
    else
      Others.push_back(std::move(C));
  }
  studyStock(Open, Budget, M, TM, T);
  std::vector<Job> Jobs;
  std::vector<std::pair<Job, StockStudy>> Limited;
  for (StudiedKernel &K : Open) {
    Candidate &C = *K.C;
    if (!K.Stock) {
      C.Limit = 1;
      emitMissed(*C.Kernel, Missed::Effort);
      Unstudied.push_back(C);
    } else if (!K.IsLimited) {
      Jobs.emplace_back(C);
    } else if (auto Why = whyNotForLaunches(C.Facts, Record.Tag)) {
      emitMissed(*C.Kernel, *Why);
      Others.push_back(C);
    } else if (!K.Stock->notes()) {
      Others.push_back(C);
    } else {
      Limited.emplace_back(Job(C), std::move(*K.Stock));
    }
  }
  SmallVector<Candidate *> Searched = to_vector(make_pointer_range(Others));
  for (auto &[J, Stock] : Limited)
    Searched.push_back(J.Kernel);
  setLimits(Searched, Budget);
  append_range(Others, Unstudied);
  for (auto &[J, Study] : Limited) {
    StockStudy Stock = std::move(Study); // Its builds go with it.
    Candidate &C = *J.Kernel;
    if (auto Why = Stock.prove()) {
      emitMissed(*C.Kernel, *Why);
      Others.push_back(C);
      continue;
    }
    J.OfMemory = Stock.memoryRewrites();
    addSizes(J, TM, CommandLine);
    Jobs.push_back(std::move(J));
  }
  settleInPlace(Jobs, M, TM, T, CommandLine);
  // Searches refer to candidates, which stay where they are from now on, and
  // read M, which no longer changes.
  std::vector<Candidate *> Sizes;
  for (Job &J : Jobs)
    append_range(Sizes, make_pointer_range(J.Sizes));
  std::vector<Settled> All = settleAll(Sizes, M, TM, T, CommandLine);
  std::vector<Offer> Offers;
  uint64_t OwnBytes = 0; // Of kernels that are assembled here.
  ArrayRef<Settled> Left = All;
  for (Job &J : Jobs) {
    OwnBytes += addOffers(J, Left.take_front(J.Sizes.size()), Offers);
    Left = Left.drop_front(J.Sizes.size());
  }
  KeptOffers Kept =
      keepOffers(Offers, std::max<uint64_t>(OwnBytes, LeastOwnCodeBytes) *
                             CommandLine.LaunchCode / 100);
  for (size_t I = 0; I != Offers.size(); ++I)
    if (!is_contained(Kept.Kept, I))
      Offers[I].From->Kernel->eraseFromParent();
  for (const Job &J : Jobs) {
    auto IsOfJ = [&](size_t I) { return Offers[I].J == &J; };
    SmallVector<const Offer *, MostLaunchBuilds> Builds;
    for (size_t I : Kept.Kept)
      if (IsOfJ(I))
        Builds.push_back(&Offers[I]);
    // Bounded ones may still be built otherwise in place.
    if (Builds.empty() && !J.InPlace && J.Kernel->Facts.statesBlockSize())
      Others.push_back(*J.Kernel);
    else
      settleKernel(J, Builds, count_if(Kept.TooLarge, IsOfJ), Record);
  }
  return Others;
}

} // namespace regdem
