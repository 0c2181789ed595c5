//===- Search.cpp - the one search for the fastest build ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Search.h"

#include "BuildPool.h"
#include "Step.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Builds/LaunchRows.h"
#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

/// Registers that ptxas is expected to take at most for a pressure of Words,
/// as isSurelyNotLimited() says.
static unsigned mostRegs(unsigned Words) { return std::max(2 * Words, 16u); }

/// Whether a frame moves only if it does so in the build that is settled: in
/// another one it moves later, if that pays.
static bool settlesFrames(const Question &Q) {
  return Q.MovesFrames && Q.Facts.launchesAddShared();
}

Occupancy Question::occupancyOf(const Build &V) const {
  return occupancyAt(statedLaunch(Facts, O), V.Regs, V.StaticShared, Limits);
}

bool isSurelyNotLimited(const Question &Q) {
  unsigned Regs = mostRegs(Q.Pressure);
  if (any(Q.OfMemory) || Q.Facts.HasCalls ||
      (settlesFrames(Q) && Q.Facts.LocalBytes) ||
      Regs > Q.Limits.MaxRegsPerThread)
    return false;
  Occupancy O = occupancyAt(statedLaunch(Q.Facts, Q.O), Regs,
                            Q.Facts.StaticShared, Q.Limits);
  return O.BlocksPerSM && O.Limit != Limiter::Registers;
}

bool isNeverLimited(const KernelFacts &Facts, unsigned Pressure,
                    const SMLimits &Limits) {
  unsigned Threads = Limits.MaxWarpsPerSM * Limits.WarpSize;
  return !Facts.HasCalls &&
         mostRegs(Pressure) <= Limits.RegistersPerSM / Threads;
}

namespace {

class Search {
public:
  Search(const Question &Q, BuildSource &From)
      : Q(Q), From(From), Pool(Q, From) {}

  std::optional<Outcome> run() { return Q.Cap ? runUnderCap() : runFreely(); }

private:
  const Question &Q;
  BuildSource &From;
  BuildPool Pool;
  const Rewrite Cheaper = Q.OfMemory & CheaperRewrites; ///< Goes with all.

  // Under a stated cap.
  std::optional<Outcome> runUnderCap();
  bool makeBase(Step &S);
  void replaceRefusedBase();

