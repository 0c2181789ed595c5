//===- StorePlacement.cpp - where a demoted value is stored ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// What happens to a value at a point.
struct Event {
  /// In the order in which they happen at one place: the code that a plan
  /// inserts, then the instruction after it.
  enum Kind : uint8_t { Reload, Read, Write };
  PlanPoint Where; ///< For Read and Write: before the instruction itself.
  Kind What;

  bool operator<(const Event &O) const {
    return Where == O.Where ? What < O.What : Where < O.Where;
  }
  bool operator==(const Event &O) const {
    return Where == O.Where && What == O.What;
  }
};

using BlockSet = DenseSet<BlockId>;

/// Looks at one value, whose Events are ascending, each once.
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
    keepReloads();
    while (!OccupiedIn.empty())
      for (BlockId P : Graph.Blocks[OccupiedIn.pop_back_val()].Preds)
        occupy(P, in(P), lastPlace(Graph, P));
    llvm::sort(Result.Stores);
    Result.Stores.erase(llvm::unique(Result.Stores), Result.Stores.end());
    llvm::sort(Result.Occupied, [](const PlaceRange &A, const PlaceRange &B) {
      return std::pair(A.First, A.Last) < std::pair(B.First, B.Last);
    });
    return std::move(Result);
  }

private:
  const KernelGraph &Graph;
  const ArrayRef<Event> Events;
  /// Of Events, by block: the first one and the one behind the last.
  DenseMap<BlockId, std::pair<unsigned, unsigned>> Range;
  SlotUse Result;
  /// Blocks at whose entry the slot holds the value; those to be looked at.
  BlockSet SeenOccupied;
  SmallVector<BlockId, 16> OccupiedIn;

  /// Events of block B in order; empty where nothing happens to the value.
  ArrayRef<Event> in(BlockId B) const {
    auto [First, End] = Range.lookup(B);
    return Events.slice(First, End - First);
  }

  /// The blocks at whose entry the register's value may still be read.
  BlockSet findReaders() const {
    BlockSet Readers;
    SmallVector<BlockId, 16> Work;
    auto Add = [&](BlockId B) {
      if (Readers.insert(B).second)
        Work.push_back(B);
    };
    for (const auto &[B, Its] : Range)
      if (Events[Its.first].What == Event::Read)
        Add(B);
    while (!Work.empty())
      for (BlockId P : Graph.Blocks[Work.pop_back_val()].Preds)
        if (in(P).empty())
          Add(P);
    return Readers;
  }

  /// Keeps the reloads that a read follows before the next reload or write.
  void keepReloads() {
    BlockSet Readers = findReaders();
    for (const Event &E : Events) {
      if (E.What != Event::Reload)
        continue;
      BlockId B = E.Where.Block;
      ArrayRef<Event> Earlier = in(B).take_front(&E - in(B).begin());
      ArrayRef<Event> Later = in(B).drop_front(Earlier.size() + 1);
      bool IsRead = Later.empty()
                        ? any_of(Graph.Blocks[B].Succs,
                                 [&](BlockId S) { return Readers.contains(S); })
                        : Later.front().What == Event::Read;
      if (!IsRead)
        continue;
      Result.Reloads.push_back(E.Where);
      occupy(B, Earlier, placeOf(E.Where));
    }
  }

  /// Has the slot hold the value at place Last of B, after the events Earlier:
  /// from the last definition there on, or else from B's entry.
  void occupy(BlockId B, ArrayRef<Event> Earlier, unsigned Last) {
    for (const Event &E : reverse(Earlier))
      if (E.What == Event::Write) {
        PlanPoint Store{B, E.Where.Before + 1};
        Result.Stores.push_back(Store);
        Result.Occupied.push_back({placeOf(Store), Last});
        return;
      }
    assert(!Graph.Blocks[B].Preds.empty() && "undefined on some path");
    Result.Occupied.push_back({firstPlace(Graph, B), Last});
    if (SeenOccupied.insert(B).second)
      OccupiedIn.push_back(B);
  }
};

/// Adds to the events of each value that has any its reads and writes.
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

} // namespace

std::vector<SlotUse> placeStores(const KernelGraph &Graph,
                                 ArrayRef<std::vector<PlanPoint>> Reloads) {
  std::vector<std::vector<Event>> ByValue(Reloads.size());
  for (ValueId V = 0; V != Reloads.size(); ++V)
    for (PlanPoint P : Reloads[V])
      ByValue[V].push_back({P, Event::Reload});
  addAccesses(Graph, ByValue);
  std::vector<SlotUse> Result;
  for (ValueId V = 0; V != ByValue.size(); ++V) {
    std::vector<Event> &Events = ByValue[V];
    llvm::sort(Events);
    // Several edges may have asked for the same reload at a block's border.
    Events.erase(llvm::unique(Events), Events.end());
    SlotUse Use = Placer(Graph, V, Events).run();
    if (!Use.Reloads.empty())
      Result.push_back(std::move(Use));
  }
  return Result;
}

} // namespace regdem
