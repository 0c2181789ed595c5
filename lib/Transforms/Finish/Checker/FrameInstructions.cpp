//===- FrameInstructions.cpp - what one instruction does ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameInstructions.h"

#include "llvm/ADT/STLExtras.h"
#include <iterator>

using namespace llvm;

namespace regdem::framecheck {

std::optional<unsigned> firstStored(const SassOperand &Operand) {
  SassRegister R = Operand.Register;
  if (!Operand.isRegister() || !R.isGeneral() || R.isConstant())
    return std::nullopt;
  return R.Index;
}

bool isStored(const SassOperand &Operand, const SassInstruction &I,
              unsigned Index) {
  std::optional<unsigned> First = firstStored(Operand);
  return First && *First <= Index && Index < *First + std::max(I.Bytes / 4, 1u);
}

bool tellsLocalWindow(const SassInstruction &I) {
  // The window of local memory, and the stack pointer at the start; or what
  // reaches there by several words.
  return I.readsConstant(0, 0x18, 0x2c) || I.base() == "CCTLL" ||
         StringRef(I.Opcode).contains("LMEM") ||
         any_of(I.Operands, [](const SassOperand &O) {
           return StringRef(O.Text).contains("LMEM");
         });
}

bool canRead(const SassInstruction &I, const FrameValues &Values) {
  for (const SassRegister &X : I.Reads) {
    FrameValue V = valueOf(Values, placeOf(X));
    if (X.isUniform() && (V.isAddress() || V.What == FrameValue::Kind::Mixed) &&
        !I.base().starts_with("U"))
      return false;
    if (X.isPredicate() && V.What != FrameValue::Kind::Other &&
        (I.isPredicated() || !StringRef(I.Opcode).ends_with(".X")))
      return false;
  }
  return true;
}

Error checkComparison(unsigned N, const SassInstruction &I,
                      const FrameValues &Values) {
  std::optional<bool> AreGeneric;
  bool IsAlike = true;
  for (const SassRegister &X : I.Reads) {
    FrameValue V = valueOf(Values, placeOf(X));
    if (X.isGeneral())
      IsAlike &= V.isAddress() && !V.Lag &&
                 AreGeneric.value_or(V.IsGeneric) == V.IsGeneric;
    else
      IsAlike &= V.What == FrameValue::Kind::Other;
    if (X.isGeneral())
      AreGeneric = V.IsGeneric;
  }
  bool HasOthers = any_of(I.Operands, [](const SassOperand &O) {
    return !O.isPredicate() &&
           (!O.isPlain() || !O.Register.isGeneral() || O.Register.isConstant());
  });
  if (!IsAlike || HasOthers)
    return failAt(N, "an address in the frame is compared with another number");
  return Error::success();
}

Expected<FrameValue> rewritten(unsigned N, const SassInstruction &I,
                               const Rewrite &Change, const FrameValues &Values,
                               const StackSetUp &SetUp) {
  using Kind = FrameValue::Kind;
  FrameValue R1 = valueOf(Values, StackPointer);
  switch (Change.What) {
  case Rewrite::Kind::WindowLow:
    return FrameValue{Kind::Low};
  case Rewrite::Kind::WindowHigh:
    if (Change.Source != ZeroUniform && SetUp.Window != Change.Source)
      return failAt(N, "set-up code leaves no window in the register");
    return FrameValue{Kind::High};
  case Rewrite::Kind::FromStackPointer:
    if (R1.What != Kind::Known)
      return failAt(N, "R1 is not a known number of bytes below its start");
    R1.Base = R1.Offset;
    return R1;
  case Rewrite::Kind::ToGeneral:
  case Rewrite::Kind::Scaled:
  case Rewrite::Kind::Product:
    break;
  }
  FrameValue V = valueOf(Values, placeOf(SassFile::Uniform, Change.Source));
  if (!V.isAddress())
    return failAt(N, "no address in the frame is read where R1 was added");
  if (R1.What != Kind::Known || V.Base != R1.Offset)
    return failAt(N, "an address in the frame is seen from another R1");
  if (Change.What == Rewrite::Kind::ToGeneral) {
    V.Base = 0;
    return V;
  }
  if (any_of(I.Reads, [&](const SassRegister &X) {
        return X.isGeneral() && !isOther(X, Values);
      }))
    return failAt(N, "an address in the frame is a factor");
  if (V.What != Kind::Known || V.IsGeneric)
    return failAt(N, "how far an address is from R1 is not known");
  FrameValue Sum{Kind::Indexed};
  Sum.Lag = V.Offset - V.Base;
  return Sum;
}

std::set<unsigned> countedScoreboards(const SassListing &L) {
  std::set<unsigned> Result;
  for (const SassInstruction &I : L.Code) {
    if (I.base() != "DEPBAR" || I.Operands.size() < 2 ||
        I.Operands[1] == SassOperand::number(0))
      continue;
    StringRef Name = I.Operands[0].Text;
    unsigned Scoreboard = 0;
    if (Name.consume_front("SB") && !Name.getAsInteger(10, Scoreboard))
      Result.insert(Scoreboard);
  }
  return Result;
}

StringRef barrierOf(const SassInstruction &I) {
  size_t After = I.base() == "BSSY" ? 1 : 0;
  return I.Operands.size() > After
             ? StringRef(I.Operands[I.Operands.size() - 1 - After].Text)
             : "";
}

/// Whether I, a call, is a jump: ptxas also leaves loops by calls, to places
/// that are no functions and do not return.
static bool isJump(const SassInstruction &I) {
  return I.Operands.size() == 1 && I.Operands[0].isLabel() &&
         StringRef(I.Operands[0].Text).starts_with(".L_");
}

static Expected<SassFlow> readFlow(const SassListing &L, unsigned N) {
  const SassInstruction &I = L.Code[N];
  StringRef Base = I.base();
  if (is_contained({"JMX", "JMXU", "LEPC", "RTT"}, Base))
    return failAt(N, "a branch through a register");
  Expected<SassFlow> Flow = flowAfter(L, N);
  if (!Flow)
    return failAt(N, toString(Flow.takeError()));
  if (Base == "CALL") {
    if (Flow->Targets.empty() || (I.isPredicated() && !isJump(I)))
      return failAt(N, "a call does not show what it calls");
    if (isJump(I)) {
      Flow->What = SassFlow::Kind::Jump;
      Flow->FallsThrough = I.isPredicated();
    }
  }
  bool IsBarrier = Base == "BSSY" || Base == "BSYNC";
  if (IsBarrier && barrierOf(I).empty())
    return failAt(N, "a barrier is not shown");
  if (Base == "BSYNC")
    Flow->FallsThrough = I.isPredicated() || I.Operands.size() > 1;
  if (Base == "BSSY" && (!L.target(I.Operands.back()) || I.isPredicated()))
    return failAt(N, "a meeting point is not shown");
  // What happens after a trap is the debugger's.
  Flow->FallsThrough |= Base == "BPT";
  // Threads that are gathered may go on elsewhere.
  if (Base == "WARPSYNC" && !I.Operands.empty())
    if (std::optional<unsigned> Target = L.target(I.Operands.back()))
      Flow->Targets.push_back(*Target);
  return Flow;
}

Expected<std::vector<SassFlow>> readFlow(const SassListing &L) {
  using Kind = SassFlow::Kind;
  auto Count = static_cast<unsigned>(L.Code.size());
  // Functions end where the next one starts.
  std::set<unsigned> Entries = {0};
  for (const SassInstruction &I : L.Code)
    if (I.base() == "CALL" && I.Operands.size() == 1 && !isJump(I))
      if (std::optional<unsigned> Callee = L.target(I.Operands[0]))
        Entries.insert(*Callee);
  auto FunctionOf = [&Entries](unsigned N) {
    return std::prev(Entries.upper_bound(N));
  };
  std::vector<SassFlow> Result;
  for (unsigned N = 0; N != Count; ++N) {
    // Nothing comes to what fills the code up.
    if (L.Code[N].base() == "NOP" && (N + 1 == Count || Entries.count(N + 1))) {
      Result.push_back({Kind::Stop, {}, /*FallsThrough=*/false});
      continue;
    }
    Expected<SassFlow> Flow = readFlow(L, N);
    if (!Flow)
      return Flow.takeError();
    // A trap ends the thread, and what a function ends with calls what does not
    // return: FrameFlow sees to that.
    const SassInstruction &I = L.Code[N];
    bool IsLast = N + 1 == Count || FunctionOf(N + 1) != FunctionOf(N);
    bool IsTrap = StringRef(I.Opcode).starts_with("BPT.TRAP");
    if (IsLast && !I.isPredicated() && (Flow->What == Kind::Call || IsTrap))
      Flow->FallsThrough = false;
    SmallVector<unsigned, 2> Next;
    if (Flow->What != Kind::Call)
      Next = Flow->Targets;
    if (Flow->FallsThrough)
      Next.push_back(N + 1);
    for (unsigned To : Next)
      if (To >= Count || FunctionOf(To) != FunctionOf(N))
        return failAt(N, "control leaves the function");
    Result.push_back(std::move(*Flow));
  }
  return Result;
}

std::optional<SassCondition> guardOfEdge(const SassInstruction &I, unsigned N,
                                         ArrayRef<unsigned> Next, unsigned To) {
  // BRA.U.ANY takes threads along that do not have the condition.
  bool Goes = I.Opcode == "BRA" && I.Operands.size() == 1;
  bool IsBoth = Next.size() > 1 && Next[0] == Next[1];
  if (!I.isPredicated() || IsBoth || !(Goes || I.base() == "EXIT"))
    return std::nullopt;
  return To == N + 1 ? I.Guard.opposite() : I.Guard;
}

} // namespace regdem::framecheck
