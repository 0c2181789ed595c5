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

/// Whether code for the edge Pred -> Succ goes to the end of Pred, or else to
/// the start of Succ. At an edge between blocks that have others, too, Pred's
/// other ways run it in vain: a block of its own would cost a branch.
static bool goesToEnd(const KernelGraph &Graph, BlockId Pred, BlockId Succ) {
  return Graph.Blocks[Pred].Succs.size() == 1 ||
         Graph.Blocks[Succ].Preds.size() != 1;
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
    Result.Reloads.resize(Graph.Values.size());
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

  void reload(ValueId V, PlanPoint Where) {
    Result.Reloads[V].push_back(Where);
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

  /// Evicts the values read farthest ahead of Now, a distance from the block's
  /// start, until Extra more words fit; those in Keep stay.
  void makeRoom(unsigned Extra, ArrayRef<ValueId> Keep, Distance Now) {
    if (Set.words() + Extra <= Limit)
      return;
    for (ValueId V : Keep)
      Protected[V] = true;
    unsigned Most = Limit > Extra ? Limit - Extra : 0;
    Set.evict(Most, Now, Protected);
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
        makeRoom(Missing, Reads, Where.Before - Block.Begin);
      for (ValueId V : Reads) {
        if (!takesRegister(V) || Set.contains(V))
          continue;
        // A pinned value that is not there is undefined: nothing to reload.
        if (!Pinned[V])
          reload(V, Where);
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
        makeRoom(Written, {}, Where.Before - Block.Begin);
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
        makeRoom(Missing, Keep,
                 Graph.Blocks[B].FirstTerminator - Graph.Blocks[B].Begin);
    }
  }

  //===--- Block borders --------------------------------------------------===//

  bool isHandedOver(BlockId P, ValueId V) const {
    return llvm::any_of(Graph.Blocks[P].Succs,
                        [&](BlockId S) { return find(In[S], V); });
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
    unsigned AtEnd = branchWords(P);
    for (const Resident &R : Out[P])
      if (isHandedOver(P, R.Value))
        AtEnd += Graph.words(R.Value);
    // What comes back at the end of P for one successor is there for the
    // others.
    std::vector<BlockId> Succs = Graph.Blocks[P].Succs;
    std::stable_partition(Succs.begin(), Succs.end(),
                          [&](BlockId S) { return goesToEnd(Graph, P, S); });
    std::vector<ValueId> Back;
    for (BlockId S : Succs)
      // A pinned value that P does not hand over is undefined on this path.
      for (const Resident &R : In[S]) {
        if (Pinned[R.Value] || find(Out[P], R.Value) ||
            llvm::is_contained(Back, R.Value))
          continue;
        if (!goesToEnd(Graph, P, S)) {
          reload(R.Value, {S, Graph.Blocks[S].Begin});
          continue;
        }
        reload(R.Value, {P, Graph.Blocks[P].FirstTerminator});
        Back.push_back(R.Value);
        AtEnd += Graph.words(R.Value);
      }
    Result.MaxWords = std::max(Result.MaxWords, AtEnd);
  }
};

} // namespace

ValueResidency planResidency(const KernelGraph &Graph, const NextUse &Uses,
                             unsigned Limit, const std::vector<bool> &Pinned) {
  return ResidencyPlanner(Graph, Uses, Limit, Pinned).run();
}

} // namespace regdem
