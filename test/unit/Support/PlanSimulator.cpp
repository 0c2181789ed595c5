//===- PlanSimulator.cpp - carry out a plan on a graph ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSimulator.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace regdem::test {

static std::string describe(const PlanStep &Step, BlockId B) {
  constexpr const char *Names[] = {"", "store", "reload", "recomputation"};
  return std::string(Names[Step.What]) + " of value " +
         std::to_string(Step.Value) + ", slot " + std::to_string(Step.Slot) +
         ", in block " + std::to_string(B);
}

PlannedCode carryOut(const KernelGraph &Graph, const DemotionPlan &Plan,
                     std::string &Problem) {
  PlannedCode Code;
  std::map<PlanPoint, std::vector<PlanStep>> Inserted;
  for (const PlanAction &A : Plan.Actions)
    Inserted[A.Where].push_back({A.What == PlanAction::Store ? PlanStep::Store
                                 : A.What == PlanAction::Reload
                                     ? PlanStep::Reload
                                     : PlanStep::Recompute,
                                 0, A.Value, A.Slot});
  auto TakeInserted = [&](PlanPoint Where, std::vector<PlanStep> &To) {
    auto It = Inserted.find(Where);
    if (It == Inserted.end())
      return;
    append_range(To, It->second);
    Inserted.erase(It);
  };
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B) {
    const BlockInfo &Block = Graph.Blocks[B];
    std::vector<PlanStep> Steps;
    for (InstId I = Block.Begin; I != Block.End; ++I) {
      // No code fits between or after branches.
      if (I <= Block.FirstTerminator)
        TakeInserted({B, I}, Steps);
      Steps.push_back({PlanStep::Instruction, I});
    }
    if (Block.FirstTerminator == Block.End)
      TakeInserted({B, Block.End}, Steps);
    Code.Steps.push_back(std::move(Steps));
    Code.Succs.push_back(Block.Succs);
  }
  for (const SplitEdge &E : Plan.Edges) {
    BlockId Split = static_cast<BlockId>(Code.Steps.size());
    auto At = find(Code.Succs[E.Pred], E.Succ);
    if (At == Code.Succs[E.Pred].end() ||
        Graph.Blocks[E.Pred].UnsplittableEdges)
      Problem = "edge that cannot be split: " + std::to_string(E.Pred) +
                " -> " + std::to_string(E.Succ);
    else
      *At = Split;
    Code.Steps.emplace_back();
    TakeInserted({Split, 0}, Code.Steps.back());
    if (Code.Steps.back().empty())
      Problem = "edge split for nothing";
    Code.Succs.push_back({E.Succ});
  }
  if (!Inserted.empty())
    Problem = "place that does not exist: block " +
              std::to_string(Inserted.begin()->first.Block) + ", instruction " +
              std::to_string(Inserted.begin()->first.Before);
  return Code;
}

namespace {

constexpr unsigned Nothing = ~0u;

/// What a word of a slot holds: a word of a value's current definition.
struct Held {
  ValueId Value = Nothing;
  unsigned Word = 0;
  bool operator==(const Held &O) const {
    return Value == O.Value && Word == O.Word;
  }
};
/// The slots' words; then, for each value, itself if it has been defined.
using Slots = std::vector<Held>;

/// Whether Step moves a value to or from a slot.
bool usesSlot(const PlanStep &Step) {
  return Step.What == PlanStep::Store || Step.What == PlanStep::Reload;
}

unsigned slotWords(const PlannedCode &Code, const KernelGraph &Graph) {
  unsigned Words = 0;
  for (const auto &Steps : Code.Steps)
    for (const PlanStep &S : Steps)
      if (usesSlot(S))
        Words = std::max(Words, S.Slot + Graph.words(S.Value));
  return Words;
}

bool holds(const Slots &State, const PlanStep &S, unsigned Words) {
  for (unsigned W = 0; W != Words; ++W)
    if (!(State[S.Slot + W] == Held{S.Value, W}))
      return false;
  return true;
}

/// The state after block B; Problem says what comes back wrong.
Slots flow(const KernelGraph &Graph, const PlannedCode &Code, BlockId B,
           Slots State, std::string *Problem) {
  for (const PlanStep &S : Code.Steps[B]) {
    switch (S.What) {
    case PlanStep::Instruction:
      for (ValueId V : Graph.defs(S.Inst)) {
        for (Held &H : State)
          if (H.Value == V)
            H = {};
        State[State.size() - Graph.Values.size() + V] = {V};
      }
      break;
    case PlanStep::Store:
      for (unsigned W = 0; W != Graph.words(S.Value); ++W)
        State[S.Slot + W] = {S.Value, W};
      break;
    case PlanStep::Reload:
      if (Problem && !holds(State, S, Graph.words(S.Value)))
        *Problem = "another value is in the slot: " + describe(S, B);
      break;
    case PlanStep::Recompute:
      if (Problem &&
          State[State.size() - Graph.Values.size() + S.Value].Value != S.Value)
        *Problem = "not defined on every path: " + describe(S, B);
      break;
    }
  }
  return State;
}

} // namespace

