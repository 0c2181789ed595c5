//===- MutationsOfRecipe.cpp - mistakes in what demotion is made of -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem::test {

/// The Site-th element of Range that Wanted holds for; null if there are not
/// that many.
template <typename Range, typename Predicate>
static auto *pick(Range &List, unsigned Site, Predicate Wanted) {
  for (auto &Element : List)
    if (Wanted(Element) && Site-- == 0)
      return &Element;
  return static_cast<decltype(&*std::begin(List))>(nullptr);
}

static bool isStore(const PlanAction &A) { return A.What == PlanAction::Store; }
static bool isReload(const PlanAction &A) {
  return A.What == PlanAction::Reload;
}

static void drop(Recipe &R, const PlanAction *A) {
  R.Plan.Actions.erase(R.Plan.Actions.begin() + (A - R.Plan.Actions.data()));
}

static bool skipStore(const Subject &, Recipe &R, unsigned Site) {
  PlanAction *A = pick(R.Plan.Actions, Site, isStore);
  if (A)
    drop(R, A);
  return A;
}

/// Where several blocks store a value, one of them does not.
static bool skipStoreOfOneWay(const Subject &, Recipe &R, unsigned Site) {
  const std::vector<PlanAction> All = R.Plan.Actions;
  PlanAction *A = pick(R.Plan.Actions, Site, [&](const PlanAction &A) {
    return isStore(A) && any_of(All, [&](const PlanAction &Other) {
             return isStore(Other) && Other.Value == A.Value &&
                    Other.Where.Block != A.Where.Block;
           });
  });
  if (A)
    drop(R, A);
  return A;
}

static bool swapSlots(const Subject &, Recipe &R, unsigned Site) {
  std::vector<PlanAction> &All = R.Plan.Actions;
  PlanAction *A = pick(All, Site, [](const PlanAction &) { return true; });
  if (!A)
    return false;
  for (PlanAction *B = A + 1; B != All.data() + All.size(); ++B)
    if (B->Slot != A->Slot) {
      std::swap(A->Slot, B->Slot);
      break;
    }
  return true;
}

/// Every action of one value uses the slot of another.
static bool shareSlot(const Subject &, Recipe &R, unsigned Site) {
  std::vector<std::pair<ValueId, unsigned>> Uses;
  for (const PlanAction &A : R.Plan.Actions)
    if (!is_contained(Uses, std::make_pair(A.Value, A.Slot)))
      Uses.emplace_back(A.Value, A.Slot);
  for (auto [Value, Slot] : Uses)
    for (auto [OtherValue, OtherSlot] : Uses) {
      if (Slot == OtherSlot || Site-- != 0)
        continue;
      for (PlanAction &A : R.Plan.Actions)
        if (A.Value == Value && A.Slot == Slot)
          A.Slot = OtherSlot;
      return true;
    }
  return false;
}

static bool reloadFromNextWord(const Subject &, Recipe &R, unsigned Site) {
  PlanAction *A = pick(R.Plan.Actions, Site, isReload);
  if (A)
    A->Slot += R.Layout.Unit / 4;
  return A;
}

static bool storeToNextWord(const Subject &, Recipe &R, unsigned Site) {
  PlanAction *A = pick(R.Plan.Actions, Site, isStore);
  if (A)
    A->Slot += R.Layout.Unit / 4;
  return A;
}

/// A store stands before the definition of what it is to store, and so keeps
/// the value from before.
static bool storeBeforeDefinition(const Subject &S, Recipe &R, unsigned Site) {
  const KernelGraph &G = S.Code.Graph;
  InstId Definition = 0;
  PlanAction *A = pick(R.Plan.Actions, Site, [&](const PlanAction &A) {
    if (!isStore(A) || A.Where.Block >= G.Blocks.size())
      return false;
    for (InstId I = A.Where.Before; I-- > G.Blocks[A.Where.Block].Begin;)
      if (is_contained(G.defs(I), A.Value)) {
        Definition = I;
        return true;
      }
    return false;
  });
  if (A)
    A->Where.Before = Definition;
  return A;
}

static bool storeAtEndOfBlock(const Subject &S, Recipe &R, unsigned Site) {
  const KernelGraph &G = S.Code.Graph;
  PlanAction *A = pick(R.Plan.Actions, Site, [&](const PlanAction &A) {
    return isStore(A) && A.Where.Block < G.Blocks.size();
  });
  if (!A)
    return false;
  // Last of all, after the block's reloads.
  PlanAction Moved = *A;
  Moved.Where.Before = G.Blocks[Moved.Where.Block].End;
  drop(R, A);
  R.Plan.Actions.push_back(Moved);
  return true;
}

static bool splitOtherEdge(const Subject &S, Recipe &R, unsigned Site) {
  if (Site >= R.Plan.Edges.size())
    return false;
  SplitEdge &E = R.Plan.Edges[Site];
  for (BlockId Succ : S.Code.Graph.Blocks[E.Pred].Succs)
    if (Succ != E.Succ) {
      E.Succ = Succ;
      break;
    }
  return true;
}

