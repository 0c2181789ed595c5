//===- BlockEntry.cpp - registers in use where a block begins -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockEntry.h"

#include "regdem/Analysis/RegisterPressure.h"
#include <algorithm>
#include <tuple>

using namespace llvm;

namespace regdem {

/// The most register words that live values take anywhere in each loop.
static std::vector<unsigned> loopPeaks(const KernelGraph &Graph) {
  std::vector<unsigned> Peaks(Graph.Loops.size());
  std::vector<unsigned> Pressures = blockPressures(Graph);
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B)
    for (unsigned L = Graph.Blocks[B].Loop; L != NoLoop;
         L = Graph.Loops[L].Parent)
      Peaks[L] = std::max(Peaks[L], Pressures[B]);
  return Peaks;
}

const Resident *find(const Residents &List, ValueId V) {
  auto It = std::lower_bound(List.begin(), List.end(), Resident{V, 0, false});
  return It != List.end() && It->Value == V ? &*It : nullptr;
}

EntryChooser::EntryChooser(const KernelGraph &Graph, const NextUse &Uses,
                           unsigned Limit, const std::vector<bool> &Pinned)
    : Graph(Graph), Uses(Uses), Limit(Limit), Pinned(Pinned),
      Peaks(loopPeaks(Graph)) {}

Residents EntryChooser::choose(BlockId B, const std::vector<Residents> &Out,
                               const std::vector<bool> &Done) const {
  const std::vector<BlockId> &Preds = Graph.Blocks[B].Preds;
  Arrivals From;
  for (BlockId P : Preds)
    if (Done[P])
      From.push_back(
          {std::max<uint64_t>(Graph.Blocks[P].frequencyTo(B), 1), Out[P]});
  bool AllDone = From.size() == Preds.size();
  Residents Entry = AllDone ? joinedEntry(B, From) : loopEntry(B, From);
  std::sort(Entry.begin(), Entry.end());
  return Entry;
}

/// Adds those of List, nearest first, that fit into Room words; pinned ones
/// always.
void EntryChooser::takeNearest(Residents List, unsigned Room, Residents &To,
                               unsigned &Used) const {
  // What cannot leave anyway first, so that the rest sees what is left.
  auto Rank = [this](const Resident &R) {
    return std::make_tuple(!Pinned[R.Value], R.Next, R.Value);
  };
  std::sort(
      List.begin(), List.end(),
      [&](const Resident &A, const Resident &B) { return Rank(A) < Rank(B); });
  for (const Resident &R : List) {
    unsigned Words = Graph.words(R.Value);
    if (!Pinned[R.Value] && Used + Words > Room)
      continue;
    To.push_back(R);
    Used += Words;
  }
}

EntryChooser::Handover EntryChooser::handover(const Arrivals &From, ValueId V) {
  Handover H;
  for (const Arrival &A : From) {
    H.Total += A.Frequency;
    const Resident *R = find(A.Out, V);
    H.InAll &= R != nullptr;
    if (R) {
      H.InRegister += A.Frequency;
      H.CleanInAll &= R->Clean;
    }
  }
  return H;
}

/// A value stays in a register that every predecessor has it in; one that
/// only some have is reloaded on the other edges if those are the rarer.
Residents EntryChooser::joinedEntry(BlockId B, const Arrivals &From) const {
  Residents Entry;
  unsigned Used = 0;
  Residents Certain, Partial;
  ArrayRef<Distance> Next = Uses.atEntry(B);
  for (unsigned I = 0; I != Next.size(); ++I) {
    ValueId V = Graph.Blocks[B].LiveIn[I];
    if (!Graph.words(V))
      continue;
    Handover H = handover(From, V);
    if (H.InAll || Pinned[V])
      Certain.push_back({V, Next[I], H.CleanInAll});
    else if (H.InRegister * 2 >= H.Total)
      Partial.push_back({V, Next[I], H.CleanInAll});
  }
  takeNearest(std::move(Certain), Limit, Entry, Used);
  takeNearest(std::move(Partial), Limit, Entry, Used);
  return Entry;
}

/// At a loop's header: first what the loop reads; what only passes through
/// keeps its register if the loop's peak leaves room for it.
Residents EntryChooser::loopEntry(BlockId B, const Arrivals &From) const {
  const BlockInfo &Block = Graph.Blocks[B];
  Residents Entry;
  unsigned Used = 0, PassingWords = 0;
  Residents Read, Passing;
  ArrayRef<Distance> Next = Uses.atEntry(B);
  for (unsigned I = 0; I != Next.size(); ++I) {
    ValueId V = Block.LiveIn[I];
    if (!Graph.words(V))
      continue;
    Handover H = handover(From, V);
    if (Next[I] < LoopExitLength || Pinned[V]) {
      Read.push_back({V, Next[I], H.CleanInAll});
      continue;
    }
    PassingWords += Graph.words(V);
    if (H.InRegister)
      Passing.push_back({V, Next[I], H.CleanInAll});
  }
  takeNearest(std::move(Read), Limit, Entry, Used);
  unsigned Peak = Graph.isLoopHeader(B) ? Peaks[Block.Loop] : Limit;
  unsigned Needed = Peak > PassingWords ? Peak - PassingWords : 0;
  unsigned Kept = std::max(Needed, Used);
  if (Kept < Limit) {
    unsigned PassingUsed = 0;
    takeNearest(std::move(Passing), Limit - Kept, Entry, PassingUsed);
  }
  return Entry;
}

} // namespace regdem
