//===- Planner.cpp - from a kernel to a demotion plan ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Plan/DemotionPlan.h"

#include "ResidentSet.h"
#include "SlotAssignment.h"
#include "regdem/Analysis/RegisterPressure.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

/// Registers of the slots' base address, live from entry to the last access.
constexpr unsigned BaseWords = 1;
/// Words in slots without a limit.
constexpr unsigned AnyWords = ~0u;

/// Marks the values that must stay in registers: those that no plan may move
/// and those that some path leaves undefined, which cannot be stored on it.
std::vector<bool> pinnedValues(const KernelGraph &Graph) {
  std::vector<bool> Pinned(Graph.Values.size());
  for (ValueId V = 0; V != Graph.Values.size(); ++V)
    Pinned[V] = !Graph.isDemotable(V);
  std::vector<bool> HandedOver(Graph.Values.size());
  for (BlockId P = 0; P != Graph.Blocks.size(); ++P) {
    const BlockInfo &Pred = Graph.Blocks[P];
    if (Pred.Preds.empty())
      for (ValueId V : Pred.LiveIn)
        Pinned[V] = true;
    auto Mark = [&](bool To) {
      for (ValueId V : Pred.LiveIn)
        HandedOver[V] = To;
      for (InstId I = Pred.Begin; I != Pred.End; ++I)
        for (ValueId V : Graph.defs(I))
          HandedOver[V] = To;
    };
    Mark(true);
    for (BlockId S : Pred.Succs)
      for (ValueId V : Graph.Blocks[S].LiveIn)
        if (!HandedOver[V])
          Pinned[V] = true;
    Mark(false);
  }
  return Pinned;
}

/// What every value needs for its Moves, as ValueResidency has them. Graph has
/// the plan's split edges.
std::vector<SlotUse> slotUses(const KernelGraph &Graph,
                              std::vector<std::vector<Event>> Moves) {
  addAccesses(Graph, Moves);
  std::vector<SlotUse> Result;
  for (ValueId V = 0; V != Moves.size(); ++V) {
    std::vector<Event> &Events = Moves[V];
    if (Events.empty())
      continue;
    llvm::sort(Events);
    // Several edges may have asked for the same move at a block's border.
    Events.erase(llvm::unique(Events), Events.end());
    SlotUse Use = placeStores(Graph, V, Events);
    if (!Use.Reloads.empty())
      Result.push_back(std::move(Use));
  }
  return Result;
}

/// For each read of a negation that costs nothing, but right after it, that it
/// is computed again there, where Moves take what it negates to or from a
/// register: that is in one there, and may not be in between. Others stay as
/// they are, since what ptxas makes of code depends on its order.
std::vector<PlanAction> repeatedNegations(const KernelGraph &Graph,
                                          ArrayRef<PlanAction> Moves) {
  std::vector<bool> IsMoved(Graph.Values.size());
  for (const PlanAction &A : Moves)
    IsMoved[A.Value] = true;
  std::vector<PlanAction> Result;
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B) {
    const BlockInfo &Block = Graph.Blocks[B];
    for (InstId I = Block.Begin; I != Block.End; ++I)
      for (ValueId V : Graph.uses(I))
        if (Graph.Values[V].Negated && IsMoved[*Graph.Values[V].Negated] &&
            (I == Block.Begin || !is_contained(Graph.defs(I - 1), V)))
          Result.push_back({{B, I}, PlanAction::Recompute, V, 0});
  }
  return Result;
}

/// Plans one kernel, for several targets if need be.
class KernelPlanner {
public:
  KernelPlanner(const KernelGraph &Graph, Strategy How, unsigned MaxWords)
      : Graph(Graph), How(How), MaxWords(MaxWords), Uses(Graph),
        Pinned(pinnedValues(Graph)), Pressure(maxPressure(Graph)) {}

  unsigned pressure() const { return Pressure; }

  /// A plan for Target words, without actions where its slots do not fit. Where
  /// it is of residents, no more than MaxIdle words of them are to be in slots
  /// only at once.
  DemotionPlan plan(unsigned Target, unsigned MaxIdle = AnyWords) const {
    DemotionPlan Plan;
    Plan.How = How;
    Plan.Target = Target;
    Plan.PressureBefore = Plan.PressureAfter = Pressure;
    if (Pressure <= Target)
      return Plan;
    unsigned Limit = Target > BaseWords ? Target - BaseWords : 0;
    ValueResidency Moves = planResidency(
        Graph, Uses, Limit,
        How == Strategy::Resident ? allButResident(Limit, MaxIdle) : Pinned);
    KernelGraph Split = splitEdges(Graph, Moves.Edges);
    std::vector<SlotUse> Slots = slotUses(Split, std::move(Moves.Moves));
    if (Slots.empty())
      return Plan;
    // Moves that lower no peak, the base address counted, are not worth making,
    // unless there is no room for more and the peak is left to ptxas.
    bool IsPart = MaxIdle != AnyWords;
    if (Moves.MaxWords + BaseWords >= Pressure + IsPart)
      return Plan;
    addActions(Plan, std::move(Slots), numPlaces(Split),
               IsPart ? 2 * MaxWords : MaxWords);
    Plan.PressureAfter = Moves.MaxWords + (Plan.Words ? BaseWords : 0);
    keepUsedEdges(Plan, Moves.Edges);
    return Plan;
  }

private:
  const KernelGraph &Graph;
  const Strategy How;
  const unsigned MaxWords; ///< Words of slots that there is room for.
  const NextUse Uses;
  const std::vector<bool> Pinned;
  const unsigned Pressure;

