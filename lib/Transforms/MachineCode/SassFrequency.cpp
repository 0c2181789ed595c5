//===- SassFrequency.cpp - how often blocks run, by guess -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What enters a loop runs its blocks Trips times, and leaves it once, over all
// its exits together. A branch that leaves no loop splits what arrives evenly,
// but for cold successors and for those that lead into a loop.
//
//===----------------------------------------------------------------------===//

#include "ReversePostOrder.h"
#include "SassDecode.h"
#include "SassGraph.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

/// Weights of a branch's ways: those by which LLVM's BranchProbabilityInfo
/// weighs a call to a cold function.
constexpr double WarmWeight = 64, ColdWeight = 4;
/// A branch around a loop is not taken three times in four: the loop header
/// heuristic of Ball and Larus, "Branch Prediction for Free", PLDI 1993.
constexpr double LoopWeight = 3 * WarmWeight;
constexpr double MaxFrequency = 1e15;
/// Iterations of a loop whose count cannot be seen: the constant of the RegDem
/// paper (arXiv 1907.02894).
constexpr double AssumedTrips = 10;

class Estimator {
public:
  explicit Estimator(SassKernel &K)
      : K(K), Traps(K.Blocks.size()), Cold(K.Blocks.size()),
        Entered(K.Loops.size()), ExitWeight(K.Loops.size()) {}

  void run();

private:
  SassKernel &K;
  std::vector<bool> Traps; ///< Blocks from which all ways lead to a trap.
  std::vector<bool> Cold;
  std::vector<double> Entered;    ///< Entries of each loop.
  std::vector<double> ExitWeight; ///< Sum over the ways out of each loop.

  std::vector<unsigned> functionOrder() const;
  bool alwaysTraps(unsigned B) const;
  bool looksCold(unsigned B) const;
  bool leadsIntoLoop(unsigned From, unsigned To) const;
  double weight(unsigned From, unsigned To) const;
  void enter(std::optional<unsigned> From, unsigned To, double Times);
  void pass(unsigned B);
  template <class Action>
  void forEachExited(unsigned From, unsigned To, Action Act) const;
};

} // namespace

/// Calls Act for the loops that the edge leaves, innermost first.
template <class Action>
void Estimator::forEachExited(unsigned From, unsigned To, Action Act) const {
  for (auto L = K.Blocks[From].Loop; L && !isInLoop(K, To, *L);
       L = K.Loops[*L].Parent)
    Act(*L);
}

/// The functions, each after its callers, recursion aside.
std::vector<unsigned> Estimator::functionOrder() const {
  std::vector<std::vector<unsigned>> Callees(K.Functions.size());
  for (const SassBlock &B : K.Blocks)
    if (B.Callee && !is_contained(Callees[B.Function], *B.Callee))
      Callees[B.Function].push_back(*B.Callee);
  return reversePostOrder(0, K.Functions.size(), [&](unsigned F) {
    return ArrayRef<unsigned>(Callees[F]);
  });
}

/// Successors must have been looked at, as for looksCold.
bool Estimator::alwaysTraps(unsigned B) const {
  const SassBlock &Block = K.Blocks[B];
  for (const SassInstruction &I : Block.Instructions)
    if (I.Predicated && baseOpcode(I.Opcode) == "EXIT")
      return false;
  if (Block.Successors.empty())
    return StringRef(Block.Instructions.back().Opcode).starts_with("BPT.TRAP");
  return all_of(Block.Successors, [&](unsigned S) { return Traps[S]; });
}

/// Whether B leads nowhere but to a trap, or to the end without an effect, or
/// takes a slow path for unusual operands, of a division for example.
bool Estimator::looksCold(unsigned B) const {
  const SassBlock &Block = K.Blocks[B];
  if (Traps[B] || Block.IsSlowPath)
    return true;
  if (Block.Callee &&
      StringRef(K.Functions[*Block.Callee].Name).contains("slowpath"))
    return true;
  for (const SassInstruction &I : Block.Instructions)
    switch (I.Class) {
    case SassClass::LocalStore:
    case SassClass::SharedStore:
    case SassClass::GlobalStore:
    case SassClass::AsyncCopy:
    case SassClass::Atomic:
    case SassClass::Texture:
      return false;
    default:
      break;
    }
  if (Block.Successors.empty())
    return baseOpcode(Block.Instructions.back().Opcode) != "RET";
  return baseOpcode(Block.Instructions.back().Opcode) != "CALL" &&
         all_of(Block.Successors, [&](unsigned S) { return Cold[S]; });
}

