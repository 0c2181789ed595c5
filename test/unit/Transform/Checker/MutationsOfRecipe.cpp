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

/// A mistake that Change(S, R, A) makes of each action A of the plan of R that
/// Wanted(S, R, A) holds for.
template <typename Predicate, typename Action>
static Mutation changing(const char *Name, Predicate Wanted, Action Change) {
  return {Name, [=](const Subject &S, Recipe &R, unsigned Site) {
            PlanAction *A = pick(R.Plan.Actions, Site, [&](PlanAction &A) {
              return Wanted(S, R, A);
            });
            if (A)
              Change(S, R, *A);
            return A != nullptr;
          }};
}

/// One that Change(S, R) makes where May(R).
template <typename Predicate, typename Action>
static Mutation once(const char *Name, Predicate May, Action Change) {
  return {Name, [=](const Subject &S, Recipe &R, unsigned Site) {
            if (Site || !May(R))
              return false;
            Change(S, R);
            return true;
          }};
}

static bool always(const Recipe &) { return true; }

static void drop(const Subject &, Recipe &R, const PlanAction &A) {
  R.Plan.Actions.erase(R.Plan.Actions.begin() + (&A - R.Plan.Actions.data()));
}

static void toNextWord(const Subject &, const Recipe &R, PlanAction &A) {
  A.Slot += R.Layout.Unit / 4;
}

static bool storesInBlock(const Subject &S, const Recipe &,
                          const PlanAction &A) {
  return isStore(A) && A.Where.Block < S.Code.Graph.Blocks.size();
}

static bool storesOnEdge(const Subject &S, const Recipe &,
                         const PlanAction &A) {
  return isStore(A) && A.Where.Block >= S.Code.Graph.Blocks.size();
}

/// Whether other blocks than A's store the same value.
static bool storesOneWay(const Subject &, const Recipe &R,
                         const PlanAction &A) {
  return isStore(A) && any_of(R.Plan.Actions, [&](const PlanAction &Other) {
           return isStore(Other) && Other.Value == A.Value &&
                  Other.Where.Block != A.Where.Block;
         });
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

/// The definition of what A stores ahead of it in its block, if there is one.
static std::optional<InstId> definitionAhead(const Subject &S,
                                             const PlanAction &A) {
  const KernelGraph &G = S.Code.Graph;
  for (InstId I = A.Where.Before; I-- > G.Blocks[A.Where.Block].Begin;)
    if (is_contained(G.defs(I), A.Value))
      return I;
  return std::nullopt;
}

/// The store comes last of all, after the block's reloads.
static void storeAtEndOfBlock(const Subject &S, Recipe &R, PlanAction &A) {
  PlanAction Moved = A;
  Moved.Where.Before = S.Code.Graph.Blocks[Moved.Where.Block].End;
  drop(S, R, A);
  R.Plan.Actions.push_back(Moved);
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

static bool threadsTooClose(const Subject &, Recipe &R, unsigned Site) {
  unsigned Less = (Site + 1) * R.Layout.Unit;
  if (Site >= 2 || Less >= R.Layout.ThreadBytes)
    return false;
  R.Layout.ThreadBytes -= Less;
  return true;
}

/// The slots of a thread begin where the last ones end.
static void putBehindTheEnd(const Subject &, Recipe &R) {
  for (PlanAction &A : R.Plan.Actions)
    if (A.What != PlanAction::Recompute)
      A.Slot += R.Layout.ThreadBytes / 4;
}

/// Mistakes wherever slots lie.
static std::vector<Mutation> usualMutations() {
  return {
      {"two accesses swap their slots", swapSlots},
      {"two values share a slot", shareSlot},
      changing(
          "a reload reads the next slot",
          [](const Subject &, const Recipe &, const PlanAction &A) {
            return isReload(A);
          },
          toNextWord),
      once("the slots lie in another variable", always,
           [](const Subject &S, Recipe &R) { R.Region = &S.OtherRegion; }),
      once(
          "only x counts in the thread's index",
          [](const Recipe &R) { return R.Dims[1] != 1; },
          [](const Subject &, Recipe &R) {
            R.Dims[0] = R.Bounds.Threads;
            R.Dims[1] = R.Dims[2] = 1;
          }),
      once(
          "z does not count in the thread's index",
          [](const Recipe &R) { return R.Dims[2] != 1; },
          [](const Subject &, Recipe &R) { R.Dims[2] = 1; }),
  };
}

std::vector<Mutation> endMutations() {
  std::vector<Mutation> All = {
      {"threads lie too close together", threadsTooClose},
      once("threads lie too far apart", always,
           [](const Subject &, Recipe &R) {
             R.Layout.ThreadBytes += R.Layout.Unit;
           }),
      once("launches add too little", always,
           [](const Subject &, Recipe &R) {
             R.Bounds.ThreadBytes -= R.Layout.Unit;
           }),
      once("slots lie behind the end", always, putBehindTheEnd),
      once("slots lie as in a variable", always,
           [](const Subject &, Recipe &R) { R.Layout.ThreadBytes = 0; }),
  };
  append_range(All, usualMutations());
  return All;
}

std::vector<Mutation> recipeMutations() {
  auto IsStore = [](const Subject &, const Recipe &, const PlanAction &A) {
    return isStore(A);
  };
  std::vector<Mutation> All = {
      changing("a store is left out", IsStore, drop),
      changing("one way into a join does not store", storesOneWay, drop),
      changing("a store writes the next slot", IsStore, toNextWord),
      // It keeps the value from before then.
      changing(
          "a store stands before the definition",
          [](const Subject &S, const Recipe &R, const PlanAction &A) {
            return storesInBlock(S, R, A) && definitionAhead(S, A);
          },
          [](const Subject &S, Recipe &, PlanAction &A) {
            A.Where.Before = *definitionAhead(S, A);
          }),
      changing("a store comes too late", storesInBlock, storeAtEndOfBlock),
      {"the wrong edge is split", splitOtherEdge},
      changing("an edge does not store", storesOnEdge, drop),
      {"the stride is wrong", wrongStride},
      {"slots lie too close together", slotsTooClose},
      once("the region is for half the threads", always,
           [](const Subject &, Recipe &R) { R.Bounds.Bytes /= 2; }),
      once("the region is one word short", always,
           [](const Subject &, Recipe &R) { R.Bounds.Bytes -= 4; }),
      once(
          "extents are swapped",
          [](const Recipe &R) { return R.Dims[0] != R.Dims[1]; },
          [](const Subject &, Recipe &R) { std::swap(R.Dims[0], R.Dims[1]); }),
      once(
          "extents are assumed", [](const Recipe &R) { return !R.Dims[0]; },
          [](const Subject &, Recipe &R) { R.Dims[0] = R.Dims[1] = 4; }),
  };
  append_range(All, usualMutations());
  return All;
}

} // namespace regdem::test