  /// Pins every value but those that are to live in slots under Limit.
  std::vector<bool> allButResident(unsigned Limit, unsigned MaxIdle) const {
    std::vector<bool> Result(Graph.Values.size(), true);
    for (ValueId V : chooseResidents(Graph, Limit, MaxIdle, Pinned))
      Result[V] = false;
    return Result;
  }

  /// Adds what is to be done for each of Uses, in order. Where slots do not
  /// fit, only their words are of use, counted up to MostWords.
  void addActions(DemotionPlan &Plan, std::vector<SlotUse> Uses,
                  unsigned NumPlaces, unsigned MostWords) const {
    auto Add = [&Plan](PlanAction::Kind What, const SlotUse &U, unsigned Slot) {
      for (PlanPoint P : What == PlanAction::Store ? U.Stores : U.Reloads)
        Plan.Actions.push_back({P, What, U.Value, Slot});
    };
    std::vector<SlotUse> InSlots;
    for (SlotUse &U : Uses)
      if (Graph.isRecomputed(U.Value))
        Add(PlanAction::Recompute, U, 0);
      else
        InSlots.push_back(std::move(U));
    SlotAssignment Slots = assignSlots(Graph, NumPlaces, InSlots, MostWords);
    Plan.Words = Slots.Words;
    if (Plan.Words > MaxWords)
      return;
    for (auto [U, Slot] : zip_equal(InSlots, Slots.FirstWord)) {
      Add(PlanAction::Store, U, Slot);
      Add(PlanAction::Reload, U, Slot);
    }
    append_range(Plan.Actions, repeatedNegations(Graph, Plan.Actions));
    llvm::sort(Plan.Actions);
  }

  /// Drops the split edges on which nothing is left to do.
  void keepUsedEdges(DemotionPlan &Plan, ArrayRef<SplitEdge> Edges) const {
    BlockId FirstSplit = static_cast<BlockId>(Graph.Blocks.size());
    std::vector<BlockId> NewNumber(Edges.size(), ~0u);
    for (PlanAction &A : Plan.Actions) {
      if (A.Where.Block < FirstSplit)
        continue;
      unsigned E = A.Where.Block - FirstSplit;
      if (NewNumber[E] == ~0u) {
        NewNumber[E] = FirstSplit + static_cast<BlockId>(Plan.Edges.size());
        Plan.Edges.push_back(Edges[E]);
      }
      A.Where.Block = NewNumber[E];
    }
  }
};

} // namespace

/// The pressure of what can be nowhere but in registers and slots of a thread.
static unsigned pressureOnSlots(KernelGraph Graph) {
  for (ValueInfo &V : Graph.Values)
    if (V.IsRecomputed)
      V.Words = 0;
  return maxPressure(Graph);
}

/// The plan for the lowest pressure from R's target up whose words fit, where
/// those for the target do not.
static DemotionPlan lowestThatFits(const KernelPlanner &Planner,
                                   const KernelGraph &Graph,
                                   const PlanRequest &R) {
  DemotionPlan Best = Planner.plan(Planner.pressure()); // Nothing is demoted.
  unsigned Fits = Planner.pressure(), TooLow = R.Target;
  // At the peak whatever is neither in a register nor the base address is in a
  // slot of its own, so that no plan that fits gets farther below it.
  unsigned Peak = pressureOnSlots(Graph);
  if (Peak > R.MaxWords)
    TooLow = std::clamp(Peak - R.MaxWords, TooLow, Fits);
  while (Fits - TooLow > 1) {
    unsigned Middle = TooLow + (Fits - TooLow) / 2;
    DemotionPlan Try = Planner.plan(Middle);
    if (Try.Words <= R.MaxWords) {
      Fits = Middle;
      Best = std::move(Try);
    } else {
      TooLow = Middle;
    }
  }
  return Best;
}

/// The plan of residents with the most words idle at once that fits R. Slots
/// that overlap in part take somewhat more words than are idle at once, nearly
/// in proportion, so each try says where to try next.
static DemotionPlan relieve(const KernelPlanner &Planner,
                            const PlanRequest &R) {
  constexpr unsigned MostGuesses = 4;
  DemotionPlan Best;
  unsigned Idle = R.MaxWords, Good = 0, Bad = R.MaxWords + 1;
  for (unsigned Tries = 1;; ++Tries) {
    DemotionPlan Try = Planner.plan(R.Target, Idle);
    unsigned Words = Try.Words;
    if (Words <= R.MaxWords) {
      Good = Idle;
      Best = std::move(Try);
    } else {
      Bad = Idle;
    }
    bool IsEnough = Tries > MostGuesses && !Best.empty();
    if (Words == R.MaxWords || Bad - Good <= 1 || IsEnough)
      break;
    unsigned Next = Good + (Bad - Good) / 2;
    if (Words && Tries <= MostGuesses)
      Next = static_cast<unsigned>(uint64_t(Idle) * R.MaxWords / Words);
    Idle = std::clamp(Next, Good + 1, Bad - 1);
  }
  return Good ? Best : Planner.plan(R.Target, 0);
}

DemotionPlan planDemotion(const KernelGraph &Graph,
                          const PlanRequest &Request) {
  const KernelPlanner Planner(Graph, Request.How, Request.MaxWords);
  DemotionPlan Plan = Planner.plan(Request.Target);
  if (Plan.Words <= Request.MaxWords)
    return Plan;
  // Fewer words are taken the higher the target.
  return Request.How == Strategy::Resident
             ? relieve(Planner, Request)
             : lowestThatFits(Planner, Graph, Request);
}

} // namespace regdem
