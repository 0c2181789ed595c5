//===- SetUpCheck.cpp - what set-up code leaves in R1 ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Along set-up code Evaluation follows what registers hold, and SetUpTiming
// whether results have arrived where they are read.
//
//===----------------------------------------------------------------------===//

#include "SetUpCheck.h"

#include "regdem/Target/Polynomial.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace regdem::framecheck {

Error failAt(uint64_t N, const Twine &Reason) {
  return createStringError("offset 0x" +
                           utohexstr(N * WordBytes, /*LowerCase=*/true) + ": " +
                           Reason);
}

namespace {

using Polynomial = regdem::Polynomial<uint32_t>;

/// The values of registers along set-up code.
class Evaluation {
public:
  explicit Evaluation(const KernelClaims &Claims) : Claims(Claims) {}

  /// What is wrong with I; an empty string: nothing.
  std::string step(const SetUpInstruction &I);
  Expected<StackSetUp> result() const;

private:
  const KernelClaims &Claims;
  std::map<std::pair<Operand::Kind, uint32_t>, Polynomial> Values;

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
  std::optional<Polynomial> special(uint32_t Number, bool Uniform) const;
  std::optional<Polynomial> constant(const Operand &X) const;
  std::optional<Polynomial> value(const Operand &X, bool Uniform) const;
};

} // namespace

std::optional<Polynomial> Evaluation::special(uint32_t Number,
                                              bool Uniform) const {
  if (Number == RankInCluster)
    return Polynomial(Variable::Rank);
  if (Number == SharedWindow)
    return Polynomial(Variable::Window);
  // The uniform datapath has one value for all threads.
  if (Uniform || Number < ThreadX || Number > ThreadZ)
    return std::nullopt;
  return thread(Number - ThreadX);
}