static bool skipStoreOnEdge(const Subject &S, Recipe &R, unsigned Site) {
  const KernelGraph &G = S.Code.Graph;
  PlanAction *A = pick(R.Plan.Actions, Site, [&](const PlanAction &A) {
    return isStore(A) && A.Where.Block >= G.Blocks.size();
  });
  if (A)
    drop(R, A);
  return A;
}

static bool wrongStride(const Subject &, Recipe &R, unsigned Site) {
  const unsigned Units[] = {2, 4, 6, 8, 12, 16};
  const unsigned *Unit =
      pick(Units, Site, [&](unsigned Unit) { return Unit != R.Layout.Unit; });
  if (Unit)
    R.Layout.Unit = *Unit;
  return Unit;
}

static bool slotsTooClose(const Subject &, Recipe &R, unsigned Site) {
  if (Site >= 2 || R.Layout.Words < 2)
    return false;
  R.Layout.Threads = Site ? 1 : R.Layout.Threads / 2;
  return true;
}

static bool regionForFewerThreads(const Subject &, Recipe &R, unsigned Site) {
  if (Site)
    return false;
  R.Bounds.Bytes /= 2;
  return true;
}

static bool regionOneWordShort(const Subject &, Recipe &R, unsigned Site) {
  if (Site)
    return false;
  R.Bounds.Bytes -= 4;
  return true;
}

static bool flatShape(const Subject &, Recipe &R, unsigned Site) {
  if (Site || R.Dims[1] == 1)
    return false;
  R.Dims[0] = R.Bounds.Threads;
  R.Dims[1] = R.Dims[2] = 1;
  return true;
}

static bool noThirdDimension(const Subject &, Recipe &R, unsigned Site) {
  if (Site || R.Dims[2] == 1)
    return false;
  R.Dims[2] = 1;
  return true;
}

static bool swappedExtents(const Subject &, Recipe &R, unsigned Site) {
  if (Site || R.Dims[0] == R.Dims[1])
    return false;
  std::swap(R.Dims[0], R.Dims[1]);
  return true;
}

static bool assumedExtents(const Subject &, Recipe &R, unsigned Site) {
  if (Site || R.Dims[0])
    return false;
  R.Dims[0] = R.Dims[1] = 4;
  return true;
}

static bool otherRegion(const Subject &S, Recipe &R, unsigned Site) {
  if (Site)
    return false;
  R.Region = &S.OtherRegion;
  return true;
}

static bool threadsTooClose(const Subject &, Recipe &R, unsigned Site) {
  unsigned Less = (Site + 1) * R.Layout.Unit;
  if (Site >= 2 || Less >= R.Layout.ThreadBytes)
    return false;
  R.Layout.ThreadBytes -= Less;
  return true;
}

static bool threadsTooFarApart(const Subject &, Recipe &R, unsigned Site) {
  R.Layout.ThreadBytes += R.Layout.Unit;
  return !Site;
}

static bool launchesAddLess(const Subject &, Recipe &R, unsigned Site) {
  R.Bounds.ThreadBytes -= R.Layout.Unit;
  return !Site;
}

/// The slots of a thread begin where the last ones end.
static bool behindTheEnd(const Subject &, Recipe &R, unsigned Site) {
  for (PlanAction &A : R.Plan.Actions)
    if (A.What != PlanAction::Recompute)
      A.Slot += R.Layout.ThreadBytes / 4;
  return !Site;
}

static bool variableLayout(const Subject &, Recipe &R, unsigned Site) {
  R.Layout.ThreadBytes = 0;
  return !Site;
}

std::vector<Mutation> endMutations() {
  return {
      {"two accesses swap their slots", swapSlots},
      {"two values share a slot", shareSlot},
      {"a reload reads the next slot", reloadFromNextWord},
      {"threads lie too close together", threadsTooClose},
      {"threads lie too far apart", threadsTooFarApart},
      {"launches add too little", launchesAddLess},
      {"slots lie behind the end", behindTheEnd},
      {"slots lie as in a variable", variableLayout},
      {"the slots lie in another variable", otherRegion},
      {"only x counts in the thread's index", flatShape},
      {"z does not count in the thread's index", noThirdDimension},
  };
}

std::vector<Mutation> recipeMutations() {
  return {
      {"a store is left out", skipStore},
      {"one way into a join does not store", skipStoreOfOneWay},
      {"two accesses swap their slots", swapSlots},
      {"two values share a slot", shareSlot},
      {"a reload reads the next slot", reloadFromNextWord},
      {"a store writes the next slot", storeToNextWord},
      {"a store stands before the definition", storeBeforeDefinition},
      {"a store comes too late", storeAtEndOfBlock},
      {"the wrong edge is split", splitOtherEdge},
      {"an edge does not store", skipStoreOnEdge},
      {"the stride is wrong", wrongStride},
      {"slots lie too close together", slotsTooClose},
      {"the region is for half the threads", regionForFewerThreads},
      {"the region is one word short", regionOneWordShort},
      {"only x counts in the thread's index", flatShape},
      {"z does not count in the thread's index", noThirdDimension},
      {"extents are swapped", swappedExtents},
      {"extents are assumed", assumedExtents},
      {"the slots lie in another variable", otherRegion},
  };
}

} // namespace regdem::test
