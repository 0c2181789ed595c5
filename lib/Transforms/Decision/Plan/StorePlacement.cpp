//===- StorePlacement.cpp - where a demoted value is stored ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two complete ways of storing are compared by their executions: after every
// definition that a reload can see, or wherever the value leaves the registers
// and its slot does not hold it yet. The first suits values that leave inside
// a loop and are defined outside; the second, accumulators that a loop updates
// and that are demoted after it.
//
//===----------------------------------------------------------------------===//

#include "StorePlacement.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>

using namespace llvm;

namespace regdem {

namespace {

using BlockSet = DenseSet<BlockId>;

class Placer {
public:
  Placer(const KernelGraph &Graph, ValueId Value, ArrayRef<Event> Events)
      : Graph(Graph), Events(Events) {
    Result.Value = Value;
    for (unsigned I = 0; I != Events.size(); ++I) {
      auto [It, New] = Range.try_emplace(Events[I].Where.Block, I, I + 1);
      It->second.second = I + 1;
    }
  }

  SlotUse run() {
    dropDeadReloads();
    if (Result.Reloads.empty())
      return std::move(Result);
    findNeed();
    std::vector<PlanPoint> AtWrites = storesAtWrites();
    std::vector<PlanPoint> AtEvictions;
    bool Usable =
        storesAtEvictions(AtEvictions) && !readGivenUpRegister(AtEvictions);
    Result.Stores = Usable && cost(AtEvictions) <= cost(AtWrites)
                        ? std::move(AtEvictions)
                        : std::move(AtWrites);
    occupySlot();
    return std::move(Result);
  }

private:
  const KernelGraph &Graph;
  const ArrayRef<Event> Events;
  /// Of Events, by block: the first one and the one behind the last.
  DenseMap<BlockId, std::pair<unsigned, unsigned>> Range;
  SlotUse Result;
  /// Blocks at whose entry the slot must hold the value on some path.
  BlockSet NeededIn;
  /// Definitions whose value a reload can see.
  std::vector<PlanPoint> NeededWrites;

  /// Events of block B in order; empty where nothing happens to the value.
  ArrayRef<Event> in(BlockId B) const {
    auto [First, End] = Range.lookup(B);
    return Events.slice(First, End - First);
  }

  uint64_t cost(ArrayRef<PlanPoint> Stores) const {
    uint64_t Sum = 0;
    for (PlanPoint P : Stores)
      Sum += Graph.Blocks[P.Block].Frequency;
    return Sum;
  }

  bool isLiveReload(PlanPoint P) const {
    return std::binary_search(Result.Reloads.begin(), Result.Reloads.end(), P);
  }

  /// The first event of List that settles whether the register is read before
  /// it is replaced; null where the block passes it through.
  static const Event *firstRegisterEvent(ArrayRef<Event> List) {
    for (const Event &E : List)
      if (E.What == Event::Read || E.What == Event::Write ||
          E.What == Event::Reload)
        return &E;
    return nullptr;
  }

  /// Keeps the reloads that a read follows before the next reload or write.
  void dropDeadReloads() {
    BlockSet ReadIn;
    SmallVector<BlockId, 16> Work;
    auto Add = [&](BlockId B) {
      if (ReadIn.insert(B).second)
        Work.push_back(B);
    };
    for (const Event &E : Events) {
      const Event *First = firstRegisterEvent(in(E.Where.Block));
      if (First && First->What == Event::Read)
        Add(E.Where.Block);
    }
    while (!Work.empty())
      for (BlockId P : Graph.Blocks[Work.pop_back_val()].Preds)
        if (!firstRegisterEvent(in(P)))
          Add(P);

    for (const Event &E : Events) {
      if (E.What != Event::Reload)
        continue;
      ArrayRef<Event> Block = in(E.Where.Block);
      const Event *Next =
          firstRegisterEvent(Block.drop_front(&E + 1 - Block.begin()));
      bool IsRead = Next
                        ? Next->What == Event::Read
                        : any_of(Graph.Blocks[E.Where.Block].Succs,
                                 [&](BlockId S) { return ReadIn.contains(S); });
      if (IsRead)
        Result.Reloads.push_back(E.Where);
    }
  }

