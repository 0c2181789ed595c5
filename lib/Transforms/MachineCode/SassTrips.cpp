//===- SassTrips.cpp - how often loops and blocks run ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is counted where one register starts as a constant, is stepped by a
// constant once an iteration and is compared with a constant by the only
// branch that leaves, at the end of an iteration or of the loop's first block:
//
//   MOV R0, RZ                                MOV R0, RZ
//   L: …                                      L: …
//   IADD3 R0, R0, 0x1, RZ                     ISETP.NE.AND P0, PT, R0, 0x3c, PT
//   ISETP.NE.AND P0, PT, R0, 0x40, PT         @!P0 BRA out
//   @P0 BRA L                                 IADD3 R0, R0, 0x4, RZ
//                                             BRA L
//
// A block runs as often as the loops around it say, whatever branches do.
//
//===----------------------------------------------------------------------===//

#include "SassGraph.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

/// Counts beyond this are no better than a guess.
constexpr unsigned MaxTrips = 1u << 16;
/// Blocks in front of the loop that are searched for the start value.
constexpr unsigned MaxBlocksBack = 16;

std::optional<int32_t> readConstant(const SassOperand &O) {
  if (O.isZero())
    return 0;
  if (!O.isNumber() || O.Number < INT32_MIN || O.Number > UINT32_MAX)
    return std::nullopt;
  return static_cast<int32_t>(O.Number);
}

/// The constant that I writes, as far as its low word goes.
std::optional<int32_t> lowConstant(const SassInstruction &I) {
  ArrayRef<SassOperand> Operands = I.Operands;
  StringRef Base = I.base();
  if (Base == "CS2R" && Operands.size() == 2 && Operands[1].Text == "SRZ")
    return 0;
  bool IsSum = Base == "IMAD" && I.Class == SassClass::Move;
  // ptxas loads constants with the half-precision pipe, too: as two halves.
  if ((IsSum || Base == "HFMA2") && Operands.size() == 4 &&
      Operands[1].isRegister() && Operands[1].Register.isConstant() &&
      Operands[2].isZero())
    return readConstant(Operands[3]);
  if (Base != "IMAD" && I.Class == SassClass::Move && Operands.size() == 2)
    return readConstant(Operands[1]);
  return std::nullopt;
}

/// The constant that I puts into its result; none where it does something else.
std::optional<int32_t> constantResult(const SassInstruction &I) {
  std::optional<int32_t> Low = lowConstant(I);
  // Of a constant of 64 bits both words are the same only if it is 0.
  if (I.isPredicated() || (Low && *Low != 0 && I.Writes.size() != 1))
    return std::nullopt;
  return Low;
}

/// A sum of a register and a constant.
struct Addition {
  SassRegister To, From;
  int32_t Constant = 0;
};

/// The sum that I computes; none where it does something else.
std::optional<Addition> readAddition(const SassInstruction &I) {
  if (I.isPredicated() ||
      !is_contained({"IADD3", "UIADD3", "VIADD", "IADD", "UIADD"}, I.base()) ||
      I.has("X") || I.has("64"))
    return std::nullopt;
  SassOperands Operands = I.Operands;
  llvm::erase_if(Operands, [](const SassOperand &O) {
    return O.isPredicate() && O.Register.isConstant();
  });
  bool Sum =
      Operands.size() == 3 || (Operands.size() == 4 && Operands[3].isZero());
  std::optional<int32_t> Constant =
      Sum ? readConstant(Operands[2]) : std::nullopt;
  if (!Constant || !Operands[0].isPlain() || !Operands[1].isPlain())
    return std::nullopt;
  return Addition{Operands[0].Register, Operands[1].Register, *Constant};
}

/// A comparison of a register with a constant.
struct Comparison {
  SassRegister Register;
  StringRef Relation; ///< EQ, NE, LT, LE, GT or GE.
  bool Unsigned = false;
  int32_t Limit = 0;

  bool holds(int32_t Value) const;
};

bool Comparison::holds(int32_t Value) const {
  int64_t A = Unsigned ? static_cast<uint32_t>(Value) : int64_t(Value);
  int64_t B = Unsigned ? static_cast<uint32_t>(Limit) : int64_t(Limit);
  if (Relation == "EQ")
    return A == B;
  if (Relation == "NE")
    return A != B;
  if (Relation == "LT")
    return A < B;
  if (Relation == "LE")
    return A <= B;
  if (Relation == "GT")
    return A > B;
  return A >= B;
}

/// The comparison whose result I puts into Predicate; none where it does
/// something else.
std::optional<Comparison> readComparison(const SassInstruction &I,
                                         SassRegister Predicate) {
  StringRef Base = I.base();
  if (I.isPredicated() || (Base != "ISETP" && Base != "UISETP") ||
      I.has("EX") || !I.has("AND"))
    return std::nullopt;
  ArrayRef<SassOperand> Operands = I.Operands;
  if (Operands.size() != 5 || Operands[0].Register != Predicate ||
      !Operands[1].isTrue() || !Operands[2].isPlain() || !Operands[4].isTrue())
    return std::nullopt;
  std::optional<int32_t> Limit = readConstant(Operands[3]);
  for (StringRef Relation : {"EQ", "NE", "LT", "LE", "GT", "GE"})
    if (Limit && I.has(Relation))
      return Comparison{Operands[2].Register, Relation, I.has("U32"), *Limit};
  return std::nullopt;
}

