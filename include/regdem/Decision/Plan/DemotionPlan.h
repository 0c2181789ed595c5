//===- DemotionPlan.h - which values go where, and when ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of the decision stage: every store, reload and recomputation, with
// its place and slot. A plan is made once and never changed; the transform
// stage carries it out as it stands.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_PLAN_DEMOTIONPLAN_H
#define REGDEM_DECISION_PLAN_DEMOTIONPLAN_H

#include "regdem/Analysis/KernelGraph.h"
#include "regdem/Options.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace regdem {

/// A place for new instructions: before instruction Before of block Block, or
/// before its terminators' end where Before is the block's End. Blocks with
/// numbers from KernelGraph::Blocks.size() on are the plan's split edges; they
/// have the one place Before = 0.
struct PlanPoint {
  BlockId Block = 0;
  InstId Before = 0;

  bool operator==(const PlanPoint &O) const {
    return Block == O.Block && Before == O.Before;
  }
  bool operator<(const PlanPoint &O) const {
    return Block != O.Block ? Block < O.Block : Before < O.Before;
  }
};

/// An edge that gets a block of its own.
struct SplitEdge {
  BlockId Pred = 0, Succ = 0;
};

struct PlanAction {
  enum Kind : uint8_t {
    Store,     ///< The value goes to its slot.
    Reload,    ///< The value comes back from its slot.
    Recompute, ///< The value's only definition is repeated.
  };

  PlanPoint Where;
  Kind What = Store;
  ValueId Value = 0;
  /// First word of the value's slot, counted from the start of the thread's
  /// slots; the value takes KernelGraph::words(Value) of them. 0 for
  /// recomputations.
  unsigned Slot = 0;

  /// Stores stand before reloads at the same point, those before
  /// recomputations.
  bool operator<(const PlanAction &O) const {
    if (!(Where == O.Where))
      return Where < O.Where;
    return What != O.What ? What < O.What : Value < O.Value;
  }
};

struct DemotionPlan {
  Strategy How = Strategy::Belady;
  /// Register words that the plan was to keep to, the base address included.
  unsigned Target = 0;
  /// Most register words in use, before and after; after, the slots' base
  /// address is among them where there are slots.
  unsigned PressureBefore = 0, PressureAfter = 0;
  unsigned Words = 0; ///< Of shared memory, per thread.
  std::vector<SplitEdge> Edges;
  std::vector<PlanAction> Actions; ///< Ascending.

  bool empty() const { return Actions.empty(); }
  unsigned count(PlanAction::Kind What) const;
};

/// What a plan has to achieve, and with what.
struct PlanRequest {
  /// Register words that may be in use at once, the base address included.
  unsigned Target = 0;
  unsigned MaxWords = 0; ///< Shared-memory words that a thread may have.
  Strategy How = Strategy::Belady;
};

/// The plan with the fewest demoted words that keeps Graph to Request.Target.
/// Where that takes more than Request.MaxWords, the lowest pressure that does
/// not, or, if Request.How is Resident, whatever relieves most of what is over
/// the target, wherever that is: ptxas spills there, and not at the peak alone.
/// An empty plan when the kernel fits as it is or no word may be used.
DemotionPlan planDemotion(const KernelGraph &Graph, const PlanRequest &Request);

/// Bytes that Plan's accesses to slots may move at once: 8 where every value
/// there has an even number of words, else 4.
unsigned slotUnit(const DemotionPlan &Plan, const KernelGraph &Graph);

/// Bytes that each thread has where threads' slots lie one thread after the
/// other: an odd number of units, so that threads never meet in a bank. 0 where
/// there are no slots.
unsigned threadBytes(const DemotionPlan &Plan, const KernelGraph &Graph);

/// One line per action, in words of the machine function.
void print(llvm::raw_ostream &OS, const DemotionPlan &Plan,
           const KernelGraph &Graph);

} // namespace regdem

#endif // REGDEM_DECISION_PLAN_DEMOTIONPLAN_H
