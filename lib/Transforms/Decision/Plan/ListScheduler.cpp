//===- ListScheduler.cpp - an order of few registers ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Plan/ListScheduler.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

using namespace llvm;

namespace regdem {

/// Instructions by which chains must differ for one to count as longer. With
/// the exact length there is a longest one always, and the order gets wide.
static constexpr int ChainStep = 6;

void ScheduleGraph::addEdge(unsigned Before, unsigned Behind) {
  if (is_contained(Nodes[Behind].Preds, Before))
    return;
  Nodes[Behind].Preds.push_back(Before);
  Nodes[Before].Succs.push_back(Behind);
}

namespace {

/// Near and Deep: from the end of the block upwards.
class UpwardScheduler {
public:
  UpwardScheduler(const ScheduleGraph &Graph, InstOrder How)
      : Graph(Graph), How(How), Live(Graph.LiveOut), Since(Graph.Words.size()),
        Touching(Graph.Words.size()), Missing(Graph.Nodes.size()),
        Depth(Graph.Nodes.size()), Keys(Graph.Nodes.size()),
        IsReady(static_cast<unsigned>(Graph.Nodes.size())) {
    Live.resize(static_cast<unsigned>(Graph.Words.size()));
    for (unsigned N = 0; N != Graph.Nodes.size(); ++N) {
      const ScheduleGraph::Node &Node = Graph.Nodes[N];
      Missing[N] = static_cast<unsigned>(Node.Succs.size());
      for (unsigned P : Node.Preds)
        Depth[N] = std::max(Depth[N], Depth[P] + 1);
      for (unsigned V : Node.Uses)
        Touching[V].push_back(N);
      for (unsigned V : Node.Defs)
        if (!is_contained(Node.Uses, V))
          Touching[V].push_back(N);
    }
  }

  std::vector<unsigned> run() {
    for (unsigned N = 0; N != Graph.Nodes.size(); ++N)
      if (!Missing[N])
        release(N);
    std::vector<unsigned> Order;
    while (!Ready.empty()) {
      unsigned N = Ready.begin()->second;
      withdraw(N);
      Order.push_back(N);
      place(N);
    }
    std::reverse(Order.begin(), Order.end());
    return Order;
  }

private:
  /// The least comes first, which is the next one upwards. The last part is
  /// the node's place in the source, from its end.
  using Key = std::tuple<int, int, int, int, int>;

  const ScheduleGraph &Graph;
  const InstOrder How;
  BitVector Live;         ///< Below what is placed.
  std::vector<int> Since; ///< When each live value was wanted first.
  int Clock = 0;
  std::vector<SmallVector<unsigned, 4>> Touching; ///< Nodes of each value.
  std::vector<unsigned> Missing; ///< Successors that are not placed yet.
  std::vector<int> Depth;        ///< Longest chain that leads to a node.
  std::set<std::pair<Key, unsigned>> Ready;
  std::vector<Key> Keys; ///< Of the nodes in Ready.
  BitVector IsReady;

  Key keyOf(unsigned N) const {
    const ScheduleGraph::Node &Node = Graph.Nodes[N];
    int Growth = 0, Wanted = 0, AlreadyLive = 0;
    for (unsigned V : Node.Defs)
      if (Live.test(V)) {
        Growth -= static_cast<int>(Graph.Words[V]);
        Wanted = std::max(Wanted, Since[V]);
      }
    for (unsigned V : Node.Uses) {
      if (!Live.test(V) || is_contained(Node.Defs, V))
        Growth += static_cast<int>(Graph.Words[V]);
      else
        AlreadyLive += Graph.Words[V] != 0;
    }
    int Place = -static_cast<int>(N);
    if (How == InstOrder::Deep)
      return {Growth, -AlreadyLive, -Depth[N] / ChainStep, -Wanted, Place};
    return {Growth, -Wanted, 0, 0, Place};
  }

  void release(unsigned N) {
    IsReady.set(N);
    Keys[N] = keyOf(N);
    Ready.insert({Keys[N], N});
  }

  void withdraw(unsigned N) {
    Ready.erase({Keys[N], N});
    IsReady.reset(N);
  }

  /// Makes V live or not, and the nodes that read or write it as urgent as that
  /// makes them.
  void setLive(unsigned V, bool IsLive) {
    if (Live.test(V) == IsLive)
      return;
    for (unsigned N : Touching[V])
      if (IsReady.test(N))
        Ready.erase({Keys[N], N});
    if (IsLive)
      Live.set(V);
    else
      Live.reset(V);
    for (unsigned N : Touching[V])
      if (IsReady.test(N))
        release(N);
  }