/// The predicate of the uniform datapath that I copies for others; none where
/// it does something else.
std::optional<SassRegister> copiedPredicate(const SassInstruction &I) {
  ArrayRef<SassOperand> Operands = I.Operands;
  // P0, PT, PT, PT, UP0, 0x80, 0x0: of three inputs all, and two are true.
  bool IsAnd = !I.isPredicated() && I.base() == "PLOP3" &&
               Operands.size() == 7 && Operands[1].isTrue() &&
               Operands[2].isTrue() && Operands[3].isTrue() &&
               Operands[5].Number == 0x80;
  if (!IsAnd || Operands[4].Register.File != SassFile::UniformPredicate ||
      Operands[4].IsNegated || Operands[4].Register.isConstant())
    return std::nullopt;
  return Operands[4].Register;
}

/// The last instruction of the block that writes R; none if none does.
std::optional<size_t> lastWrite(const SassBlock &B, SassRegister R) {
  for (size_t N = B.Instructions.size(); N--;)
    if (is_contained(B.Instructions[N].Writes, R))
      return N;
  return std::nullopt;
}

bool calls(const SassBlock &B) {
  return B.Instructions.back().base() == "CALL";
}

/// One loop that may be counted.
class Counter {
public:
  Counter(const SassKernel &K, unsigned Loop) : K(K), Loop(Loop) {}
  std::optional<double> count() const;

private:
  const SassKernel &K;
  unsigned Loop;

  struct Place {
    unsigned Block;
    size_t Index;
  };
  struct Sum {
    Place Where;
    Addition Adds;
  };
  /// Whether A runs before B in an iteration; both run once in each.
  bool precedes(Place A, Place B) const {
    return A.Block == B.Block ? A.Index < B.Index
                              : A.Block == K.Loops[Loop].Header;
  }
  const SassInstruction &at(Place P) const {
    return K.Blocks[P.Block].Instructions[P.Index];
  }

  struct Turn {
    unsigned Latch, Exit;
  };
  std::optional<Turn> onlyTurn() const;
  std::optional<int32_t> start(SassRegister R) const;
  std::optional<Place> onlyWrite(SassRegister R) const;
  std::optional<Place> lastTest(unsigned Exit, SassRegister R) const;
  bool runsOnceAnIteration(unsigned B, unsigned Latch) const;
  std::optional<Sum> onlySum(SassRegister R, unsigned Latch) const;
  std::optional<double> countTo(Comparison Test, bool Holding, Place Tested,
                                unsigned Latch) const;
  std::optional<unsigned> onlyPredecessor(unsigned B, bool OutsideOnly) const;
};

/// Finds the block with the only back edge and the only one that leaves.
std::optional<Counter::Turn> Counter::onlyTurn() const {
  std::optional<unsigned> Latch, Exit;
  unsigned Header = K.Loops[Loop].Header;
  for (unsigned B = 0; B != K.Blocks.size(); ++B) {
    if (!isInLoop(K, B, Loop))
      continue;
    // A call may change any register.
    if (calls(K.Blocks[B]))
      return std::nullopt;
    ArrayRef<unsigned> Successors = K.Blocks[B].Successors;
    bool GoesBack = is_contained(Successors, Header);
    bool Leaves = Successors.empty() || !all_of(Successors, [this](unsigned S) {
                    return isInLoop(K, S, Loop);
                  });
    if ((GoesBack && Latch) || (Leaves && Exit))
      return std::nullopt;
    if (GoesBack)
      Latch = B;
    if (Leaves)
      Exit = B;
  }
  if (!Latch || !Exit || (*Exit != *Latch && *Exit != Header))
    return std::nullopt;
  return Turn{*Latch, *Exit};
}

std::optional<unsigned> Counter::onlyPredecessor(unsigned B,
                                                 bool OutsideOnly) const {
  std::optional<unsigned> Only;
  for (unsigned P = 0; P != K.Blocks.size(); ++P) {
    if (!is_contained(K.Blocks[P].Successors, B) ||
        (OutsideOnly && isInLoop(K, P, Loop)))
      continue;
    if (Only)
      return std::nullopt;
    Only = P;
  }
  return Only;
}

/// The constant in R when the loop is entered.
std::optional<int32_t> Counter::start(SassRegister R) const {
  std::optional<unsigned> B = onlyPredecessor(K.Loops[Loop].Header, true);
  for (unsigned Steps = 0; B && Steps != MaxBlocksBack; ++Steps) {
    if (calls(K.Blocks[*B]))
      return std::nullopt;
    if (auto N = lastWrite(K.Blocks[*B], R))
      return constantResult(K.Blocks[*B].Instructions[*N]);
    B = onlyPredecessor(*B, false);
  }
  return std::nullopt;
}