/// Whether To is, or does nothing but go on to, the header of a loop that From
/// is not in.
bool Estimator::leadsIntoLoop(unsigned From, unsigned To) const {
  for (unsigned Steps = 0; Steps != 2; ++Steps) {
    std::optional<unsigned> L = K.Blocks[To].Loop;
    if (L && K.Loops[*L].Header == To && !isInLoop(K, From, *L))
      return true;
    if (K.Blocks[To].Successors.size() != 1)
      return false;
    To = K.Blocks[To].Successors.front();
  }
  return false;
}

double Estimator::weight(unsigned From, unsigned To) const {
  // BRA.DIV leaves the usual path where threads have diverged.
  const SassBlock &Block = K.Blocks[From];
  bool Diverges =
      StringRef(Block.Instructions.back().Opcode).starts_with("BRA.DIV") &&
      To != From + 1;
  if (Cold[To] || Diverges)
    return ColdWeight;
  return leadsIntoLoop(From, To) ? LoopWeight : WarmWeight;
}

/// Adds Times runs of To that come from outside the loops that From is not in.
void Estimator::enter(std::optional<unsigned> From, unsigned To, double Times) {
  SmallVector<unsigned, 4> Inner;
  for (auto L = K.Blocks[To].Loop; L && !(From && isInLoop(K, *From, *L));
       L = K.Loops[*L].Parent)
    Inner.push_back(*L);
  for (unsigned L : reverse(Inner)) {
    Entered[L] += Times;
    Times = std::min(Times * K.Loops[L].Trips, MaxFrequency);
  }
  double &Frequency = K.Blocks[To].Frequency;
  Frequency = std::min(Frequency + Times, MaxFrequency);
}

/// Hands B's runs on to its successors.
void Estimator::pass(unsigned B) {
  const SassBlock &Block = K.Blocks[B];
  double Inside = 0, Rest = Block.Frequency;
  for (unsigned To : Block.Successors) {
    std::optional<unsigned> Outermost;
    forEachExited(B, To, [&](unsigned L) { Outermost = L; });
    if (!Outermost) {
      Inside += weight(B, To);
      continue;
    }
    double Leaving =
        Entered[*Outermost] * weight(B, To) / ExitWeight[*Outermost];
    Rest -= Leaving;
    enter(B, To, Leaving);
  }
  // Most runs of a block stay in its loop, whatever the exits' shares are.
  Rest = std::max(Rest, Block.Frequency / 2);
  for (unsigned To : Block.Successors) {
    bool Exits = false;
    forEachExited(B, To, [&](unsigned) { Exits = true; });
    if (!Exits && !isBackEdge(K, B, To))
      enter(B, To, Rest * weight(B, To) / Inside);
  }
}

void Estimator::run() {
  std::vector<unsigned> Functions = functionOrder();
  std::vector<std::vector<unsigned>> Orders(K.Functions.size());
  for (unsigned F : Functions) {
    Orders[F] = blockOrder(K, F);
    for (unsigned B : reverse(Orders[F])) {
      Traps[B] = alwaysTraps(B);
      Cold[B] = looksCold(B);
    }
  }
  for (unsigned B = 0; B != K.Blocks.size(); ++B)
    for (unsigned To : K.Blocks[B].Successors)
      forEachExited(B, To, [&](unsigned L) { ExitWeight[L] += weight(B, To); });
  std::vector<double> Calls(K.Functions.size());
  Calls[0] = 1;
  for (unsigned F : Functions) {
    enter(std::nullopt, K.Functions[F].Entry, Calls[F]);
    for (unsigned B : Orders[F]) {
      pass(B);
      if (auto Callee = K.Blocks[B].Callee)
        Calls[*Callee] += K.Blocks[B].Frequency;
    }
  }
}

void estimateSassFrequencies(SassKernel &K) {
  for (unsigned L = 0; L != K.Loops.size(); ++L) {
    std::optional<double> Known = constantTrips(K, L);
    K.Loops[L].Trips = Known.value_or(AssumedTrips);
    K.Loops[L].TripsKnown = Known.has_value();
  }
  Estimator(K).run();
}

} // namespace regdem
