//===- ResidentSet.cpp - the fewest values to keep in slots ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResidentSet.h"

#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <queue>

using namespace llvm;

namespace regdem {

namespace {

/// Instructions First to Last, both included, across which a value is live
/// without being read or written.
struct Stretch {
  InstId First, Last;
};

class Chooser {
public:
  Chooser(const KernelGraph &Graph, unsigned Limit, unsigned MaxWords,
          const std::vector<bool> &Pinned)
      : Graph(Graph), MaxWords(MaxWords), Pinned(Pinned),
        Idle(Graph.Values.size()), Cost(Graph.Values.size()),
        Excess(scan(Limit)), InSlots(Excess.size()) {}

  std::vector<ValueId> run() {
    // Relief only shrinks as values are taken, so an entry whose score is
    // still what it was when queued is the best there is.
    std::priority_queue<Entry> Queue;
    for (ValueId V = 0; V != Graph.Values.size(); ++V)
      if (!Pinned[V] && Graph.words(V))
        if (uint64_t S = score(V))
          Queue.push({S, V});
    std::vector<ValueId> Taken;
    while (!Queue.empty()) {
      Entry Best = Queue.top();
      Queue.pop();
      uint64_t Now = score(Best.Value);
      if (!Now)
        continue;
      if (Now != Best.Score) {
        Queue.push({Now, Best.Value});
        continue;
      }
      if (!hasRoom(Best.Value))
        continue;
      take(Best.Value);
      Taken.push_back(Best.Value);
    }
    return Taken;
  }

private:
  struct Entry {
    uint64_t Score;
    ValueId Value;
    bool operator<(const Entry &O) const {
      return Score != O.Score ? Score < O.Score : Value > O.Value;
    }
  };

  const KernelGraph &Graph;
  const unsigned MaxWords;
  const std::vector<bool> &Pinned;
  std::vector<std::vector<Stretch>> Idle; ///< By value, the last one first.
  /// Accesses to slots in halves, weighted by their executions. To compute a
  /// value again costs half an access and no store.
  std::vector<uint64_t> Cost;
  // By instruction. A value is idle at most where it is live, so that all of
  // their stretches together are as long as pressure times instructions.
  std::vector<unsigned> Excess;  ///< Words in registers over the limit.
  std::vector<unsigned> InSlots; ///< Words that have gone to slots.

  /// Records idle stretches and accesses; returns the words over Limit.
  std::vector<unsigned> scan(unsigned Limit) {
    std::vector<unsigned> Words(Graph.numInsts());
    for (BlockId B = static_cast<BlockId>(Graph.Blocks.size()); B-- != 0;)
      scan(B, Words);
    for (unsigned &W : Words)
      W = W > Limit ? W - Limit : 0;
    return Words;
  }

  void addIdle(ValueId V, InstId First, InstId Last) {
    std::vector<Stretch> &List = Idle[V];
    // Blocks that V is not accessed in make one stretch, not one each.
    if (!List.empty() && List.back().First == Last + 1)
      List.back().First = First;
    else
      List.push_back({First, Last});
  }

  /// Records pressure, idle stretches and accesses of block B, from its end.
  void scan(BlockId B, std::vector<unsigned> &Pressure) {
    const BlockInfo &Block = Graph.Blocks[B];
    // Where each live value's stretch ends, one after its last instruction.
    DenseMap<ValueId, InstId> LiveUntil;
    unsigned Words = 0;
    auto Begin = [&](ValueId V, InstId End) {
      if (Graph.words(V) && LiveUntil.try_emplace(V, End).second)
        Words += Graph.words(V);
    };
    auto End = [&](ValueId V, InstId First) {
      auto It = LiveUntil.find(V);
      if (It == LiveUntil.end())
        return;
      if (First < It->second)
        addIdle(V, First, It->second - 1);
      LiveUntil.erase(It);
      Words -= Graph.words(V);
    };
    for (BlockId S : Block.Succs)
      for (ValueId V : Graph.Blocks[S].LiveIn)
        Begin(V, Block.End);
    // Executions per thread, at least one, so that cold code costs something.
    uint64_t Weight =
        Block.Frequency / std::max<uint64_t>(Graph.EntryFrequency, 1) + 1;
    for (InstId I = Block.End; I-- != Block.Begin;) {
      for (ValueId V : Graph.defs(I)) {
        Begin(V, I);
        Cost[V] += Graph.isRecomputed(V) ? 0 : 2 * Weight;
      }
      unsigned AtWrite = Words;
      for (ValueId V : Graph.defs(I))
        End(V, I + 1);
      for (ValueId V : Graph.uses(I)) {
        End(V, I + 1);
        Cost[V] += Graph.isRecomputed(V) ? Weight : 2 * Weight;
      }
      for (ValueId V : Graph.uses(I))
        Begin(V, I);
      Pressure[I] = std::max(AtWrite, Words);
    }
    for (ValueId V : Block.LiveIn)
      End(V, Block.Begin);
  }

  /// Whether V fits into the slots beside what is taken.
  bool hasRoom(ValueId V) const {
    if (Graph.isRecomputed(V))
      return true;
    for (const Stretch &S : Idle[V])
      for (InstId I = S.First; I <= S.Last; ++I)
        if (InSlots[I] + Graph.words(V) > MaxWords)
          return false;
    return true;
  }

  /// Has V leave its register wherever it is idle.
  void take(ValueId V) {
    for (const Stretch &S : Idle[V])
      for (InstId I = S.First; I <= S.Last; ++I) {
        Excess[I] -= std::min(Graph.words(V), Excess[I]);
        InSlots[I] += Graph.isRecomputed(V) ? 0 : Graph.words(V);
      }
  }

  /// Words over the limit that V's absence would relieve, per access; scaled
  /// to keep integers apart. 0 where it would relieve nothing.
  uint64_t score(ValueId V) const {
    uint64_t Relief = 0;
    for (const Stretch &S : Idle[V])
      for (InstId I = S.First; I <= S.Last; ++I)
        Relief += std::min(Graph.words(V), Excess[I]);
    return (Relief << 17) / (std::max<uint64_t>(Cost[V], 1) * Graph.words(V));
  }
};

} // namespace

std::vector<ValueId> chooseResidents(const KernelGraph &Graph, unsigned Limit,
                                     unsigned MaxWords,
                                     const std::vector<bool> &Pinned) {
  return Chooser(Graph, Limit, MaxWords, Pinned).run();
}

} // namespace regdem
