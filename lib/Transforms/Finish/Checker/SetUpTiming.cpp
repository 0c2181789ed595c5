//===- SetUpTiming.cpp - results that have not arrived --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SetUpTiming.h"

using namespace llvm;

namespace regdem::framecheck {

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

} // namespace regdem::framecheck