/// Launch values in constant bank 0, as code by ptxas for sm_75 to sm_90 reads
/// %ntid and %dynamic_smem_size.
std::optional<Polynomial> Evaluation::constant(const Operand &X) const {
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

std::optional<Polynomial> Evaluation::value(const Operand &X,
                                            bool Uniform) const {
  switch (X.What) {
  case Operand::Kind::None:
    return Polynomial();
  case Operand::Kind::Immediate:
    return Polynomial(X.Number);
  case Operand::Kind::Constant:
    return constant(X);
  case Operand::Kind::Special:
    return special(X.Number, Uniform);
  case Operand::Kind::Register:
  case Operand::Kind::UniformRegister:
    break;
  }
  if (X.isZero())
    return Polynomial();
  auto Found = Values.find({X.What, X.Number});
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
  bool Uniform = I.Result.What == Operand::Kind::UniformRegister;
  if (I.Result.isZero())
    return "it has no result";
  if (!Uniform && I.Result.Number >= Claims.Registers)
    return "it writes a register that the kernel does not have";
  auto A = value(I.A, Uniform), B = value(I.B, Uniform),
       C = value(I.C, Uniform);
  if (!A || !B || !C)
    return "it reads what is not known";
  std::optional<Polynomial> Result = compute(I, *A, *B, *C);
  if (!Result)
    return "its result is not known";
  Values[{I.Result.What, I.Result.Number}] = *Result;
  return "";
}

Expected<StackSetUp> Evaluation::result() const {
  auto Found = Values.find({Operand::Kind::Register, StackPointer});
  if (Found == Values.end())
    return createStringError("the set-up code does not write R1");
  Polynomial Left = Found->second;
  Polynomial Thread =
      thread(0) + threads(0) * (thread(1) + threads(1) * thread(2));
  StackSetUp S;
  for (const auto &[Register, Value] : Values) {
    if (Register != Found->first)
      S.Written.push_back({Register.first, Register.second});
    if (Register.first == Operand::Kind::UniformRegister &&
        Value == Polynomial(Variable::Window))
      S.Window = Register.second;
    Polynomial Rest = Value - Polynomial(Variable::LocalStack);
    if (Register.first == Operand::Kind::UniformRegister && Rest.isConstant()) {
      S.LocalStack = Register.second;
      S.LocalOffset = static_cast<int32_t>(Rest.constant());
    }
  }
  // One term of the thread's number has the factor 1: its first dimension with
  // several threads.
  for (const auto &[M, Factor] : Thread.terms())
    if (Factor == 1)
      S.FrameBytes = Left.factor(M);
  Left = Left - Thread * Polynomial(S.FrameBytes);
  S.FromEnd = static_cast<int32_t>(S.FrameBytes) < 0;
  if (S.FromEnd)
    S.FrameBytes = -S.FrameBytes;
  for (bool InCluster : {false, true})
    for (bool AddsDynamic : {false, true}) {
      Polynomial Rest = Left;
      if (InCluster)
        Rest = Rest - Polynomial(Variable::Rank) * Polynomial(1u << 24);
      if (AddsDynamic)
        Rest = Rest - Polynomial(Variable::RoundedDynamic);
      if (!Rest.isConstant())
        continue;
      S.Base = Rest.constant() - (S.FromEnd ? 0 : S.FrameBytes);
      S.AddsDynamic = AddsDynamic;
      return S;
    }
  return createStringError(
      "R1 is not set to the end of a frame for each thread");
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

std::string branchProblem(const Control &C) {
  // The shortest that ptxas has for a branch that is taken once.
  constexpr unsigned ShortestStall = 5;
  if (C.Stall < ShortestStall || C.Stall > LongestStall || C.Yield)
    return "it stalls as no branch by ptxas does";
  if (C.WriteBarrier != Control::NoBarrier ||
      C.ReadBarrier != Control::NoBarrier || C.Reuse || C.Rest)
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
  std::string finish(const Control &C);

private:
  struct Result {
    Unit By = Unit::Alu;
    unsigned Issued = 0;
    unsigned Barrier = Control::NoBarrier; ///< That it still holds.
  };
  unsigned Architecture;
  unsigned Now = 0; ///< Cycles since the first instruction issued.
  std::map<std::pair<Operand::Kind, uint32_t>, Result> Results;
  unsigned Set[6] = {}; ///< When each scoreboard was last taken.
  unsigned Held = 0;    ///< Mask of the scoreboards in use.

  std::string wait(const Control &C);
  std::string arrived(const Operand &X, Unit Reader) const;
};

} // namespace

std::string SetUpTiming::wait(const Control &C) {
  // ptxas writes no other stalls with and without yielding.
  if (!C.Stall || (C.Yield ? C.Stall == 1 : C.Stall > LongestStall))
    return "it stalls as no code by ptxas does";
  if (C.Rest)
    return "it has control bits that are not known";
  if (C.ReadBarrier != Control::NoBarrier)
    return "it takes a scoreboard for its operands";
  if (C.WaitMask & ~Held)
    return "it waits for a scoreboard that nothing holds";
  for (unsigned B = 0; B != 6; ++B)
    if (C.WaitMask >> B & 1 && Now < Set[B] + ScoreboardDelay)
      return "it waits for a scoreboard too early";
  Held &= ~C.WaitMask;
  for (auto &[Register, R] : Results)
    if (R.Barrier < 6 && C.WaitMask >> R.Barrier & 1)
      R.Barrier = Control::NoBarrier;
  return "";
}

std::string SetUpTiming::arrived(const Operand &X, Unit Reader) const {
  if (!X.isRegister() || X.isZero())
    return "";
  auto Found = Results.find({X.What, X.Number});
  if (Found == Results.end())
    return "";
  const Result &R = Found->second;
  if (R.Barrier != Control::NoBarrier)
    return "a register's scoreboard was not waited for";
  if (Now < R.Issued + latency(R.By, Reader))
    return "a register is used before its value arrives";
  return "";
}

/// Reuse keeps an operand in its slot for the next instruction.
static bool isReused(const SetUpInstruction &I, const Operand &X,
                     const SetUpInstruction *Next) {
  if (!Next || X.What != Operand::Kind::Register || X.isZero() || X == I.Result)
    return false;
  for (const Operand *Y : {&Next->A, &Next->B, &Next->C})
    if (*Y == X && Y->Slot == X.Slot)
      return true;
  return false;
}

std::string SetUpTiming::step(const SetUpInstruction &I,
                              const SetUpInstruction *Next) {
  const Control &C = I.Scheduling;
  if (std::string Problem = wait(C); !Problem.empty())
    return Problem;
  unsigned Reused = 0;
  for (const Operand *X : {&I.A, &I.B, &I.C}) {
    if (std::string Problem = arrived(*X, I.By); !Problem.empty())
      return Problem;
    if (isReused(I, *X, Next))
      Reused |= 1u << X->Slot;
  }
  if (C.Reuse & ~Reused)
    return "it keeps an operand that the next instruction does not read";
  if (std::string Problem = arrived(I.Result, I.By); !Problem.empty())
    return Problem;
  bool Announces = C.WriteBarrier != Control::NoBarrier;
  if (Announces != (I.By == Unit::Variable))
    return Announces ? "it takes a scoreboard although its latency is fixed"
                     : "it takes no scoreboard for its result";
  if (C.WriteBarrier == 6)
    return "it takes a scoreboard that there is not";
  if (Announces) {
    Held |= 1u << C.WriteBarrier;
    Set[C.WriteBarrier] = Now;
  }
  Results[{I.Result.What, I.Result.Number}] = {I.By, Now, C.WriteBarrier};
  Now += C.Stall;
  return "";
}

std::string SetUpTiming::finish(const Control &C) {
  if (std::string Problem = wait(C); !Problem.empty())
    return Problem;
  Control Waited = C;
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
  if (std::string Problem = Timing.finish(controlOf(Branch)); !Problem.empty())
    return failAt(First + Code.size(), "set-up code: " + Problem);
  Expected<StackSetUp> S = Values.result();
  if (!S)
    return failAt(First, toString(S.takeError()));
  return S;
}

} // namespace regdem::framecheck
