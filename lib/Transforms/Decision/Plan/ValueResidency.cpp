//===- ValueResidency.cpp - when each value is in a register --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueResidency.h"

#include "BlockEntry.h"
#include "RegisterSet.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

/// Whether code for the edge Pred -> Succ goes to the end of Pred. A block of
/// its own costs a branch, so that is so where the edge is Pred's likely way
/// out.
static bool goesToEnd(const KernelGraph &Graph, BlockId Pred, BlockId Succ) {
  const BlockInfo &P = Graph.Blocks[Pred];
  if (P.Succs.size() == 1)
    return true;
  if (Graph.Blocks[Succ].Preds.size() == 1)
    return false;
  return P.UnsplittableEdges || P.probabilityOf(Succ) >= BlockInfo::Certain / 2;
}

namespace {

class ResidencyPlanner {
public:
  ResidencyPlanner(const KernelGraph &Graph, const NextUse &Uses,
                   unsigned Limit, const std::vector<bool> &Pinned)
      : Graph(Graph), Uses(Uses), Limit(Limit), Pinned(Pinned),
        Entries(Graph, Uses, Limit, Pinned), In(Graph.Blocks.size()),
        Out(Graph.Blocks.size()), Done(Graph.Blocks.size()), Set(Graph, Pinned),
        Protected(Graph.Values.size()) {
    Result.Moves.resize(Graph.Values.size());
  }

  ValueResidency run() {
    for (BlockId B : Graph.reversePostOrder()) {
      In[B] = Entries.choose(B, Out, Done);
      walk(B);
      Done[B] = true;
    }
    for (BlockId B = 0; B != Graph.Blocks.size(); ++B)
      if (Done[B])
        joinSuccessors(B);
    return std::move(Result);
  }

private:
  const KernelGraph &Graph;
  const NextUse &Uses;
  const unsigned Limit;
  const std::vector<bool> &Pinned;
  const EntryChooser Entries;
  std::vector<Residents> In, Out;
  std::vector<bool> Done;
  RegisterSet Set;
  std::vector<bool> Protected; ///< Scratch of makeRoom().
  ValueResidency Result;

  bool takesRegister(ValueId V) const { return Graph.words(V) != 0; }

  void move(ValueId V, PlanPoint Where, Event::Kind What) {
    Result.Moves[V].push_back({Where, What});
  }

  //===--- Inside a block -------------------------------------------------===//

  /// Next read after each operand of block B, in the order uses, then defs,
  /// from the last instruction to the first; NeverUsed where there is none.
  std::vector<Distance> distancesAfter(BlockId B) {
    const BlockInfo &Block = Graph.Blocks[B];
    Distance Length = Block.End - Block.Begin;
    DenseMap<ValueId, Distance> Coming; // Has none that is NeverUsed.
    for (auto [V, D] : Uses.atExit(B))
      Coming[V] = D >= NeverUsed - Length ? NeverUsed - 1 : D + Length;
    std::vector<Distance> After;
    for (InstId I = Block.End; I-- != Block.Begin;) {
      for (ValueId V : Graph.uses(I))
        After.push_back(Coming.lookup_or(V, NeverUsed));
      for (ValueId V : Graph.defs(I)) {
        After.push_back(Coming.lookup_or(V, NeverUsed));
        Coming.erase(V);
      }
      for (ValueId V : Graph.uses(I))
        Coming[V] = I - Block.Begin;
    }
    return After;
  }

  /// Evicts the values read farthest ahead until Extra more words fit; those
  /// in Keep stay.
  void makeRoom(unsigned Extra, ArrayRef<ValueId> Keep, PlanPoint Where) {
    if (Set.words() + Extra <= Limit)
      return;
    for (ValueId V : Keep)
      Protected[V] = true;
    Distance Now = Where.Before - Graph.Blocks[Where.Block].Begin;
    unsigned Most = Limit > Extra ? Limit - Extra : 0;
    for (ValueId V : Set.evict(Most, Now, Protected))
      move(V, Where, Event::Evict);
    for (ValueId V : Keep)
      Protected[V] = false;
  }

