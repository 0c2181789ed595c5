//===- RegisterPressure.cpp - registers that live values take -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/RegisterPressure.h"

#include "llvm/ADT/BitVector.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

/// The set of live values together with the words that they take.
class LiveSet {
public:
  explicit LiveSet(const KernelGraph &Graph)
      : Graph(Graph), Live(static_cast<unsigned>(Graph.Values.size())) {}

  void insert(ValueId V) {
    if (Live.test(V))
      return;
    Live.set(V);
    Members.push_back(V);
    Words += Graph.words(V);
  }
  void erase(ValueId V) {
    if (!Live.test(V))
      return;
    Live.reset(V);
    Words -= Graph.words(V);
  }
  void clear() {
    for (ValueId V : Members)
      Live.reset(V);
    Members.clear();
    Words = 0;
  }
  unsigned words() const { return Words; }

private:
  const KernelGraph &Graph;
  BitVector Live;
  std::vector<ValueId> Members; ///< Superset of what is set in Live.
  unsigned Words = 0;
};

} // namespace

std::vector<unsigned> blockPressures(const KernelGraph &Graph) {
  std::vector<unsigned> Result(Graph.Blocks.size());
  LiveSet Live(Graph);
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B) {
    const BlockInfo &Block = Graph.Blocks[B];
    Live.clear();
    for (BlockId S : Block.Succs)
      for (ValueId V : Graph.Blocks[S].LiveIn)
        Live.insert(V);
    unsigned Max = Live.words();
    for (InstId I = Block.End; I-- != Block.Begin;) {
      // A value that is written and never read still needs a register.
      for (ValueId V : Graph.defs(I))
        Live.insert(V);
      Max = std::max(Max, Live.words());
      for (ValueId V : Graph.defs(I))
        Live.erase(V);
      for (ValueId V : Graph.uses(I))
        Live.insert(V);
      Max = std::max(Max, Live.words());
    }
    Result[B] = Max;
  }
  return Result;
}

unsigned maxPressure(const KernelGraph &Graph) {
  unsigned Max = 0;
  for (unsigned Words : blockPressures(Graph))
    Max = std::max(Max, Words);
  return Max;
}

} // namespace regdem
