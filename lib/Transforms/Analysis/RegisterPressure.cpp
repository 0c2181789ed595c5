//===- RegisterPressure.cpp - registers that live values take -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/RegisterPressure.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

RegisterPressure max(const RegisterPressure &A, const RegisterPressure &B) {
  return {std::max(A.Words, B.Words), std::max(A.Predicates, B.Predicates)};
}

RegisterPressure pressureOf(const KernelGraph &Graph, ValueId V) {
  bool IsPredicate = Graph.Values[V].Kind == ValueKind::Predicate;
  return {Graph.words(V), IsPredicate ? 1u : 0u};
}

namespace {

/// The set of live values together with what they take.
class LiveSet {
public:
  explicit LiveSet(const KernelGraph &Graph)
      : Graph(Graph), Live(static_cast<unsigned>(Graph.Values.size())) {}

  void insert(ValueId V) {
    if (Live.test(V))
      return;
    Live.set(V);
    Members.push_back(V);
    Pressure += pressureOf(Graph, V);
  }
  void erase(ValueId V) {
    if (!Live.test(V))
      return;
    Live.reset(V);
    RegisterPressure P = pressureOf(Graph, V);
    Pressure.Words -= P.Words;
    Pressure.Predicates -= P.Predicates;
  }
  void clear() {
    for (ValueId V : Members)
      Live.reset(V);
    Members.clear();
    Pressure = {};
  }
  const RegisterPressure &pressure() const { return Pressure; }

private:
  const KernelGraph &Graph;
  BitVector Live;
  std::vector<ValueId> Members; ///< Superset of what is set in Live.
  RegisterPressure Pressure;
};

} // namespace

std::vector<RegisterPressure> blockPressures(const KernelGraph &Graph) {
  std::vector<RegisterPressure> Result(Graph.Blocks.size());
  LiveSet Live(Graph);
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B) {
    const BlockInfo &Block = Graph.Blocks[B];
    Live.clear();
    for (BlockId S : Block.Succs)
      for (ValueId V : Graph.Blocks[S].LiveIn)
        Live.insert(V);
    RegisterPressure Max = Live.pressure();
    for (InstId I = Block.End; I-- != Block.Begin;) {
      // A value that is written and never read still needs a register.
      for (ValueId V : Graph.defs(I))
        Live.insert(V);
      Max = max(Max, Live.pressure());
      for (ValueId V : Graph.defs(I))
        Live.erase(V);
      for (ValueId V : Graph.uses(I))
        Live.insert(V);
      Max = max(Max, Live.pressure());
    }
    Result[B] = Max;
  }
  return Result;
}

RegisterPressure maxPressure(const KernelGraph &Graph) {
  RegisterPressure Max;
  for (const RegisterPressure &P : blockPressures(Graph))
    Max = max(Max, P);
  return Max;
}

void print(raw_ostream &OS, const RegisterPressure &Pressure) {
  OS << Pressure.Words << " words, " << Pressure.Predicates << " predicates";
}

} // namespace regdem