  void notePeak() { Result.MaxWords = std::max(Result.MaxWords, Set.words()); }

  void walk(BlockId B) {
    const BlockInfo &Block = Graph.Blocks[B];
    Set.clear();
    for (const Resident &R : In[B])
      Set.insert(R);
    notePeak();
    std::vector<Distance> After = distancesAfter(B);
    size_t Operand = After.size();
    for (InstId I = Block.Begin; I != Block.End; ++I) {
      ArrayRef<ValueId> Reads = Graph.uses(I), Writes = Graph.defs(I);
      Operand -= Reads.size() + Writes.size();
      const Distance *Next = After.data() + Operand;
      PlanPoint Where{B, std::min(I, Block.FirstTerminator)};

      unsigned Missing = 0;
      for (ValueId V : Reads)
        if (takesRegister(V) && !Set.contains(V))
          Missing += Graph.words(V);
      if (Missing)
        makeRoom(Missing, Reads, Where);
      for (ValueId V : Reads) {
        if (!takesRegister(V) || Set.contains(V))
          continue;
        // A pinned value that is not there is undefined: nothing to reload.
        if (!Pinned[V])
          move(V, Where, Event::Reload);
        Set.insert({V, I - Block.Begin, true});
      }
      notePeak();

      for (unsigned N = 0; N != Reads.size(); ++N) {
        if (!Set.contains(Reads[N]))
          continue;
        if (Next[N] == NeverUsed)
          Set.erase(Reads[N]);
        else
          Set.setNext(Reads[N], Next[N]);
      }
      unsigned Written = 0;
      for (ValueId V : Writes) {
        if (Set.contains(V))
          Set.erase(V);
        Written += Graph.words(V);
      }
      if (Written)
        makeRoom(Written, {}, Where);
      for (unsigned N = 0; N != Writes.size(); ++N)
        if (takesRegister(Writes[N]))
          Set.insert({Writes[N], Next[Reads.size() + N],
                      Graph.isRecomputed(Writes[N])});
      notePeak();
      for (unsigned N = 0; N != Writes.size(); ++N)
        if (Next[Reads.size() + N] == NeverUsed && Set.contains(Writes[N]))
          Set.erase(Writes[N]);
    }
    makeRoomForBackEdges(B);
    Out[B] = Set.members().vec();
    std::sort(Out[B].begin(), Out[B].end());
  }

  /// What a loop's header wants back at the end of B must fit beside what B's
  /// other successors find in registers.
  void makeRoomForBackEdges(BlockId B) {
    for (BlockId S : Graph.Blocks[B].Succs) {
      if (!(Done[S] || S == B) || !goesToEnd(Graph, B, S))
        continue;
      unsigned Missing = 0;
      std::vector<ValueId> Keep;
      for (const Resident &R : In[S]) {
        Keep.push_back(R.Value);
        if (!Pinned[R.Value] && !Set.contains(R.Value))
          Missing += Graph.words(R.Value);
      }
      if (Missing)
        makeRoom(Missing, Keep, {B, Graph.Blocks[B].FirstTerminator});
    }
  }

  //===--- Block borders --------------------------------------------------===//

  bool isHandedOver(BlockId P, ValueId V) const {
    return llvm::any_of(Graph.Blocks[P].Succs,
                        [&](BlockId S) { return find(In[S], V); });
  }

  bool isLiveInto(BlockId S, ValueId V) const {
    const std::vector<ValueId> &LiveIn = Graph.Blocks[S].LiveIn;
    return std::binary_search(LiveIn.begin(), LiveIn.end(), V);
  }

  bool isReadFirst(BlockId B, ValueId V) const {
    const BlockInfo &Block = Graph.Blocks[B];
    return Block.Begin != Block.End &&
           llvm::is_contained(Graph.uses(Block.Begin), V);
  }

