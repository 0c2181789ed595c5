//===- PlanPressure.cpp - liveness of planned code --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Liveness solved anew on the code with the plan in it, where a reload and
// a recomputation are definitions: a value is dead from its last read before
// one up to that.
//
//===----------------------------------------------------------------------===//

#include "PlanSimulator.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem::test {

namespace {

using ValueSet = std::vector<bool>;

class Liveness {
public:
  /// Where Undefined is not set, a value takes no register where no definition
  /// reaches, as LiveIntervals have it.
  Liveness(const KernelGraph &Graph, const PlannedCode &Code, bool Undefined)
      : Graph(Graph), Code(Code), Undefined(Undefined),
        LiveIn(Code.Steps.size(), ValueSet(Graph.Values.size())),
        DefinedIn(LiveIn) {
    while (stepBack() || stepForward())
      ;
  }

  /// Whether a path from the entry to a read of V writes it nowhere.
  bool mayBeUndefined(ValueId V) const { return LiveIn[0][V]; }

  /// Calls Do(in registers, just read, at hand) for the start of every block
  /// and for the points before and after every step. At hand is what the step
  /// reads before it, and what it has written after it.
  template <typename Fn> void forEachPoint(Fn Do) const {
    for (size_t B = 0; B != Code.Steps.size(); ++B) {
      const std::vector<PlanStep> &Steps = Code.Steps[B];
      std::vector<ValueSet> Live = {liveOut(B)}, Defined = {DefinedIn[B]};
      for (auto S = Steps.rbegin(); S != Steps.rend(); ++S)
        Live.push_back(liveBefore(*S, Live.back()));
      std::reverse(Live.begin(), Live.end());
      for (const PlanStep &S : Steps)
        Defined.push_back(definedAfter(S, Defined.back()));
      Do(present(Live[0], Defined[0]), ArrayRef<ValueId>(),
         ArrayRef<ValueId>());
      for (size_t I = 0; I != Steps.size(); ++I) {
        Do(with(present(Live[I], Defined[I]), uses(Steps[I])),
           ArrayRef<ValueId>(), uses(Steps[I]));
        // What is written and never read still needs a register.
        Do(with(present(Live[I + 1], Defined[I + 1]), defs(Steps[I])),
           uses(Steps[I]), defs(Steps[I]));
      }
    }
  }

private:
  const KernelGraph &Graph;
  const PlannedCode &Code;
  const bool Undefined;
  std::vector<ValueSet> LiveIn, DefinedIn;

  ArrayRef<ValueId> uses(const PlanStep &S) const {
    if (S.What == PlanStep::Instruction)
      return Graph.uses(S.Inst);
    return S.What == PlanStep::Store ? ArrayRef(S.Value) : ArrayRef<ValueId>();
  }
  ArrayRef<ValueId> defs(const PlanStep &S) const {
    if (S.What == PlanStep::Instruction)
      return Graph.defs(S.Inst);
    return S.What == PlanStep::Store ? ArrayRef<ValueId>() : ArrayRef(S.Value);
  }
  static ValueSet with(ValueSet Set, ArrayRef<ValueId> More) {
    for (ValueId V : More)
      Set[V] = true;
    return Set;
  }
  ValueSet present(ValueSet Live, const ValueSet &Defined) const {
    for (size_t V = 0; V != Live.size(); ++V)
      Live[V] = Live[V] && (Undefined || Defined[V]);
    return Live;
  }
  ValueSet liveBefore(const PlanStep &S, ValueSet Live) const {
    for (ValueId V : defs(S))
      Live[V] = false;
    return with(std::move(Live), uses(S));
  }
  ValueSet definedAfter(const PlanStep &S, ValueSet Defined) const {
    return with(std::move(Defined), defs(S));
  }
  ValueSet liveOut(size_t B) const {
    ValueSet Live(Graph.Values.size());
    for (BlockId S : Code.Succs[B])
      for (size_t V = 0; V != Live.size(); ++V)
        Live[V] = Live[V] || LiveIn[S][V];
    return Live;
  }

  /// One round of liveness; whether anything changed.
  bool stepBack() {
    bool Changed = false;
    for (size_t B = Code.Steps.size(); B-- != 0;) {
      ValueSet Live = liveOut(B);
      const std::vector<PlanStep> &Steps = Code.Steps[B];
      for (auto S = Steps.rbegin(); S != Steps.rend(); ++S)
        Live = liveBefore(*S, std::move(Live));
      Changed |= Live != LiveIn[B];
      LiveIn[B] = std::move(Live);
    }
    return Changed;
  }
  /// One round of reaching definitions; whether anything changed.
  bool stepForward() {
    bool Changed = false;
    for (size_t B = 0; B != Code.Steps.size(); ++B) {
      ValueSet Defined = DefinedIn[B];
      for (const PlanStep &S : Code.Steps[B])
        Defined = definedAfter(S, std::move(Defined));
      for (BlockId S : Code.Succs[B])
        for (size_t V = 0; V != Defined.size(); ++V)
          if (Defined[V] && !DefinedIn[S][V])
            DefinedIn[S][V] = Changed = true;
    }
    return Changed;
  }
};

} // namespace

unsigned pressureOf(const KernelGraph &Graph, const PlannedCode &Code) {
  unsigned Most = 0;
  Liveness(Graph, Code, /*Undefined=*/false)
      .forEachPoint([&](const ValueSet &InRegisters, ArrayRef<ValueId>,
                        ArrayRef<ValueId>) {
        unsigned Words = 0;
        for (ValueId V = 0; V != InRegisters.size(); ++V)
          Words += InRegisters[V] ? Graph.words(V) : 0;
        Most = std::max(Most, Words);
      });
  return Most;
}

unsigned unavoidablePressure(const KernelGraph &Graph, Strategy How) {
  std::string Problem;
  PlannedCode Code = carryOut(Graph, {}, Problem);
  Liveness Live(Graph, Code, /*Undefined=*/true);
  unsigned Most = 0;
  Live.forEachPoint([&](const ValueSet &InRegisters, ArrayRef<ValueId> JustRead,
                        ArrayRef<ValueId> AtHand) {
    unsigned Words = 0;
    for (ValueId V = 0; V != InRegisters.size(); ++V) {
      bool Stays = !Graph.isDemotable(V) || Live.mayBeUndefined(V) ||
                   is_contained(AtHand, V) ||
                   (How != Strategy::Belady && is_contained(JustRead, V));
      Words += InRegisters[V] && Stays ? Graph.words(V) : 0;
    }
    Most = std::max(Most, Words);
  });
  return Most;
}

} // namespace regdem::test
