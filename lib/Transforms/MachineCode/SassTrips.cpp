//===- SassTrips.cpp - how often loops and blocks run ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is counted by running what its only way out depends on, iteration by
// iteration, as ScalarEvolution does it where it has no formula. What is in the
// loop's first block and in the one that goes back may have a part in it, as
// every iteration comes through these:
//
//   MOV R0, RZ                           UMOV UR4, 0x4
//   L: …                                 L: …
//   IADD3 R0, R0, 0x1, RZ                UISETP.GE.U32.AND UP0, UPT, UR4, 0x2,
//   … ISETP.NE.AND P0, PT, R0, 0x40, PT    USHF.R.S32.HI UR4, URZ, 0x1, UR4
//   @P0 BRA L                            PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, …
//                                        @!P0 EXIT
//                                        BRA L
//
// A block runs as often as the loops around it say, whatever branches do.
//
//===----------------------------------------------------------------------===//

#include "SassArithmetic.h"
#include "SassGraph.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace regdem {

namespace {

/// Counts beyond this are no better than a guess.
constexpr unsigned MaxTrips = 1u << 16;
/// Blocks in front of the loop that are searched for the start value.
constexpr unsigned MaxBlocksBack = 16;
/// Registers that a way out may depend on. Most depend on three.
constexpr size_t MostDependences = 12;

bool calls(const SassBlock &B) {
  return B.Instructions.back().base() == "CALL";
}

/// The registers that a function writes, and those that it calls; none: it may
/// write any.
using WrittenRegisters = std::optional<std::set<SassRegister>>;

/// Of K's functions; the kernel itself, which nothing calls, is left out.
std::vector<WrittenRegisters> findWritten(const SassKernel &K) {
  std::vector<WrittenRegisters> Written(K.Functions.size(),
                                        std::set<SassRegister>());
  for (const SassBlock &B : K.Blocks)
    if (B.Function)
      for (const SassInstruction &I : B.Instructions)
        Written[B.Function]->insert(I.Writes.begin(), I.Writes.end());
  // Callers write what their callees do, until that adds nothing.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const SassBlock &B : K.Blocks) {
      WrittenRegisters &Caller = Written[B.Function];
      if (!B.Function || !calls(B) || !Caller)
        continue;
      size_t Before = Caller->size();
      if (B.Callee && Written[*B.Callee])
        Caller->insert(Written[*B.Callee]->begin(), Written[*B.Callee]->end());
      else
        Caller.reset();
      Changed |= !Caller || Caller->size() != Before;
    }
  }
  return Written;
}

/// The condition under which a branch jumps; none where it is one of two.
std::optional<SassCondition> conditionOf(const SassInstruction &I) {
  ArrayRef<SassOperand> Operands = I.Operands;
  if (I.isPredicated())
    return Operands.size() == 1 ? std::optional(I.Guard) : std::nullopt;
  if (Operands.size() == 2 && Operands[0].isPredicate())
    return Operands[0].condition();
  return std::nullopt;
}

/// A step of an iteration: a register gets a value, or control leaves.
struct Step {
  Step(unsigned Block, size_t Index,
       std::optional<unsigned> Result = std::nullopt)
      : Block(Block), Index(Index), Result(Result) {}

  unsigned Block;
  size_t Index; ///< Of the instruction in its block.
  /// Place in Counter::Values. None: if the value is not 0, control leaves.
  std::optional<unsigned> Result;
  std::optional<SassArithmetic> Its; ///< None: the value is not known.
};

/// Control leaves at instruction Index of Block if C holds.
Step leaving(unsigned Block, size_t Index, SassCondition C) {
  SassOperand Predicate = SassOperand::reg(C.Predicate.File, C.Predicate.Index);
  Predicate.IsNegated = C.IsNegated;
  Step S(Block, Index);
  S.Its = SassArithmetic{{Predicate}, [](Words W) { return W.front(); }};
  return S;
}

/// One loop that may be counted.
class Counter {
public:
  Counter(const SassKernel &K, ArrayRef<WrittenRegisters> Written,
          unsigned Loop);

  /// How often the header runs for each time that the loop is entered.
  std::optional<unsigned> count();

  /// SassLoop::CountsBy.
  unsigned countsBy() const;

private:
  const SassKernel &K;
  ArrayRef<WrittenRegisters> Written; ///< By function.
  unsigned Loop, Header;
  std::vector<Step> Steps; ///< Empty: what an iteration does is not known.
  /// What the steps read and write, and what that holds where it is known.
  std::vector<std::pair<SassRegister, std::optional<uint32_t>>> Values;

  bool collect();
  bool isInside(unsigned B) const { return isInLoop(K, B, Loop); }
  /// The only block of those that count from which control goes to B.
  std::optional<unsigned>
  onlyPredecessor(unsigned B, function_ref<bool(unsigned)> Counts) const;
  std::optional<Step> onlyWayOut(unsigned Latch) const;
  bool addSteps(unsigned Latch, unsigned Result);
  void addInputs(const SassArithmetic &A);
  std::optional<uint32_t> valueOf(const SassOperand &O) const;
  std::optional<uint32_t> evaluate(const Step &S) const;
  std::optional<uint32_t> start(SassRegister R) const;