  /// Where code for the edge P -> S goes; AtEnd words are in registers at the
  /// end of P if it goes there.
  PlanPoint placeOnEdge(BlockId P, BlockId S, unsigned AtEnd) {
    const BlockInfo &Pred = Graph.Blocks[P];
    if (goesToEnd(Graph, P, S)) {
      bool CanSplit = Pred.Succs.size() > 1 && !Pred.UnsplittableEdges;
      if (AtEnd <= Limit || !CanSplit)
        return {P, Pred.FirstTerminator};
    } else if (Graph.Blocks[S].Preds.size() == 1) {
      return {S, Graph.Blocks[S].Begin};
    }
    Result.Edges.push_back({P, S});
    return {static_cast<BlockId>(Graph.Blocks.size() + Result.Edges.size() - 1),
            0};
  }

  /// Words that P's branches read and that nobody reads after them.
  unsigned branchWords(BlockId P) const {
    unsigned Words = 0;
    std::vector<ValueId> Seen;
    for (InstId I = Graph.Blocks[P].FirstTerminator; I != Graph.Blocks[P].End;
         ++I)
      for (ValueId V : Graph.uses(I))
        if (!find(Out[P], V) && !llvm::is_contained(Seen, V)) {
          Seen.push_back(V);
          Words += Graph.words(V);
        }
    return Words;
  }

  /// Brings what P leaves in registers to what its successors find there.
  void joinSuccessors(BlockId P) {
    PlanPoint End{P, Graph.Blocks[P].FirstTerminator};
    unsigned AtEnd = 0;
    std::vector<ValueId> HandedOver;
    for (const Resident &R : Out[P]) {
      if (isHandedOver(P, R.Value)) {
        HandedOver.push_back(R.Value);
        AtEnd += Graph.words(R.Value);
      } else if (!Pinned[R.Value]) {
        move(R.Value, End, Event::Evict);
      }
    }
    AtEnd += branchWords(P);
    // What comes back at the end of P for one successor is there for the
    // others.
    std::vector<BlockId> Succs = Graph.Blocks[P].Succs;
    std::stable_partition(Succs.begin(), Succs.end(),
                          [&](BlockId S) { return goesToEnd(Graph, P, S); });
    std::vector<ValueId> Back;
    for (BlockId S : Succs) {
      std::vector<ValueId> Missing, Leaving;
      unsigned Words = 0;
      // A pinned value that P does not hand over is undefined on this path.
      for (const Resident &R : In[S])
        if (!Pinned[R.Value] && !find(Out[P], R.Value) &&
            !llvm::is_contained(Back, R.Value)) {
          Missing.push_back(R.Value);
          Words += Graph.words(R.Value);
        }
      for (ValueId V : HandedOver)
        if (!find(In[S], V) && isLiveInto(S, V))
          Leaving.push_back(V);
      if (Missing.empty() && Leaving.empty())
        continue;
      PlanPoint Where = placeOnEdge(P, S, AtEnd + Words);
      for (ValueId V : Missing)
        move(V, Where, Event::Reload);
      for (ValueId V : Leaving)
        move(V, Where, Event::Evict);
      if (Where == End) {
        llvm::append_range(Back, Missing);
        AtEnd += Words;
        Result.MaxWords = std::max(Result.MaxWords, AtEnd);
      }
    }
    // It has no register in those that do not want it, unless they reload it.
    for (BlockId S : Succs)
      for (ValueId V : Back)
        if (!find(In[S], V) && isLiveInto(S, V) && !isReadFirst(S, V))
          move(V, {S, Graph.Blocks[S].Begin}, Event::Evict);
  }
};

} // namespace

ValueResidency planResidency(const KernelGraph &Graph, const NextUse &Uses,
                             unsigned Limit, const std::vector<bool> &Pinned) {
  return ResidencyPlanner(Graph, Uses, Limit, Pinned).run();
}

} // namespace regdem