std::string proveReloads(const KernelGraph &Graph, const PlannedCode &Code) {
  std::vector<Slots> In(Code.Steps.size());
  std::vector<bool> Reached(Code.Steps.size());
  In[0].resize(slotWords(Code, Graph) + Graph.Values.size());
  Reached[0] = true;
  std::vector<BlockId> Work = {0};
  while (!Work.empty()) {
    BlockId B = Work.back();
    Work.pop_back();
    Slots Out = flow(Graph, Code, B, In[B], nullptr);
    for (BlockId S : Code.Succs[B]) {
      Slots Joined = Out;
      if (Reached[S])
        for (size_t W = 0; W != Joined.size(); ++W)
          if (!(Joined[W] == In[S][W]))
            Joined[W] = {};
      if (Reached[S] && Joined == In[S])
        continue;
      Reached[S] = true;
      In[S] = std::move(Joined);
      Work.push_back(S);
    }
  }
  std::string Problem;
  for (BlockId B = 0; B != Code.Steps.size(); ++B)
    if (Reached[B])
      flow(Graph, Code, B, In[B], &Problem);
  return Problem;
}

std::string walkPath(const KernelGraph &Graph, const PlannedCode &Code,
                     uint64_t Seed, unsigned MaxSteps) {
  // Every definition on the way gets a number; 0 is the unknown at entry.
  uint64_t Next = 0;
  std::vector<uint64_t> Register(Graph.Values.size());
  std::vector<std::pair<uint64_t, unsigned>> Memory(slotWords(Code, Graph));
  BlockId B = 0;
  for (unsigned Steps = 0; Steps < MaxSteps;) {
    for (const PlanStep &S : Code.Steps[B]) {
      ++Steps;
      if (S.What == PlanStep::Instruction) {
        for (ValueId V : Graph.defs(S.Inst))
          Register[V] = ++Next;
        continue;
      }
      if (S.What == PlanStep::Recompute) {
        if (Register[S.Value] == 0)
          return "not defined on this path: " + describe(S, B);
        continue;
      }
      for (unsigned W = 0; W != Graph.words(S.Value); ++W) {
        auto Word = std::make_pair(Register[S.Value], W);
        if (S.What == PlanStep::Store)
          Memory[S.Slot + W] = Word;
        else if (Memory[S.Slot + W] != Word || Register[S.Value] == 0)
          return "another value is in the slot: " + describe(S, B);
      }
    }
    if (Code.Succs[B].empty())
      break;
    Seed = Seed * 6364136223846793005u + 1442695040888963407u;
    B = Code.Succs[B][(Seed >> 33) % Code.Succs[B].size()];
    ++Steps;
  }
  return {};
}

std::string checkPlan(const KernelGraph &Graph, const DemotionPlan &Plan) {
  std::string Problem;
  PlannedCode Code = carryOut(Graph, Plan, Problem);
  if (!Problem.empty())
    return Problem;
  if (!std::is_sorted(Plan.Actions.begin(), Plan.Actions.end()))
    return "actions are not in order";
  for (const PlanAction &A : Plan.Actions) {
    if (!Graph.isDemotable(A.Value))
      return "value " + std::to_string(A.Value) + " may not be demoted";
    if (A.Slot % Graph.words(A.Value))
      return "slot of value " + std::to_string(A.Value) + " is not aligned";
    if ((A.What == PlanAction::Recompute) != Graph.isRecomputed(A.Value))
      return "value " + std::to_string(A.Value) + " is not to come back so";
  }
  if (Plan.Words != slotWords(Code, Graph))
    return "the plan states " + std::to_string(Plan.Words) +
           " words and takes " + std::to_string(slotWords(Code, Graph));
  return proveReloads(Graph, Code);
}

unsigned pressureWith(const KernelGraph &Graph, const DemotionPlan &Plan) {
  std::string Problem;
  PlannedCode Code = carryOut(Graph, Plan, Problem);
  // The slots' base address takes a register where there are slots.
  return pressureOf(Graph, Code) + (Plan.Words ? 1 : 0);
}

} // namespace regdem::test