  void place(unsigned N) {
    const ScheduleGraph::Node &Node = Graph.Nodes[N];
    ++Clock;
    for (unsigned V : Node.Defs)
      setLive(V, false);
    for (unsigned V : Node.Uses) {
      if (!Live.test(V))
        Since[V] = Clock;
      setLive(V, true);
    }
    for (unsigned P : Node.Preds)
      if (--Missing[P] == 0)
        release(P);
  }
};

/// Forward: from the start of the block downwards. A value that is written
/// more than once counts as one from its first to its last use.
class ForwardScheduler {
public:
  explicit ForwardScheduler(const ScheduleGraph &Graph)
      : Graph(Graph), Live(static_cast<unsigned>(Graph.Words.size())),
        Readers(Graph.Words.size()), Left(Graph.Words.size()),
        Missing(Graph.Nodes.size()), Growth(Graph.Nodes.size()),
        IsPlaced(static_cast<unsigned>(Graph.Nodes.size())) {
    BitVector Written(Live.size());
    for (unsigned N = 0; N != Graph.Nodes.size(); ++N) {
      const ScheduleGraph::Node &Node = Graph.Nodes[N];
      Missing[N] = static_cast<unsigned>(Node.Preds.size());
      for (unsigned V : Node.Uses) {
        Readers[V].push_back(N);
        if (!Written.test(V))
          setLive(V, true);
      }
      for (unsigned V : Node.Defs)
        Written.set(V);
    }
    for (unsigned V = 0; V != Readers.size(); ++V) {
      Left[V] = static_cast<unsigned>(Readers[V].size());
      if (Graph.LiveOut.test(V) && !Written.test(V))
        setLive(V, true);
    }
  }

  std::vector<unsigned> run() {
    for (unsigned N = 0; N != Graph.Nodes.size(); ++N)
      if (!Missing[N])
        release(N);
    std::vector<unsigned> Order;
    while (!Ready.empty()) {
      unsigned N = next();
      withdraw(N);
      Order.push_back(N);
      place(N);
    }
    return Order;
  }

private:
  const ScheduleGraph &Graph;
  BitVector Live; ///< Above what is to come.
  unsigned LiveWords = 0;
  std::vector<SmallVector<unsigned, 4>> Readers; ///< Nodes that read a value.
  std::vector<unsigned> Left;    ///< Readers of a value that are to come.
  std::vector<unsigned> Missing; ///< Predecessors that are not placed yet.
  std::vector<int> Growth;       ///< Words by which a ready node adds to Live.
  std::set<unsigned> Ready;
  std::set<std::pair<int, unsigned>> ByGrowth; ///< Those that are ready.
  BitVector IsPlaced;

  /// What frees registers, or else the first of the source while there is room,
  /// and what adds the fewest registers when there is none.
  unsigned next() const {
    auto [Least, N] = *ByGrowth.begin();
    return Least < 0 || LiveWords > Graph.Room ? N : *Ready.begin();
  }

  int growthOf(unsigned N) const {
    const ScheduleGraph::Node &Node = Graph.Nodes[N];
    int Result = 0;
    for (unsigned V : Node.Defs)
      if (!Live.test(V))
        Result += static_cast<int>(Graph.Words[V]);
    for (unsigned V : Node.Uses)
      if (Left[V] == 1 && !Graph.LiveOut.test(V) && !is_contained(Node.Defs, V))
        Result -= static_cast<int>(Graph.Words[V]);
    return Result;
  }

  void release(unsigned N) {
    Growth[N] = growthOf(N);
    Ready.insert(N);
    ByGrowth.insert({Growth[N], N});
  }

  void withdraw(unsigned N) {
    Ready.erase(N);
    ByGrowth.erase({Growth[N], N});
  }

  void setLive(unsigned V, bool IsLive) {
    if (Live.test(V) == IsLive)
      return;
    Live.flip(V);
    LiveWords =
        IsLive ? LiveWords + Graph.Words[V] : LiveWords - Graph.Words[V];
  }

  /// Has the one node that is left to read V know that.
  void tellLastReader(unsigned V) {
    unsigned N =
        *find_if(Readers[V], [&](unsigned R) { return !IsPlaced.test(R); });
    if (!Ready.count(N))
      return;
    withdraw(N);
    release(N);
  }

  void place(unsigned N) {
    const ScheduleGraph::Node &Node = Graph.Nodes[N];
    IsPlaced.set(N);
    for (unsigned V : Node.Uses) {
      --Left[V];
      if (Left[V] == 1)
        tellLastReader(V);
      else if (Left[V] == 0 && !Graph.LiveOut.test(V))
        setLive(V, false);
    }
    for (unsigned V : Node.Defs)
      setLive(V, true);
    for (unsigned S : Node.Succs)
      if (--Missing[S] == 0)
        release(S);
  }
};

} // namespace

std::vector<unsigned> listSchedule(const ScheduleGraph &Graph, InstOrder How) {
  switch (How) {
  case InstOrder::Source:
    break;
  case InstOrder::Near:
  case InstOrder::Deep:
    return UpwardScheduler(Graph, How).run();
  case InstOrder::Forward:
    return ForwardScheduler(Graph).run();
  }
  std::vector<unsigned> Order(Graph.Nodes.size());
  std::iota(Order.begin(), Order.end(), 0u);
  return Order;
}

} // namespace regdem
