//===- ExcessTree.cpp - words over a limit, by instruction ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExcessTree.h"

#include <algorithm>

using namespace llvm;

namespace regdem {

/// Makes this the leaf of an instruction that is Words over the limit.
void ExcessTree::Node::setExcess(unsigned Words) {
  for (unsigned W = 1; W <= MostWords; ++W)
    Relief[W - 1] = std::min(W, Words);
  Least = Words ? Words : NoExcess;
}

/// What leaves the registers at all instructions below; none may relieve less
/// for it.
void ExcessTree::Node::enter(Leaving What) {
  if (Least != NoExcess)
    Least -= What.Words;
  MostInSlots += What.ToSlots;
  Pending.Words += What.Words;
  Pending.ToSlots += What.ToSlots;
}

ExcessTree::ExcessTree(ArrayRef<unsigned> Excess) {
  while (Leaves < Excess.size())
    Leaves *= 2;
  Nodes.resize(2 * Leaves);
  for (size_t I = 0; I != Excess.size(); ++I)
    Nodes[Leaves + I].setExcess(Excess[I]);
  for (unsigned N = Leaves; --N != 0;)
    pull(N);
}

/// Sums up what is below node N, with nothing pending there.
void ExcessTree::pull(unsigned N) {
  const Node &A = Nodes[2 * N], &B = Nodes[2 * N + 1];
  for (unsigned W = 0; W != MostWords; ++W)
    Nodes[N].Relief[W] = A.Relief[W] + B.Relief[W];
  Nodes[N].Least = std::min(A.Least, B.Least);
  Nodes[N].MostInSlots = std::max(A.MostInSlots, B.MostInSlots);
}

void ExcessTree::take(InstId First, InstId Last, Leaving What) {
  take(1, 0, Leaves, First, Last, What);
}

/// Node N has Size leaves from Begin on.
void ExcessTree::take(unsigned N, unsigned Begin, unsigned Size, InstId First,
                      InstId Last, Leaving What) {
  if (Last < Begin || First >= Begin + Size)
    return;
  Node &Here = Nodes[N];
  bool Covered = First <= Begin && Begin + Size - 1 <= Last;
  // What any value relieves changes only where less than MostWords are left:
  // there the leaves are visited, each a few times until it has no excess.
  if (Covered &&
      (Here.Least == NoExcess || Here.Least >= What.Words + MostWords)) {
    Here.enter(What);
    return;
  }
  if (Size == 1) {
    Here.MostInSlots += What.ToSlots;
    Here.setExcess(Here.Least > What.Words ? Here.Least - What.Words : 0);
    return;
  }
  for (unsigned Child : {2 * N, 2 * N + 1})
    Nodes[Child].enter(Here.Pending);
  Here.Pending = {};
  take(2 * N, Begin, Size / 2, First, Last, What);
  take(2 * N + 1, Begin + Size / 2, Size / 2, First, Last, What);
  pull(N);
}

unsigned ExcessTree::relief(InstId First, InstId Last, unsigned Words) const {
  // What is pending below a node does not change what is relieved there.
  unsigned Sum = 0;
  unsigned A = First + Leaves, B = Last + Leaves + 1;
  for (; A < B; A /= 2, B /= 2) {
    if (A % 2)
      Sum += Nodes[A++].Relief[Words - 1];
    if (B % 2)
      Sum += Nodes[--B].Relief[Words - 1];
  }
  return Sum;
}

unsigned ExcessTree::mostInSlots(InstId First, InstId Last) const {
  unsigned A = First + Leaves, B = Last + Leaves;
  unsigned AtA = Nodes[A].MostInSlots, AtB = Nodes[B].MostInSlots;
  // Upwards along both ends of the range, in which what is pending above a
  // node is added to the most of what lies below it.
  while (A / 2 != B / 2) {
    if (A % 2 == 0)
      AtA = std::max(AtA, Nodes[A + 1].MostInSlots);
    if (B % 2 == 1)
      AtB = std::max(AtB, Nodes[B - 1].MostInSlots);
    A /= 2;
    B /= 2;
    AtA += Nodes[A].Pending.ToSlots;
    AtB += Nodes[B].Pending.ToSlots;
  }
  unsigned Most = std::max(AtA, AtB);
  for (A /= 2; A != 0; A /= 2)
    Most += Nodes[A].Pending.ToSlots;
  return Most;
}

} // namespace regdem