  /// Walks back from the reloads to the definitions that they can see.
  void findNeed() {
    SmallVector<BlockId, 16> Work;
    // Write is the last one before a place of B, if there is one.
    auto Need = [&](BlockId B, const Event *Write) {
      if (Write)
        NeededWrites.push_back(Write->Where);
      else if (NeededIn.insert(B).second)
        Work.push_back(B);
    };
    const Event *LastWrite = nullptr;
    for (const Event &E : Events) {
      if (LastWrite && LastWrite->Where.Block != E.Where.Block)
        LastWrite = nullptr;
      if (E.What == Event::Write)
        LastWrite = &E;
      else if (E.What == Event::Reload && isLiveReload(E.Where))
        Need(E.Where.Block, LastWrite);
    }
    while (!Work.empty()) {
      BlockId B = Work.pop_back_val();
      assert(!Graph.Blocks[B].Preds.empty() && "undefined on some path");
      for (BlockId P : Graph.Blocks[B].Preds) {
        const Event *Write = nullptr;
        for (const Event &E : in(P))
          if (E.What == Event::Write)
            Write = &E;
        Need(P, Write);
      }
    }
    llvm::sort(NeededWrites);
    NeededWrites.erase(llvm::unique(NeededWrites), NeededWrites.end());
  }

  std::vector<PlanPoint> storesAtWrites() const {
    std::vector<PlanPoint> Stores;
    for (PlanPoint W : NeededWrites)
      Stores.push_back({W.Block, W.Before + 1});
    return Stores;
  }

  /// Whether a reload sees what the slot holds after the event E.
  bool isNeededAfter(const Event &E) const {
    ArrayRef<Event> Block = in(E.Where.Block);
    for (const Event &Later : Block.drop_front(&E + 1 - Block.begin())) {
      if (Later.What == Event::Reload && isLiveReload(Later.Where))
        return true;
      if (Later.What == Event::Write)
        return false;
    }
    return any_of(Graph.Blocks[E.Where.Block].Succs,
                  [this](BlockId S) { return NeededIn.contains(S); });
  }

  /// Follows through block B whether the slot holds the value, storing at
  /// each needed eviction where it does not.
  bool slotHoldsAfter(BlockId B, bool Holds,
                      std::vector<PlanPoint> *Stores = nullptr,
                      bool *Covered = nullptr) const {
    for (const Event &E : in(B)) {
      switch (E.What) {
      case Event::Write:
        Holds = false;
        break;
      case Event::Evict:
        if (!isNeededAfter(E))
          break;
        if (!Holds && Stores)
          Stores->push_back(E.Where);
        Holds = true;
        break;
      case Event::Reload:
        if (!isLiveReload(E.Where))
          break;
        if (!Holds && Covered)
          *Covered = false;
        Holds = true;
        break;
      case Event::Read:
        break;
      }
    }
    return Holds;
  }

  /// Fills Stores; false where they would leave a reload without its value.
  bool storesAtEvictions(std::vector<PlanPoint> &Stores) const {
    // Optimistic: a block's entry holds the value until a predecessor turns
    // out not to hand it over.
    BlockSet Empty;
    SmallVector<BlockId, 16> Work(NeededIn.begin(), NeededIn.end());
    auto HoldsIn = [&](BlockId B) {
      return NeededIn.contains(B) && !Empty.contains(B);
    };
    while (!Work.empty()) {
      BlockId B = Work.pop_back_val();
      if (Empty.contains(B) || all_of(Graph.Blocks[B].Preds, [&](BlockId P) {
            return slotHoldsAfter(P, HoldsIn(P));
          }))
        continue;
      Empty.insert(B);
      for (BlockId S : Graph.Blocks[B].Succs)
        if (NeededIn.contains(S))
          Work.push_back(S);
    }
    bool Covered = true;
    BlockId Last = ~0u;
    for (const Event &E : Events) {
      if (E.Where.Block == Last)
        continue;
      Last = E.Where.Block;
      slotHoldsAfter(Last, HoldsIn(Last), &Stores, &Covered);
    }
    Stores.erase(std::unique(Stores.begin(), Stores.end()), Stores.end());
    return Covered;
  }

