//===- SetUpCheck.cpp - what set-up code leaves in R1 ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An abstract execution of straight-line code: Evaluation follows what
// registers hold, as polynomials modulo 2^32 in the thread's index and the
// launch's sizes; SetUpTiming whether results have arrived where they are read.
// Theorem: R1 is as StackSetUp says in each thread of each launch, whatever the
// scheduler does. It assumes the latencies below.
//
//===----------------------------------------------------------------------===//

#include "SetUpCheck.h"

#include "regdem/Target/Polynomial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace regdem::framecheck {

Error failAt(uint64_t N, const Twine &Reason) {
  return createStringError("offset 0x" +
                           utohexstr(N * InstructionBytes, /*LowerCase=*/true) +
                           ": " + Reason);
}

namespace {

/// The values of registers along set-up code.
class Evaluation {
public:
  explicit Evaluation(const KernelClaims &Claims) : Claims(Claims) {}

  /// What is wrong with I; an empty string: nothing.
  std::string step(const SetUpInstruction &I);
  Expected<StackSetUp> result() const;

private:
  const KernelClaims &Claims;
  std::map<SassRegister, Polynomial> Values;

  /// What was asked for in a dimension; 0: any number of threads.
  uint32_t required(unsigned Dimension) const {
    return Claims.RequiredThreads[Dimension];
  }
  Polynomial thread(unsigned Dimension) const {
    if (required(Dimension) == 1)
      return Polynomial();
    return Polynomial(static_cast<Variable>(
        static_cast<unsigned>(Variable::TidX) + Dimension));
  }
  Polynomial threads(unsigned Dimension) const {
    if (required(Dimension))
      return Polynomial(required(Dimension));
    return Polynomial(Dimension ? Variable::NTidY : Variable::NTidX);
  }
  std::optional<Polynomial> special(int64_t Number, bool Uniform) const;
  std::optional<Polynomial> constant(const SassOperand &X) const;
  std::optional<Polynomial> value(const SassOperand &X, bool Uniform) const;
};

} // namespace

std::optional<Polynomial> Evaluation::special(int64_t Number,
                                              bool Uniform) const {
  constexpr int64_t TidX = 0x21, TidZ = 0x23, WindowHigh = 0x2f, Rank = 0x88;
  if (Number == Rank)
    return Polynomial(Variable::Rank);
  if (Number == WindowHigh)
    return Polynomial(Variable::Window);
  // The uniform datapath has one value for all threads.
  if (Uniform || Number < TidX || Number > TidZ)
    return std::nullopt;
  return thread(static_cast<unsigned>(Number - TidX));
}

/// Launch values in constant bank 0, as code by ptxas for sm_75 to sm_90 reads
/// %ntid and %dynamic_smem_size.
std::optional<Polynomial> Evaluation::constant(const SassOperand &X) const {
  if (X.Bank)
    return std::nullopt;
  switch (X.Number) {
  case 0:
    return threads(0);
  case 4:
    return threads(1);
  case 0x28:
    return Polynomial(Variable::LocalStack);
  case 0x2c:
    return Polynomial(Variable::Dynamic);
  default:
    return std::nullopt;
  }
}

std::optional<Polynomial> Evaluation::value(const SassOperand &X,
                                            bool Uniform) const {
  switch (X.What) {
  case SassOperand::Kind::Number:
    return Polynomial(static_cast<uint32_t>(X.Number));
  case SassOperand::Kind::Constant:
    return constant(X);
  case SassOperand::Kind::Name:
    return X.Text.empty() ? Polynomial() : special(X.Number, Uniform);
  default:
    break;
  }
  if (X.isZero())
    return Polynomial();
  auto Found = Values.find(X.Register);
  if (Found == Values.end())
    return std::nullopt;
  return Found->second;
}

/// Value & Mask where that rounds dynamic shared memory up to 16 bytes.
static std::optional<Polynomial> rounded(const Polynomial &Value,
                                         const Polynomial &Mask) {
  Polynomial Rest = Value - Polynomial(Variable::Dynamic) - Polynomial(15);
  if (!(Mask == Polynomial(~15u)) || !Rest.isConstant() || Rest.constant() % 16)
    return std::nullopt;
  return Polynomial(Variable::RoundedDynamic) + Rest;
}

static std::optional<Polynomial> compute(const SetUpInstruction &I,
                                         const Polynomial &A,
                                         const Polynomial &B,
                                         const Polynomial &C) {
  switch (I.What) {
  case Operation::Value:
    return A;
  case Operation::MulAdd:
    return A * B + C;
  case Operation::Add:
    return A + B + C;
  case Operation::ShiftAdd:
    return A * Polynomial(1u << I.Shift) + B;
  case Operation::ShiftLeft:
    if (!B.isConstant() || B.constant() > 31)
      return std::nullopt;
    return A * Polynomial(1u << B.constant());
  case Operation::And:
    return rounded(A, B);
  }
  return std::nullopt;
}