/// The only instruction in the loop that writes R.
std::optional<Counter::Place> Counter::onlyWrite(SassRegister R) const {
  std::optional<Place> Only;
  for (unsigned B = 0; B != K.Blocks.size(); ++B) {
    if (!isInLoop(K, B, Loop))
      continue;
    const auto &Code = K.Blocks[B].Instructions;
    for (size_t N = 0; N != Code.size(); ++N)
      if (is_contained(Code[N].Writes, R)) {
        if (Only)
          return std::nullopt;
        Only = Place{B, N};
      }
  }
  return Only;
}

/// The instruction that sets the predicate R for the branch at the end of Exit:
/// the last one there, or else the only one of the loop.
std::optional<Counter::Place> Counter::lastTest(unsigned Exit,
                                                SassRegister R) const {
  if (std::optional<size_t> Index = lastWrite(K.Blocks[Exit], R))
    return Place{Exit, *Index};
  std::optional<Place> Only = onlyWrite(R);
  Place Branch{Exit, K.Blocks[Exit].Instructions.size()};
  return Only && precedes(*Only, Branch) ? Only : std::nullopt;
}

bool Counter::runsOnceAnIteration(unsigned B, unsigned Latch) const {
  return K.Blocks[B].Loop == Loop && (B == K.Loops[Loop].Header || B == Latch);
}

/// The condition under which I jumps; one that always holds where it has none
/// or two.
SassCondition conditionOf(const SassInstruction &I) {
  if (I.isPredicated())
    return I.Operands.size() == 1 ? I.Guard : SassCondition();
  return I.Operands.size() == 2 && I.Operands[0].isPredicate()
             ? I.Operands[0].condition()
             : SassCondition();
}

/// Where in an iteration a register gets the sum of a register and a constant,
/// and nothing else.
std::optional<Counter::Sum> Counter::onlySum(SassRegister R,
                                             unsigned Latch) const {
  std::optional<Place> P = onlyWrite(R);
  if (!P || !runsOnceAnIteration(P->Block, Latch))
    return std::nullopt;
  std::optional<Addition> Adds = readAddition(at(*P));
  if (!Adds)
    return std::nullopt;
  return Sum{*P, *Adds};
}

std::optional<double> Counter::countTo(Comparison Test, bool Holding,
                                       Place Tested, unsigned Latch) const {
  std::optional<Sum> Step = onlySum(Test.Register, Latch);
  int32_t Offset = 0;
  if (Step && Step->Adds.From != Test.Register) {
    // What is compared is the counter and a constant.
    if (!precedes(Step->Where, Tested))
      return std::nullopt;
    Tested = Step->Where;
    Offset = Step->Adds.Constant;
    Step = onlySum(Step->Adds.From, Latch);
  }
  if (!Step || Step->Adds.From != Step->Adds.To)
    return std::nullopt;
  std::optional<int32_t> Start = start(Step->Adds.To);
  if (!Start)
    return std::nullopt;
  bool StepFirst = precedes(Step->Where, Tested);
  auto Value = static_cast<uint32_t>(*Start);
  for (unsigned Trips = 1; Trips <= MaxTrips; ++Trips) {
    uint32_t Next = Value + static_cast<uint32_t>(Step->Adds.Constant);
    uint32_t Compared =
        (StepFirst ? Next : Value) + static_cast<uint32_t>(Offset);
    if (Test.holds(static_cast<int32_t>(Compared)) != Holding)
      return Trips;
    Value = Next;
  }
  return std::nullopt;
}

std::optional<double> Counter::count() const {
  std::optional<Turn> Its = onlyTurn();
  if (!Its)
    return std::nullopt;
  auto [Latch, Exit] = *Its;
  const SassInstruction &Branch = K.Blocks[Exit].Instructions.back();
  if (K.Blocks[Exit].Successors.size() != 2 || Branch.base() != "BRA")
    return std::nullopt;
  // Either the branch leaves or what stands after it is outside.
  bool Leaves = Exit + 1 != K.Blocks.size() && isInLoop(K, Exit + 1, Loop);
  // In a latch it goes back: the header is not what stands after it.
  if (Leaves && Exit == Latch)
    return std::nullopt;
  SassCondition Condition = conditionOf(Branch);
  SassRegister Predicate = Condition.Predicate;
  std::optional<Place> Tested = lastTest(Exit, Predicate);
  if (!Tested || !runsOnceAnIteration(Tested->Block, Latch))
    return std::nullopt;
  // Branches do not read the predicates of the uniform datapath.
  if (std::optional<SassRegister> From = copiedPredicate(at(*Tested))) {
    Place Copied = *Tested;
    Predicate = *From;
    Tested = lastTest(Exit, Predicate);
    if (!Tested || !runsOnceAnIteration(Tested->Block, Latch) ||
        !precedes(*Tested, Copied))
      return std::nullopt;
  }
  std::optional<Comparison> Test = readComparison(at(*Tested), Predicate);
  if (!Test)
    return std::nullopt;
  return countTo(*Test, Condition.IsNegated == Leaves, *Tested, Latch);
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
  for (unsigned L = 0; L != K.Loops.size(); ++L) {
    std::optional<double> Known = Counter(K, L).count();
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