  /// Whether a store would read the register where the value has left it: on
  /// a path that comes from another eviction, by way of a reload that was
  /// dropped because nothing else reads it. The register would have to be kept
  /// all the way for that store alone.
  bool readGivenUpRegister(ArrayRef<PlanPoint> Stores) const {
    BlockSet Seen;
    SmallVector<BlockId, 16> Work;
    // An instruction may read the value and have it leave for what it writes.
    auto LeavesAt = [](ArrayRef<Event> List, PlanPoint Where) {
      return std::binary_search(List.begin(), List.end(),
                                Event{Where, Event::Evict});
    };
    // What the register holds after the events Earlier of B.
    auto GivenUp = [&](BlockId B, ArrayRef<Event> Earlier) {
      for (const Event &E : reverse(Earlier)) {
        if (E.What == Event::Evict)
          return true;
        if (E.What == Event::Write)
          return false;
        if (E.What == Event::Read ||
            (E.What == Event::Reload && isLiveReload(E.Where)))
          return LeavesAt(Earlier, E.Where);
      }
      if (Seen.insert(B).second)
        Work.push_back(B);
      return false;
    };
    for (PlanPoint S : Stores) {
      ArrayRef<Event> Block = in(S.Block);
      const Event *At =
          std::lower_bound(Block.begin(), Block.end(), Event{S, Event::Evict});
      if (GivenUp(S.Block, Block.take_front(At - Block.begin())))
        return true;
    }
    while (!Work.empty())
      for (BlockId P : Graph.Blocks[Work.pop_back_val()].Preds)
        if (GivenUp(P, in(P)))
          return true;
    return false;
  }

  /// Marks the places from every store to the reloads that it feeds, and drops
  /// stores that feed none.
  void occupySlot() {
    BlockSet OccupiedIn;
    SmallVector<BlockId, 16> Work;
    std::vector<bool> Feeds(Result.Stores.size());
    // The slot is occupied at place Last of B and back to the nearest store.
    auto Occupy = [&](BlockId B, unsigned Last) {
      auto End = std::upper_bound(
          Result.Stores.begin(), Result.Stores.end(), Last,
          [&](unsigned P, PlanPoint S) { return P < placeOf(Graph, S); });
      if (End != Result.Stores.begin() && std::prev(End)->Block == B) {
        Feeds[std::prev(End) - Result.Stores.begin()] = true;
        Result.Occupied.push_back({placeOf(Graph, *std::prev(End)), Last});
        return;
      }
      Result.Occupied.push_back({firstPlace(Graph, B), Last});
      if (OccupiedIn.insert(B).second)
        Work.push_back(B);
    };
    for (PlanPoint R : Result.Reloads)
      Occupy(R.Block, placeOf(Graph, R));
    while (!Work.empty())
      for (BlockId P : Graph.Blocks[Work.pop_back_val()].Preds)
        Occupy(P, lastPlace(Graph, P));
    std::vector<PlanPoint> Feeding;
    for (unsigned I = 0; I != Feeds.size(); ++I)
      if (Feeds[I])
        Feeding.push_back(Result.Stores[I]);
    Result.Stores = std::move(Feeding);
    llvm::sort(Result.Occupied, [](const PlaceRange &A, const PlaceRange &B) {
      return std::make_pair(A.First, A.Last) < std::make_pair(B.First, B.Last);
    });
  }
};

} // namespace

KernelGraph splitEdges(const KernelGraph &Graph, ArrayRef<SplitEdge> Edges) {
  KernelGraph Split = Graph;
  for (const SplitEdge &E : Edges) {
    BlockId B = static_cast<BlockId>(Split.Blocks.size());
    std::vector<BlockId> &Succs = Split.Blocks[E.Pred].Succs;
    std::replace(Succs.begin(), Succs.end(), E.Succ, B);
    std::vector<BlockId> &Preds = Split.Blocks[E.Succ].Preds;
    std::replace(Preds.begin(), Preds.end(), E.Pred, B);
    BlockInfo Info;
    Info.Begin = Info.FirstTerminator = Info.End = Graph.numInsts();
    Info.Preds = {E.Pred};
    Info.Succs = {E.Succ};
    Info.SuccProbability = {BlockInfo::Certain};
    Info.Frequency = Graph.Blocks[E.Pred].frequencyTo(E.Succ);
    Split.Blocks.push_back(std::move(Info));
  }
  return Split;
}

void addAccesses(const KernelGraph &Graph,
                 std::vector<std::vector<Event>> &ByValue) {
  auto Add = [&](ArrayRef<ValueId> List, PlanPoint At, Event::Kind What) {
    for (ValueId V : List)
      if (!ByValue[V].empty())
        ByValue[V].push_back({At, What});
  };
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B)
    for (InstId I = Graph.Blocks[B].Begin; I != Graph.Blocks[B].End; ++I) {
      Add(Graph.uses(I), {B, I}, Event::Read);
      Add(Graph.defs(I), {B, I}, Event::Write);
    }
}

SlotUse placeStores(const KernelGraph &Graph, ValueId Value,
                    ArrayRef<Event> Events) {
  return Placer(Graph, Value, Events).run();
}

} // namespace regdem