std::string Evaluation::step(const SetUpInstruction &I) {
  SassRegister To = I.Result.Register;
  if (To.isConstant())
    return "it has no result";
  if (To.isGeneral() && To.Index >= Claims.Registers)
    return "it writes a register that the kernel does not have";
  auto A = value(I.Sources[0], To.isUniform()),
       B = value(I.Sources[1], To.isUniform()),
       C = value(I.Sources[2], To.isUniform());
  if (!A || !B || !C)
    return "it reads what is not known";
  std::optional<Polynomial> Result = compute(I, *A, *B, *C);
  if (!Result)
    return "its result is not known";
  Values[To] = *Result;
  return "";
}

Expected<StackSetUp> Evaluation::result() const {
  auto Found = Values.find(StackRegister);
  if (Found == Values.end())
    return createStringError("the set-up code does not write R1");
  Polynomial Left = Found->second;
  Polynomial Thread =
      thread(0) + threads(0) * (thread(1) + threads(1) * thread(2));
  StackSetUp S;
  for (const auto &[Register, Value] : Values) {
    if (Register != Found->first)
      S.Written.push_back(Register);
    if (Register.isUniform() && Value == Polynomial(Variable::Window))
      S.Window = Register.Index;
    Polynomial Rest = Value - Polynomial(Variable::LocalStack);
    if (Register.isUniform() && Rest.isConstant()) {
      S.LocalStack = Register.Index;
      S.LocalOffset = static_cast<int32_t>(Rest.constant());
    }
  }
  // One term of the thread's number has the factor 1: its first dimension with
  // several threads.
  for (const auto &[M, Factor] : Thread.terms())
    if (Factor == 1)
      S.FrameBytes = Left.factor(M);
  Left = Left - Thread * Polynomial(S.FrameBytes) -
         Polynomial(Variable::RoundedDynamic);
  S.FromEnd = static_cast<int32_t>(S.FrameBytes) < 0;
  if (S.FromEnd)
    S.FrameBytes = -S.FrameBytes;
  if (!Left.isConstant()) // In a cluster the block's rank is in addresses.
    Left = Left - Polynomial(Variable::Rank) * Polynomial(1u << 24);
  if (!Left.isConstant())
    return createStringError(
        "R1 is not set to the end of a frame for each thread");
  S.Base = Left.constant() - (S.FromEnd ? 0 : S.FrameBytes);
  return S;
}

/// Cycles from the issue of an instruction of By to the issue of one of Reader
/// that reads its result: the smallest distances in straight-line code that
/// ptxas 13.0 wrote for the kernels of benchmarks/ at 32 and 40 registers on
/// sm_75, 80, 86, 89 and 90. They agree with the four cycles within a pipe and
/// five across pipes of Jia et al., 2018, section 4.1.
static unsigned latency(Unit By, Unit Reader) {
  bool ToUniform = Reader == Unit::Uniform || Reader == Unit::UniformMove;
  switch (By) {
  case Unit::Alu:
  case Unit::Multiply:
    return By == Reader ? 4 : 5;
  case Unit::Half:
    return 10;
  case Unit::Uniform:
    return ToUniform ? 4 : 6;
  case Unit::UniformMove:
    return ToUniform ? 2 : 5;
  case Unit::Variable:
    break;
  }
  return 0;
}

/// Cycles until any instruction may read or overwrite the result: accesses of
/// memory read their addresses early on sm_75.
static unsigned latencyToAll(Unit By, unsigned Architecture) {
  return std::max(latency(By, Unit::Variable), Architecture < 80 ? 8u : 5u);
}

/// Cycles from an instruction that takes a scoreboard to one that can wait for
/// it: the smallest distance in the same code.
static constexpr unsigned ScoreboardDelay = 2;

/// Without yielding: what ptxas writes.
static constexpr unsigned LongestStall = 11;

std::string branchProblem(const SassControl &C) {
  // The shortest that ptxas has for a branch that is taken once.
  constexpr unsigned ShortestStall = 5;
  if (C.Stall < ShortestStall || C.Stall > LongestStall || C.Yield)
    return "it stalls as no branch by ptxas does";
  if (C.WriteBarrier != SassControl::NoBarrier ||
      C.ReadBarrier != SassControl::NoBarrier || C.Reuse || C.Rest)
    return "it has operands to wait for";
  return C.WaitMask ? "it waits for a scoreboard that nothing holds" : "";
}

namespace {

/// A warp along set-up code. The GPU checks no operand: a result may be read
/// only after as many cycles as its unit takes, or after its scoreboard was
/// waited for. Each step returns what is wrong with it; an empty string:
/// nothing.
class SetUpTiming {
public:
  explicit SetUpTiming(unsigned Architecture) : Architecture(Architecture) {}

  /// I issues. Next, null for the branch, comes after it.
  std::string step(const SetUpInstruction &I, const SetUpInstruction *Next);
  /// The branch back to the kernel, with these control bits, issues.
  std::string finish(const SassControl &C);

private:
  struct Result {
    Unit By = Unit::Alu;
    unsigned Issued = 0;
    unsigned Barrier = SassControl::NoBarrier; ///< That it still holds.
  };
  unsigned Architecture;
  unsigned Now = 0; ///< Cycles since the first instruction issued.
  std::map<SassRegister, Result> Results;
  unsigned Set[6] = {}; ///< When each scoreboard was last taken.
  unsigned Held = 0;    ///< Mask of the scoreboards in use.