  /// Whether a call at the end of B may write R.
  bool callWrites(const SassBlock &B, SassRegister R) const {
    return calls(B) && (!B.Callee || !Written[*B.Callee] ||
                        Written[*B.Callee]->count(R) != 0);
  }
};

std::optional<unsigned>
Counter::onlyPredecessor(unsigned B,
                         function_ref<bool(unsigned)> Counts) const {
  std::optional<unsigned> Only;
  for (unsigned P = 0; P != K.Blocks.size(); ++P) {
    if (!is_contained(K.Blocks[P].Successors, B) || !Counts(P))
      continue;
    if (Only)
      return std::nullopt;
    Only = P;
  }
  return Only;
}

/// Where and when control leaves the loop: by a branch or, where no branch
/// leaves, by an EXIT. None where there are several, or in the midst of it.
std::optional<Step> Counter::onlyWayOut(unsigned Latch) const {
  std::vector<Step> Branches, Exits;
  for (unsigned B = 0; B != K.Blocks.size(); ++B) {
    if (!isInside(B))
      continue;
    ArrayRef<SassInstruction> Code = K.Blocks[B].Instructions;
    for (size_t N = 0; N != Code.size(); ++N)
      if (Code[N].base() == "EXIT" && Code[N].isPredicated())
        Exits.push_back(leaving(B, N, Code[N].Guard));
    ArrayRef<unsigned> Successors = K.Blocks[B].Successors;
    auto Stays = [this](unsigned S) { return isInside(S); };
    if (!Successors.empty() && all_of(Successors, Stays))
      continue;
    // Either the branch leaves or what stands after it is outside. In a latch
    // it goes back: the header is not what stands after it.
    bool Leaves = B + 1 != K.Blocks.size() && Stays(B + 1);
    std::optional<SassCondition> Jumps = conditionOf(Code.back());
    if (Successors.size() != 2 || Code.back().base() != "BRA" || !Jumps ||
        (Leaves && B == Latch))
      return std::nullopt;
    Branches.push_back(
        leaving(B, Code.size() - 1, Leaves ? *Jumps : Jumps->opposite()));
  }
  const auto &Ways = Branches.empty() ? Exits : Branches;
  if (Ways.size() != 1 || !is_contained({Header, Latch}, Ways[0].Block))
    return std::nullopt;
  return Ways[0];
}

/// The constant in R when the loop is entered.
std::optional<uint32_t> Counter::start(SassRegister R) const {
  std::optional<unsigned> B =
      onlyPredecessor(Header, [this](unsigned P) { return !isInside(P); });
  for (unsigned Steps = 0; B && Steps != MaxBlocksBack; ++Steps) {
    if (callWrites(K.Blocks[*B], R))
      return std::nullopt;
    for (const SassInstruction &I : reverse(K.Blocks[*B].Instructions))
      if (is_contained(I.Writes, R)) {
        auto Its = readArithmetic(I, R);
        if (!Its || !all_of(Its->Inputs, constantOf))
          return std::nullopt;
        return Its->Compute(to_vector(map_range(
            Its->Inputs, [](const SassOperand &O) { return *constantOf(O); })));
      }
    B = onlyPredecessor(*B, [](unsigned) { return true; });
  }
  return std::nullopt;
}

/// The registers of A become some of those that matter.
void Counter::addInputs(const SassArithmetic &A) {
  for (const SassOperand &O : A.Inputs)
    if (!constantOf(O) && !is_contained(make_first_range(Values), O.Register))
      Values.emplace_back(O.Register, start(O.Register));
}

/// Adds all that writes Result in an iteration. False where that depends on too
/// much.
bool Counter::addSteps(unsigned Latch, unsigned Result) {
  SassRegister R = Values[Result].first;
  for (unsigned B = 0; B != K.Blocks.size(); ++B) {
    if (!isInside(B))
      continue;
    const SassBlock &Block = K.Blocks[B];
    bool Always = B == Header || B == Latch;
    for (size_t N = 0; N != Block.Instructions.size(); ++N) {
      const SassInstruction &I = Block.Instructions[N];
      if (!is_contained(I.Writes, R))
        continue;
      Step S(B, N, Result);
      if (Always)
        S.Its = readArithmetic(I, R);
      if (S.Its)
        addInputs(*S.Its);
      Steps.push_back(std::move(S));
    }
    if (callWrites(Block, R))
      Steps.emplace_back(B, Block.Instructions.size(), Result);
  }
  return Values.size() <= MostDependences;
}

