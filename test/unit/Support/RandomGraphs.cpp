//===- RandomGraphs.cpp - kernel graphs by seed -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGraphs.h"

#include "GraphBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace regdem::test {

namespace {

class Generator {
public:
  Generator(Shape Form, uint64_t Seed, Undefined Partly)
      : Form(Form), Partly(Partly),
        Rand(Seed * NumShapes + static_cast<unsigned>(Form)) {}

  KernelGraph run() {
    makeValues();
    switch (Form) {
    case Shape::Line:
      for (unsigned I = 0, E = 1 + Rand.below(4); I != E; ++I)
        link({open()});
      break;
    case Shape::Structured:
      link({open()});
      for (unsigned I = 0, E = 1 + Rand.below(3); I != E; ++I)
        region(3);
      link({open()});
      break;
    case Shape::Arbitrary:
      arbitrary();
      break;
    }
    writeCode();
    connect();
    return Build.finish(Partly == Undefined::NotLive);
  }

private:
  const Shape Form;
  const Undefined Partly;
  Random Rand;
  GraphBuilder Build;
  /// Values that are written at the entry, and those that may not be.
  std::vector<ValueId> Always, Sometimes;
  std::vector<ValueId> Branched;            ///< Values that branches read.
  std::vector<std::vector<BlockId>> Blocks; ///< Successors by block.
  std::vector<BlockId> Loose;     ///< Blocks whose next successor is to come.
  std::vector<BlockId> LoopExits; ///< Blocks that jump after their loop.

  void makeValues() {
    for (unsigned I = 0, E = 3 + Rand.below(18); I != E; ++I) {
      constexpr unsigned Sizes[] = {1, 1, 1, 1, 2, 2, 4};
      unsigned Words = Sizes[Rand.below(7)];
      ValueKind Kind = ValueKind::Demotable;
      if (Rand.oneIn(8)) {
        constexpr ValueKind Pinned[] = {ValueKind::Free, ValueKind::Product,
                                        ValueKind::NoLoad,
                                        ValueKind::Terminator};
        Kind = Pinned[Rand.below(4)];
      }
      ValueId V = Build.value(Words, Kind);
      bool MayLack = Rand.oneIn(6) && Partly != Undefined::None;
      (MayLack ? Sometimes : Always).push_back(V);
      if (Kind == ValueKind::Terminator)
        Branched.push_back(V);
    }
    Branched.push_back(Build.value(0, ValueKind::Predicate));
    Always.push_back(Branched.back());
  }

  //===--- Control flow ---------------------------------------------------===//

  /// A new block after all loose ends.
  BlockId open() {
    BlockId B = static_cast<BlockId>(Blocks.size());
    Blocks.emplace_back();
    for (BlockId P : Loose)
      addEdge(P, B);
    Loose.clear();
    return B;
  }
  void link(std::vector<BlockId> Ends) { Loose = std::move(Ends); }
  void addEdge(BlockId From, BlockId To) {
    if (!is_contained(Blocks[From], To))
      Blocks[From].push_back(To);
  }

  void region(unsigned Depth) {
    unsigned What = Depth ? Rand.below(4) : 0;
    if (What == 0) {
      link({open()});
    } else if (What == 1) { // A sequence.
      region(Depth - 1);
      region(Depth - 1);
    } else if (What == 2) { // A branch with one arm or two.
      BlockId Head = open();
      link({Head});
      region(Depth - 1);
      std::vector<BlockId> Ends = std::move(Loose);
      link({Head});
      if (Rand.oneIn(2))
        region(Depth - 1);
      append_range(Loose, Ends);
    } else { // A loop, entered at its header, left there or anywhere.
      BlockId Header = open();
      std::vector<BlockId> OuterExits = std::move(LoopExits);
      LoopExits.clear();
      link({Header});
      region(Depth - 1);
      if (Rand.oneIn(2))
        LoopExits.push_back(Header);
      BlockId Latch = open();
      addEdge(Latch, Header);
      link({Latch});
      append_range(Loose, LoopExits);
      LoopExits = std::move(OuterExits);
    }
    if (Depth < 3 && Rand.oneIn(4) && Loose.size() == 1)
      LoopExits.push_back(Loose.front());
  }

  /// A chain with edges from anywhere to anywhere but the entry.
  void arbitrary() {
    unsigned Count = 3 + Rand.below(10);
    for (unsigned I = 0; I != Count; ++I)
      link({open()});
    for (unsigned I = 0, E = 1 + Rand.below(Count); I != E; ++I)
      addEdge(Rand.below(Count), 1 + Rand.below(Count - 1));
  }