  std::string wait(const SassControl &C);
  std::string arrived(const SassOperand &X, Unit Reader) const;
};

} // namespace

std::string SetUpTiming::wait(const SassControl &C) {
  // ptxas writes no other stalls with and without yielding.
  if (!C.Stall || (C.Yield ? C.Stall == 1 : C.Stall > LongestStall))
    return "it stalls as no code by ptxas does";
  if (C.Rest)
    return "it has control bits that are not known";
  if (C.ReadBarrier != SassControl::NoBarrier)
    return "it takes a scoreboard for its operands";
  if (C.WaitMask & ~Held)
    return "it waits for a scoreboard that nothing holds";
  for (unsigned B = 0; B != 6; ++B)
    if (C.WaitMask >> B & 1 && Now < Set[B] + ScoreboardDelay)
      return "it waits for a scoreboard too early";
  Held &= ~C.WaitMask;
  for (auto &[Register, R] : Results)
    if (R.Barrier < 6 && C.WaitMask >> R.Barrier & 1)
      R.Barrier = SassControl::NoBarrier;
  return "";
}

std::string SetUpTiming::arrived(const SassOperand &X, Unit Reader) const {
  auto Found = Results.find(X.Register);
  if (!X.isRegister() || Found == Results.end())
    return "";
  const Result &R = Found->second;
  if (R.Barrier != SassControl::NoBarrier)
    return "a register's scoreboard was not waited for";
  if (Now < R.Issued + latency(R.By, Reader))
    return "a register is used before its value arrives";
  return "";
}

/// Slots of I whose registers Next reads by the same slot, and which are still
/// as they were: reuse keeps an operand for the next instruction.
static unsigned reusable(const SetUpInstruction &I,
                         const SetUpInstruction &Next) {
  unsigned Slots = 0;
  for (auto [X, Slot] : zip_equal(I.Sources, I.Slots))
    for (auto [Y, ItsSlot] : zip_equal(Next.Sources, Next.Slots))
      if (X.isRegister() && X.Register.isGeneral() && !X.isZero() &&
          X != I.Result && X == Y && Slot == ItsSlot)
        Slots |= 1u << Slot;
  return Slots;
}

std::string SetUpTiming::step(const SetUpInstruction &I,
                              const SetUpInstruction *Next) {
  const SassControl &C = I.Scheduling;
  if (std::string Problem = wait(C); !Problem.empty())
    return Problem;
  for (const SassOperand &X : I.Sources)
    if (std::string Problem = arrived(X, I.By); !Problem.empty())
      return Problem;
  if (C.Reuse & ~(Next ? reusable(I, *Next) : 0))
    return "it keeps an operand that the next instruction does not read";
  if (std::string Problem = arrived(I.Result, I.By); !Problem.empty())
    return Problem;
  bool Announces = C.WriteBarrier != SassControl::NoBarrier;
  if (Announces != (I.By == Unit::Variable))
    return Announces ? "it takes a scoreboard although its latency is fixed"
                     : "it takes no scoreboard for its result";
  if (C.WriteBarrier == 6)
    return "it takes a scoreboard that there is not";
  if (Announces) {
    Held |= 1u << C.WriteBarrier;
    Set[C.WriteBarrier] = Now;
  }
  Results[I.Result.Register] = {I.By, Now, C.WriteBarrier};
  Now += C.Stall;
  return "";
}

std::string SetUpTiming::finish(const SassControl &C) {
  if (std::string Problem = wait(C); !Problem.empty())
    return Problem;
  SassControl Waited = C;
  Waited.WaitMask = 0;
  if (std::string Problem = branchProblem(Waited); !Problem.empty())
    return Problem;
  if (Held)
    return "a result is not waited for";
  Now += C.Stall;
  for (const auto &[Register, R] : Results)
    if (R.By != Unit::Variable &&
        Now < R.Issued + latencyToAll(R.By, Architecture))
      return "a result may arrive too late for the kernel";
  return "";
}

Expected<StackSetUp> checkSetUp(ArrayRef<SetUpInstruction> Code, Word Branch,
                                const KernelClaims &Claims,
                                unsigned Architecture, uint64_t First) {
  Evaluation Values(Claims);
  SetUpTiming Timing(Architecture);
  for (size_t N = 0; N != Code.size(); ++N) {
    const SetUpInstruction *Next =
        N + 1 == Code.size() ? nullptr : &Code[N + 1];
    std::string Problem = Values.step(Code[N]);
    if (Problem.empty())
      Problem = Timing.step(Code[N], Next);
    if (!Problem.empty())
      return failAt(First + N, "set-up code: " + Problem);
  }
  if (std::string Problem = Timing.finish(Branch.control()); !Problem.empty())
    return failAt(First + Code.size(), "set-up code: " + Problem);
  Expected<StackSetUp> S = Values.result();
  if (!S)
    return failAt(First, toString(S.takeError()));
  return S;
}

} // namespace regdem::framecheck