std::optional<uint32_t> Counter::valueOf(const SassOperand &O) const {
  if (std::optional<uint32_t> Constant = constantOf(O))
    return Constant;
  for (const auto &[R, Value] : Values)
    if (R == O.Register)
      return Value && O.IsNegated ? std::optional<uint32_t>(!*Value) : Value;
  return std::nullopt;
}

std::optional<uint32_t> Counter::evaluate(const Step &S) const {
  if (!S.Its)
    return std::nullopt;
  SmallVector<uint32_t, 3> Inputs;
  for (const SassOperand &O : S.Its->Inputs) {
    std::optional<uint32_t> Its = valueOf(O);
    if (!Its)
      return std::nullopt;
    Inputs.push_back(*Its);
  }
  return S.Its->Compute(Inputs);
}

/// Finds the steps that the way out of the loop depends on; false where it
/// depends on too much, or there is no single way out.
bool Counter::collect() {
  std::optional<unsigned> Latch =
      onlyPredecessor(Header, [this](unsigned P) { return isInside(P); });
  std::optional<Step> WayOut = Latch ? onlyWayOut(*Latch) : std::nullopt;
  if (!WayOut)
    return false;
  addInputs(*WayOut->Its);
  Steps.push_back(*WayOut);
  for (unsigned R = 0; R != Values.size(); ++R)
    if (!addSteps(*Latch, R))
      return false;
  // What is between header and latch comes between them.
  stable_sort(Steps, [&](const Step &A, const Step &B) {
    auto Key = [&](const Step &S) {
      unsigned Part = S.Block == Header ? 0 : S.Block == *Latch ? 2 : 1;
      return std::tuple(Part, S.Block, S.Index);
    };
    return Key(A) < Key(B);
  });
  return true;
}

Counter::Counter(const SassKernel &K, ArrayRef<WrittenRegisters> Written,
                 unsigned Loop)
    : K(K), Written(Written), Loop(Loop), Header(K.Loops[Loop].Header) {
  if (!collect())
    Steps.clear();
}

std::optional<unsigned> Counter::count() {
  if (Steps.empty())
    return std::nullopt;
  for (unsigned Trips = 1; Trips <= MaxTrips; ++Trips)
    for (const Step &S : Steps) {
      std::optional<uint32_t> Value = evaluate(S);
      if (S.Result)
        Values[*S.Result].second = Value;
      else if (!Value)
        return std::nullopt;
      else if (*Value)
        return Trips;
    }
  return std::nullopt;
}

/// The constant that A, which puts a value into R, adds to it; none where it
/// does something else.
static std::optional<uint32_t> addedTo(SassRegister R,
                                       const SassArithmetic &A) {
  auto IsKnown = [R](const SassOperand &O) {
    return constantOf(O) || (O.Register == R && !O.IsNegated);
  };
  if (!all_of(A.Inputs, IsKnown))
    return std::nullopt;
  auto With = [&A](uint32_t Value) {
    SmallVector<uint32_t, 3> Inputs;
    for (const SassOperand &O : A.Inputs)
      Inputs.push_back(constantOf(O).value_or(Value));
    return A.Compute(Inputs) - Value;
  };
  uint32_t Added = With(0);
  bool IsSum = With(1) == Added && With(1u << 20) == Added;
  return IsSum ? std::optional(Added) : std::nullopt;
}

unsigned Counter::countsBy() const {
  std::optional<uint32_t> Added;
  for (const Step &S : Steps) {
    if (!S.Result || Values[*S.Result].first.isPredicate())
      continue;
    bool IsFirst = !Added;
    Added = S.Its ? addedTo(Values[*S.Result].first, *S.Its) : std::nullopt;
    if (!IsFirst || !Added)
      return 0;
  }
  return std::min(Added.value_or(0), -Added.value_or(0));
}

/// Iterations of a loop whose count cannot be seen: the constant of the RegDem
/// paper (arXiv 1907.02894).
constexpr double AssumedTrips = 10;
/// Runs of a block on a slow path for one around it: a call to a cold function
/// by LLVM's BranchProbabilityInfo.
constexpr double SlowPathRuns = 4.0 / 64;
constexpr double MaxFrequency = 1e15;

} // namespace

void estimateSassFrequencies(SassKernel &K) {
  std::vector<WrittenRegisters> Written = findWritten(K);
  for (unsigned L = 0; L != K.Loops.size(); ++L) {
    Counter Of(K, Written, L);
    K.Loops[L].CountsBy = Of.countsBy();
    std::optional<double> Known = Of.count();
    K.Loops[L].Trips = Known.value_or(AssumedTrips);
    K.Loops[L].TripsKnown = Known.has_value();
  }
  for (SassBlock &Block : K.Blocks) {
    Block.Frequency = Block.IsSlowPath ? SlowPathRuns : 1;
    for (auto L = Block.Loop; L; L = K.Loops[*L].Parent)
      Block.Frequency =
          std::min(Block.Frequency * K.Loops[*L].Trips, MaxFrequency);
  }
}

} // namespace regdem