  void connect() {
    for (BlockId B = 0; B != Blocks.size(); ++B) {
      bool Lopsided = Blocks[B].size() == 2 && Rand.oneIn(2);
      for (BlockId S : Blocks[B])
        Build.edge(B, S, Lopsided ? (S == Blocks[B][0] ? 90 : 10) : 0);
      if (Blocks[B].size() > 1 && Rand.oneIn(6))
        Build.unsplittable(B);
    }
  }

  //===--- Code -----------------------------------------------------------===//

  ValueId anyValue() {
    const auto &From = !Sometimes.empty() && Rand.oneIn(8) ? Sometimes : Always;
    return From[Rand.below(static_cast<unsigned>(From.size()))];
  }

  struct Code {
    std::vector<ValueId> Uses, Defs;
    bool Branches = false;
  };

  std::vector<Code> codeOf(BlockId B) {
    std::vector<Code> List;
    if (B == 0)
      for (ValueId V : Always)
        List.push_back({{}, {V}});
    // Where a value is read often, little can be gained; vary that.
    for (unsigned I = 0, E = Rand.below(Rand.oneIn(3) ? 12 : 5); I != E; ++I) {
      Code C;
      for (unsigned U = 0, N = Rand.below(4); U != N; ++U)
        C.Uses.push_back(anyValue());
      if (Rand.oneIn(3))
        C.Defs.push_back(anyValue());
      if (Rand.oneIn(20))
        C.Defs.push_back(anyValue());
      List.push_back(std::move(C));
    }
    if (Blocks[B].size() > 1)
      List.push_back(
          {{Branched[Rand.below(static_cast<unsigned>(Branched.size()))]},
           {},
           true});
    else if (!Blocks[B].empty() && Rand.oneIn(2))
      List.push_back({{}, {}, true});
    // What is read at the end is live across everything before.
    if (Blocks[B].empty())
      for (ValueId V : Always)
        List.push_back({{V}, {}});
    return List;
  }

  /// Compilers mark a read that no definition reaches as undefined, and it
  /// reads nothing then.
  void dropUndefinedReads(std::vector<std::vector<Code>> &All) {
    std::vector<std::set<ValueId>> Reached(All.size());
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BlockId B = 0; B != All.size(); ++B) {
        std::set<ValueId> Out = Reached[B];
        for (const Code &C : All[B])
          Out.insert(C.Defs.begin(), C.Defs.end());
        for (BlockId S : Blocks[B]) {
          size_t Before = Reached[S].size();
          Reached[S].insert(Out.begin(), Out.end());
          Changed |= Reached[S].size() != Before;
        }
      }
    }
    for (BlockId B = 0; B != All.size(); ++B)
      for (Code &C : All[B]) {
        erase_if(C.Uses, [&](ValueId V) { return !Reached[B].count(V); });
        Reached[B].insert(C.Defs.begin(), C.Defs.end());
      }
  }

  void writeCode() {
    std::vector<std::vector<Code>> All;
    for (BlockId B = 0; B != Blocks.size(); ++B)
      All.push_back(codeOf(B));
    dropUndefinedReads(All);
    for (const std::vector<Code> &List : All) {
      Build.block();
      for (const Code &C : List)
        if (C.Branches)
          Build.branch(C.Uses);
        else
          Build.inst(C.Uses, C.Defs);
    }
  }
};

} // namespace

/// Has some of the values with one definition recomputed.
static void chooseHomes(KernelGraph &Graph, uint64_t Seed) {
  std::vector<unsigned> NumDefs(Graph.Values.size());
  for (InstId I = 0; I != Graph.numInsts(); ++I)
    for (ValueId V : Graph.defs(I))
      ++NumDefs[V];
  Random Rand(Seed + 1000000);
  for (ValueId V = 0; V != Graph.Values.size(); ++V)
    if (Rand.oneIn(3) && NumDefs[V] == 1 && Graph.isDemotable(V))
      Graph.Values[V].IsRecomputed = true;
}

KernelGraph randomGraph(Shape Form, uint64_t Seed, Undefined Partly) {
  KernelGraph Graph = Generator(Form, Seed, Partly).run();
  if (Seed % 2)
    chooseHomes(Graph, Seed);
  return Graph;
}

} // namespace regdem::test