  // Without one.
  std::optional<Outcome> runFreely();
  std::optional<Reason> reasonForStock() const;
  std::optional<Outcome> settleFitting();
  bool mayLift(bool IsLimited) const;
  std::vector<Rewrite> memoryRewritesToTry() const;
  std::vector<Rewrite> rewritesToTry(bool IsLimited) const;
  bool makeUncapped(ArrayRef<Rewrite> Rewrites, bool IsLimited);
  std::vector<size_t> unlikeStock(size_t Begin) const;
  bool compareOwnSpilling();
  std::vector<Step> stepsToTry(BuildPool::StepBounds &Best);
  BuildPool::StepBounds boundsOf(ArrayRef<Step> Steps) const;
  bool tryQuickly(MutableArrayRef<Step> Steps);
  bool trySteps(std::vector<Step> Steps);
  Outcome settleFastest(std::optional<Reason> Why = std::nullopt);
  Outcome settle(size_t Chosen, Reason Why, std::optional<Prediction> P);
};

/// Makes stock and, where it does not bring the cap with it, the cap alone,
/// which is what others are compared with. Stock stands for a cap that it keeps
/// by itself where ptxas, told of it, takes more registers and breaks a
/// promise.
bool Search::makeBase(Step &S) {
  if ((Q.Cap->CapIsNew && !Pool.add(BuildRecipe())) ||
      !Pool.add(S.capped(Rewrite::None)))
    return false;
  if (const Build &Alone = Pool[Pool.size() - 1];
      Pool.stock().Regs > Q.Cap->MaxRegs || Alone.isRefused() ||
      Pool.keeps(Alone))
    Pool.setBase(Pool.size() - 1);
  return true;
}

/// Where ptxas refuses the cap alone, the build with the best figures stands
/// for it; a callee may need more registers than the cap leaves it.
void Search::replaceRefusedBase() {
  std::optional<size_t> Best;
  for (size_t I = Q.Cap->CapIsNew ? 1 : 0; I != Pool.size(); ++I)
    if (!Pool[I].isRefused() && Pool[I].BlocksPerSM &&
        (!Best || hasBetterFigures(Pool[I], Pool[*Best])))
      Best = I;
  if (Best)
    Pool.setBase(*Best);
}

std::optional<Outcome> Search::runUnderCap() {
  Step S(Q, Pool, From, *Q.Cap);
  if (!makeBase(S))
    return std::nullopt;
  if (Pool.base().BlocksPerSM) {
    // What they cost shows in no figure.
    std::vector<BuildRecipe> Wanted;
    for (Rewrite R : From.worthwhile(Rewrite::WideProducts))
      Wanted.push_back(S.capped(R));
    for (Rewrite R : memoryRewritesToTry())
      Wanted.push_back(S.capped(R));
    size_t First = Pool.size();
    if (!Pool.add(Wanted))
      return std::nullopt;
    if (First != Pool.size()) {
      if (!Pool.compare(to_vector(seq(First, Pool.size()))))
        return settledOn(Pool.take(), Pool.baseIndex());
      Pool.chooseBasis();
    }
  }
  S.startFrom(Pool.basisIndex());
  // Few builds may be left for more than one plan.
  if (!Step::tryMoves(S, ArrayRef(Step::Quick).drop_front()) ||
      !Step::tryMoves(S, Step::Thorough))
    return std::nullopt;
  if (Pool.base().isRefused())
    replaceRefusedBase();
  if (Pool.base().isRefused())
    return std::nullopt;
  bool IsSettled = !Pool.base().BlocksPerSM ||
                   (Pool.size() == Pool.baseIndex() + 1 &&
                    !(Q.MovesFrames && Pool.base().FrameBytes)) ||
                   !Pool.compare(S.finalists());
  size_t Chosen = IsSettled ? Pool.baseIndex() : Pool.fastest();
  return settledOn(Pool.take(), Chosen);
}

std::optional<Outcome> Search::runFreely() {
  if (!Pool.add(BuildRecipe()))
    return std::nullopt;
  std::optional<Reason> Why = reasonForStock();
  if (Why == Reason::DoesNotFit)
    return settleFitting();
  std::vector<Rewrite> Rewrites = rewritesToTry(/*IsLimited=*/!Why);
  bool MayMove = settlesFrames(Q) && Pool.stock().FrameBytes;
  if (Why && Rewrites.empty() && !MayMove && !mayLift(/*IsLimited=*/false))
    return settle(0, *Why, std::nullopt);
  // Of few builds, half are for the occupancy of a kernel that registers limit,
  // but what takes memory's accesses away comes before that.
  ArrayRef<Rewrite> First = Rewrites;
  if (!Why) {
    size_t BuildsOfEach = mayLift(/*IsLimited=*/true) ? 2 : 1;
    size_t Half = From.left() / 2 / BuildsOfEach;
    First = First.take_front(std::min(First.size(), std::max<size_t>(Half, 1)));
  }
  if (!makeUncapped(First, /*IsLimited=*/!Why))
    return std::nullopt;
  std::vector<size_t> Uncapped = unlikeStock(1);
  if (Why && !MayMove && Uncapped.empty())
    return settle(0, *Why, std::nullopt);
  if (!Pool.compare(Uncapped))
    return std::nullopt;
  if (Why)
    return settleFastest(Why);
  Pool.chooseBasis();
  BuildPool::StepBounds Best{0, Tuned.Margin};
  std::vector<Step> Steps = stepsToTry(Best);
  if (Steps.empty() && Uncapped.empty())
    return settle(0, Reason::WarpsDoNotPay,
                  Prediction{Best.Most, Best.Least, 0});
  // Of a kernel that a pass gives its pressure the pass is to blame.
  if (!Steps.empty() && Rewrites.empty() && Q.MaySpillToShared) {
    if (!compareOwnSpilling())
      return std::nullopt;
    Steps = stepsToTry(Best); // What is to be gained besides.
  }
  if (!trySteps(std::move(Steps)))
    return std::nullopt;
  ArrayRef<Rewrite> Rest = ArrayRef(Rewrites).drop_front(First.size());
  size_t Built = Pool.size();
  if (!Rest.empty() && !(makeUncapped(Rest, /*IsLimited=*/true) &&
                         Pool.compare(unlikeStock(Built))))
    return std::nullopt;
  return settleFastest();
}

/// The builds from Begin on that may differ from stock in their time.
std::vector<size_t> Search::unlikeStock(size_t Begin) const {
  std::vector<size_t> Result;
  for (size_t I = Begin; I != Pool.size(); ++I)
    if (!haveSameFigures(Pool[I], Pool.stock()) || any(Pool[I].Rewrites) ||
        Pool[I].MaxRegs)
      Result.push_back(I);
  return Result;
}

/// Why the stock build is right, where that shows without another build.
std::optional<Reason> Search::reasonForStock() const {
  Occupancy O = Q.occupancyOf(Pool.stock());
  if (!O.BlocksPerSM)
    return Reason::DoesNotFit;
  // Registers cost it neither blocks nor spill code.
  if (O.Limit != Limiter::Registers && !Pool.stock().spillBytes())
    return Reason::NotRegisterLimited;
  return std::nullopt;
}

/// Settles on a build of which a block fits an SM, as none of stock's does:
/// with as many registers as that leaves a thread. However slow it is, a kernel
/// that cannot be launched is worth nothing.
std::optional<Outcome> Search::settleFitting() {
  BuildRecipe Capped;
  Capped.What = Decision::Cap;
  Capped.MaxRegs = maxRegsForBlocks(Q.Limits, Q.Facts.Threads, 1);
  if (!Q.Facts.knowsBlockSize() || Capped.MaxRegs < MaxRegsRange.Low)
    return settle(0, Reason::DoesNotFit, std::nullopt);
  if (!Pool.add(Capped))
    return std::nullopt;
  bool Fits = Pool.size() > 1 && Pool[1].BlocksPerSM;
  return Fits ? settle(1, Reason::FitsCapped, std::nullopt)
              : settle(0, Reason::DoesNotFit, std::nullopt);
}

/// Whether ptxas may be told to make room for one block only, in the place of
/// the limit that it derives from the block size. Where registers do not limit
/// the kernel that costs blocks, so that the limit must be near: with one
/// register more, the stock build would lose a block.
bool Search::mayLift(bool IsLimited) const {
  if (!Q.Facts.statesBlockSize() || Q.Facts.MinBlocks)
    return false;
  Build More = Pool.stock();
  ++More.Regs;
  return IsLimited || Q.occupancyOf(More).BlocksPerSM <
                          Q.occupancyOf(Pool.stock()).BlocksPerSM;
}

/// Cheaper, and what takes accesses of memory away: what is called and arrays
/// with and without each other.
std::vector<Rewrite> Search::memoryRewritesToTry() const {
  SmallVector<Rewrite, 4> List;
  if (any(Cheaper))
    List.push_back(Cheaper);
  if (has(Q.OfMemory, Rewrite::LowerArrays))
    List.push_back(Rewrite::LowerArrays | Cheaper);
  Rewrite Inlined = Rewrite::InlineCalls | Rewrite::HoistBranches | Cheaper;
  if (Q.Facts.HasCalls)
    List.append({Inlined, Inlined | Rewrite::LowerArrays});
  return From.worthwhile(List);
}

/// What takes memory's accesses away first, since that saves most and no figure
/// shows it, as unrolled loops over local arrays do. Then what to leave out: of
/// all that lower the pressure by a good part the one that lowers it most,
/// since each costs two builds. Strength reduction costs instructions with its
/// registers, which may pay to leave out even where registers are plenty;
/// sinking saves instructions. Then what costs registers and saves time.
std::vector<Rewrite> Search::rewritesToTry(bool IsLimited) const {
  std::vector<Rewrite> List = memoryRewritesToTry();
  Rewrite Unrolled = Rewrite::UnrollLoops;
  if (has(Q.OfMemory, Unrolled))
    Unrolled |= Cheaper;
  if (Q.Facts.LocalBytes)
    append_range(List, From.worthwhile(Unrolled));
  constexpr Rewrite Passes[] = {Rewrite::SkipLoopReduce,
                                Rewrite::SkipMachineSink};
  std::vector<Rewrite> Skipped =
      From.worthwhile(ArrayRef(Passes).take_front(IsLimited ? 2 : 1));
  if (!Skipped.empty())
    List.push_back(Skipped.front());
  append_range(List, From.worthwhile(Rewrite::WideProducts));
  if (!Q.Facts.LocalBytes)
    append_range(List, From.worthwhile(Unrolled));
  return List;
}

/// Makes what needs no other cap: with Rewrites, and where registers limit the
/// kernel also with other words to ptxas. From the block size alone ptxas
/// derives a limit that may be far below what one block can have (128 -> 32
/// registers, seen with 13.0); it does not when it is told to make room for one
/// block. What has taken arrays out of local memory or inlined calls, and then
/// too many registers for the launches that the stock build has, is made once
/// more, with as many as all of them allow: less spill code than arrays may
/// remain.
bool Search::makeUncapped(ArrayRef<Rewrite> Rewrites, bool IsLimited) {
  std::vector<BuildRecipe> Wanted;
  bool MayLift = mayLift(IsLimited);
  // Stock has not held itself back where it spills all the same.
  bool HasAll = Pool.stock().spillBytes() &&
                Pool.stock().Regs >= Q.Limits.MaxRegsPerThread;
  for (Rewrite R : Rewrites) {
    BuildRecipe &Uncapped = Wanted.emplace_back();
    Uncapped.What = Decision::Rewrite;
    Uncapped.Rewrites = R;
    if (MayLift && IsLimited)
      Wanted.emplace_back(liftedLimit()).Rewrites = R;
  }
  if (MayLift && !HasAll)
    Wanted.push_back(liftedLimit());
  if (IsLimited && !Q.Facts.statesBlockSize())
    Wanted.push_back(ownLimit(Pool.stock(), Q.Limits));
  if (Q.InPlace && !is_contained(Wanted, *Q.InPlace))
    Wanted.push_back(*Q.InPlace);
  if (!Pool.add(Wanted))
    return false;
  Wanted.clear();
  for (const Build &V : Pool.builds())
    if (has(V.Rewrites, MemoryRewrites | Rewrite::InlineCalls) &&
        !Pool.isLaunchable(V)) {
      BuildRecipe &Capped = Wanted.emplace_back();
      Capped.What = Decision::Cap;
      Capped.MaxRegs = mostLaunchable(Pool.stock(), Q.Limits);
      Capped.Rewrites = V.Rewrites;
    }
  return Pool.add(Wanted);
}

/// Where more warps may pay, ptxas may choose fewer registers if it may spill
/// to shared memory; compares the build in which it may.
bool Search::compareOwnSpilling() {
  BuildRecipe R;
  R.What = Decision::Pragma;
  R.SmemSpilling = true;
  size_t Own = Pool.size();
  if (!Pool.add(R))
    return false;
  return Own == Pool.size() || haveSameFigures(Pool[Own], Pool.stock()) ||
         Pool.compare(Own);
}

/// At most Tuned.MostSteps steps, nearest to the occupancy of the pool's basis
/// first: those with more blocks per SM and, where it spills, also those that
/// give a thread as many registers or more. None leaves its code less than half
/// of its register pressure. None at all where nothing is gained at the one
/// with the most blocks; Best: what bounds that.
std::vector<Step> Search::stepsToTry(BuildPool::StepBounds &Best) {
  const Build &Basis = Pool.basis();
  unsigned Pressure = any(Basis.Rewrites) ? Basis.PressureAfter : Q.Pressure;
  Occupancy Now = Q.occupancyOf(Basis);
  // Blocks that everything but registers allows.
  unsigned Most = std::min(
      {Now.BlocksBySharedMemory, Now.BlocksByWarps, Now.BlocksBySlots});
  std::vector<OccupancyStep> Near;
  for (OccupancyStep S : occupancySteps(Q.Limits, Q.Facts.Threads)) {
    bool IsLast = S.Blocks >= Most;
    S.Blocks = std::min(S.Blocks, Most);
    bool MoreWarps = S.Blocks > Now.BlocksPerSM;
    bool MoreRegisters = Basis.spillBytes() && S.MaxRegs >= Basis.Regs;
    if ((MoreWarps || MoreRegisters) &&
        !isLessBy(Tuned.HopelessExcess, S.MaxRegs, Pressure))
      Near.push_back(S);
    if (IsLast)
      break;
  }
  auto Distance = [&Now](const OccupancyStep &S) {
    return S.Blocks > Now.BlocksPerSM ? S.Blocks - Now.BlocksPerSM
                                      : Now.BlocksPerSM - S.Blocks;
  };
  // Of two as near, the one with more registers, which stands first, stays so.
  stable_sort(Near, [&](const OccupancyStep &A, const OccupancyStep &B) {
    return Distance(A) < Distance(B);
  });
  if (Near.size() > Tuned.MostSteps)
    Near.resize(Tuned.MostSteps);
  std::vector<Step> Steps;
  for (const OccupancyStep &S : Near) {
    Objective Goal = objectiveForCap(Q.Facts, Q.O, Q.Limits, S.MaxRegs);
    Goal.CapIsNew = true;
    Goal.BlocksPerSM = S.Blocks;
    Steps.emplace_back(Q, Pool, From, Goal);
  }
  if (Steps.empty())
    return Steps;
  BuildPool::StepBounds Bounds = boundsOf(Steps);
  if (Bounds.Most > Best.Most)
    Best = Bounds;
  // One that spills may gain by spilling less.
  if (!Basis.spillBytes() && !Bounds.allow() &&
      !Pool.mayPayInSmallGrids(Steps.front().step()))
    Steps.clear();
  return Steps;
}

/// What bounds the gain at all of Steps: that of the most blocks, since fewer
/// gain no more.
BuildPool::StepBounds Search::boundsOf(ArrayRef<Step> Steps) const {
  return Pool.boundsAt(max_element(Steps, [](const Step &A, const Step &B) {
                         return A.step().Blocks < B.step().Blocks;
                       })->step());
}

/// Tries what is quickly tried at each of Steps, and has it compared.
bool Search::tryQuickly(MutableArrayRef<Step> Steps) {
  if (!Step::tryMoves(Steps, Step::Quick))
    return false;
  std::vector<size_t> All;
  for (const Step &S : Steps)
    append_range(All, S.finalists());
  return Pool.compare(All);
}

/// Tries Steps, the nearest first: where it spills, what that costs of the gain
/// that its warps would bring at no cost is lost with fewer registers, too.
/// More is tried at the fastest one whose cap spills, unless something else is
/// faster. Where the launch is not known, what spills more is not chosen. False
/// when a build fails or code cannot be read.
bool Search::trySteps(std::vector<Step> Steps) {
  if (Steps.empty())
    return true;
  MutableArrayRef<Step> Left = Steps;
  // Steps with as many registers as the basis has or more show nothing of what
  // fewer would cost.
  bool InTurn = !Pool.basis().spillBytes();
  if (!tryQuickly(InTurn ? Left.take_front() : Left))
    return false;
  if (InTurn) {
    const Step &Near = Steps.front();
    double Price = 0;
    if (Near.spills())
      Price = std::max(Pool.boundsAt(Near.step()).Most - 1 +
                           Near.cycles() / Pool.base().Cycles,
                       0.0);
    bool AreWorthIt = Left.size() > 1 && (Q.knowsLaunch() || !Near.spills()) &&
                      boundsOf(Left.drop_front()).allow(Price);
    Left = AreWorthIt ? Left : Left.take_front();
    if (!tryQuickly(Left.drop_front()))
      return false;
  }
  if (!Q.knowsLaunch())
    return true;
  double Least = Pool[Pool.fastest()].Cycles;
  Step *Fastest = nullptr;
  for (Step &S : Left)
    if (S.spills() && S.cycles() <= Least) {
      Least = S.cycles();
      Fastest = &S;
    }
  if (!Fastest)
    return true;
  // Builds that spill less than a basis that spills gain by that, too. Others
  // take as long at least as the basis would take there.
  if (InTurn) {
    BuildPool::StepBounds Bounds = Pool.boundsAt(Fastest->step());
    double AtLeast = (1 - Bounds.Most) * Pool.base().Cycles;
    if (!Bounds.allow() || Least <= AtLeast * (1 + Tuned.Tie))
      return true;
  }
  return Step::tryMoves(*Fastest, Step::Thorough) &&
         Pool.compare(Fastest->finalists());
}

/// Settles on the finalist that is to be built: the fastest on full SMs or,
/// where that is stock and launches choose, in small grids. Why: that
/// the stock build is right unless another one is faster, where that is known.
Outcome Search::settleFastest(std::optional<Reason> Why) {
  if (size_t Chosen = Pool.fastest())
    return settle(Chosen, Reason::PredictedFaster, Pool.prediction(Chosen));
  if (size_t Chosen = Pool.fastestInSmallGrids())
    return settle(Chosen, Reason::PredictedFaster,
                  Prediction{gainAtLaunch(Pool[Chosen], Pool.base()),
                             /*Margin=*/0, static_cast<unsigned>(Chosen)});
  if (Why)
    return settle(0, *Why, std::nullopt);
  return settle(0, Reason::StockFastest, Pool.prediction(Pool.bestOther()));
}

/// Writes down that build Chosen is to be built, and why.
Outcome Search::settle(size_t Chosen, Reason Why, std::optional<Prediction> P) {
  Outcome Result = settledOn(Pool.take(), Chosen);
  Result.IsFree = true;
  Result.Why = Why;
  Result.Predicted = P;
  return Result;
}

} // namespace

std::optional<Outcome> search(const Question &Q, BuildSource &From) {
  return Search(Q, From).run();
}

} // namespace regdem
