//===- SetUpCheck.cpp - what set-up code leaves in R1 ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SetUpCheck.h"

#include "Polynomial.h"
#include "SetUpTiming.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regdem::framecheck {

Error failAt(uint64_t N, const Twine &Reason) {
  return createStringError("offset 0x" +
                           utohexstr(N * WordBytes, /*LowerCase=*/true) + ": " +
                           Reason);
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
