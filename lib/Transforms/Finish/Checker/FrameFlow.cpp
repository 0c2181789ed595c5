//===- FrameFlow.cpp - follow the stack pointer through a kernel ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward data-flow analysis over instructions, once for each state that a
// function is called with.
//
//   state     places -> FrameValue; what is not in it is Other (FrameValue.h)
//   entry     R1 = Known 0; what set-up code writes is foreign
//   transfer  R = R1 + 8                 Known n -> Known n + 8
//             R = R1 + R5                Known n -> Indexed
//             copy, select               the value; join of both
//             STL [R1+8], R; LDL         words of the frame hold values, too
//             result of anything else    Other, if all that it reads is Other
//             anything else that reads another value: refused
//   meet      join(), place by place; on an edge of a guarded branch first what
//             the guard says
//   end       when no state changes
//
// Theorem: a frame that starts elsewhere gives the same results. Let d be the
// distance from a thread's frame in local memory to that in shared memory. By
// induction over steps, registers hold what they held before if they are Other,
// and d more (less what Lag says) if they are addresses: sums keep d, and all
// that could tell an address from another number is refused. An access adds Lag
// to its offset, so that it touches the byte of the frame that it touched
// before, which is no other thread's since it lies within the frame or is
// indexed as before. It assumes what the programmer promises, that arrays are
// indexed within their bounds.
//
//===----------------------------------------------------------------------===//

#include "FrameFlow.h"

#include "FrameInstructions.h"
#include "SetUpCheck.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace regdem::framecheck {

namespace {

class Follower {
public:
  Follower(const SassListing &L, const CodeChanges &Changes,
           const StackSetUp &SetUp, std::vector<SassFlow> Flow)
      : L(L), Changes(Changes), SetUp(SetUp), Flow(std::move(Flow)) {}

  /// The state when the function at Entry returns to its caller; none if it
  /// does not.
  Expected<std::optional<State>> follow(unsigned Entry, const State &Start);
  bool wasReached(unsigned N) const { return Reached.count(N); }
  /// Whether the order in which accesses end matters.
  Error checkScoreboards() const;

private:
  const SassListing &L;
  const CodeChanges &Changes;
  const StackSetUp &SetUp;
  std::vector<SassFlow> Flow;
  std::map<std::pair<unsigned, State>, std::optional<State>> Results;
  std::set<unsigned> Active, Reached;
  /// Where a part of the frame was moved: by bytes of the frame, seen from its
  /// end, those of the thread's part, or Stays; and the other way round.
  static constexpr int64_t Stays = 1;
  std::map<int64_t, int64_t> NewBytes, OldBytes;
  std::set<unsigned> Generic; ///< Accesses with generic addresses in the frame.
  std::set<unsigned> Stored;  ///< Words in which the program puts such values.

  Error step(unsigned N, State &S);
  Error execute(unsigned N, const SassInstruction &I, State &S);
  Error stepAccess(unsigned N, const SassInstruction &I,
                   const FrameValues &Seen, State &S);
  Error stepGeneric(unsigned N, const SassInstruction &I,
                    const FrameValues &Seen, State &S);
  Error moveWords(unsigned N, const SassInstruction &I, const FrameValues &Seen,
                  const FrameValue &Base, const SassOperand &Address, State &S);
  Error checkSum(unsigned N, const FrameValue &Result) const;
  bool isInFrame(const FrameValue &V) const {
    return V.What == FrameValue::Kind::Known && V.Offset <= 0 &&
           V.Offset >= -int64_t{SetUp.FrameBytes};
  }
  Error checkPlace(unsigned N, const SassInstruction &I, const FrameValue &Base,
                   const SassOperand &Address, const State &S) const;
  Error checkForeign(unsigned N, const SassInstruction &I, const State &S);
  Error checkPart(unsigned N, const SassInstruction &I,
                  const SassOperand &Address, const State &S);
  Error checkStackPointer(unsigned N, const SassInstruction &I,
                          const State &S) const;
};

} // namespace

/// Instruction N accesses Address, whose register has Base, in the frame.
Error Follower::checkPlace(unsigned N, const SassInstruction &I,
                           const FrameValue &Base, const SassOperand &Address,
                           const State &S) const {
  if (Base.What != FrameValue::Kind::Known)
    return Error::success();
  int64_t Position = Base.Offset + Address.Number, Bytes = I.Bytes;
  if (Bytes == 0 || Position % Bytes)
    return failAt(N, "an access is not aligned");
  if (Position < -*depth(S) || Position + Bytes > 0)
    return failAt(N, "an access is outside of the thread's frame");
  return Error::success();
}

/// Whether instruction N, an access, has addresses of what Seen holds only as
/// its own, or where MayStore as words that it stores.
static Error checkStored(unsigned N, const SassInstruction &I,
                         const SassOperand &Address, const FrameValues &Seen,
                         bool MayStore) {
  bool IsStore = I.base().starts_with("ST");
  for (const SassRegister &Read : I.Reads) {
    bool IsPointer =
        Read.File == Address.Register.File &&
        (Read.Index == Address.Register.Index ||
         (Address.IsWide && Read.Index == Address.Register.Index + 1));
    bool IsData =
        IsStore && Read.isGeneral() && isStored(I.Operands[1], I, Read.Index);
    if (!isOther(Read, Seen) && !(IsData ? MayStore : IsPointer))
      return failAt(N, "an address in the frame is stored");
  }
  return Error::success();
}

/// Instruction N, an access of the frame; one by a uniform register adds R1
/// now. One by a general register may store an address where it is known which
/// word of the frame holds it then.
Error Follower::stepAccess(unsigned N, const SassInstruction &I,
                           const FrameValues &Seen, State &S) {
  const AccessChange &Change = Changes.Accesses.at(N);
  bool IsUniform = Change.Uniform.has_value();
  bool IsLoad = I.base() == "LDL";
  if ((!IsLoad && I.base() != "STL") || I.Operands.size() != 2)
    return failAt(N, "an access of the frame in a form that is not known");
  const SassOperand &Address = I.Operands[IsLoad ? 1 : 0];
  SassRegister Pointer = Address.Register;
  if (!Address.isPlainAddress() || Pointer.isUniform() != IsUniform ||
      Pointer.isConstant() || (IsUniform && Pointer.Index != *Change.Uniform))
    return failAt(N, "an access of the frame in a form that is not known");
  FrameValue Base = valueOf(Seen, placeOf(Pointer)),
             R1 = valueOf(Seen, StackPointer);
  if (!Base.isAddress() || Base.IsGeneric)
    return failAt(N, "the address of an access is not derived from R1");
  if (IsUniform &&
      (R1.What != FrameValue::Kind::Known || Base.Base != R1.Offset))
    return failAt(N, "an address in the frame is seen from another R1");
  // An address in a uniform register lacks nothing.
  if (Base.Lag != Change.Shift)
    return failAt(N, "an offset does not compensate for the rebased address");
  bool MayStore =
      !IsUniform && Base.What == FrameValue::Kind::Known && I.Bytes >= 4;
  if (Error E = checkStored(N, I, Address, Seen, MayStore))
    return E;
  if (Error E = checkPlace(N, I, Base, Address, S))
    return E;
  if (Changes.Part)
    if (Error E = checkPart(N, I, Address, S))
      return E;
  return moveWords(N, I, Seen, Base, Address, S);
}

/// Access N, of a frame of which a part was moved: each byte of the frame is
/// either one byte of the thread's part, everywhere, or where it was.
Error Follower::checkPart(unsigned N, const SassInstruction &I,
                          const SassOperand &Address, const State &S) {
  const PartChanges &Part = *Changes.Part;
  if (Address.Register != StackRegister || *depth(S) != -Part.Before)
    return failAt(N, "an access that is not seen from the lowered R1");
  int64_t Old = Part.Before + Address.Number, Bytes = I.Bytes, New = 0;
  const AccessChange &Change = Changes.Accesses.at(N);
  bool IsMoved = !Change.Stays;
  if (!IsMoved &&
      (SetUp.LocalStack != Change.Stays || SetUp.LocalOffset != Part.Before))
    return failAt(N, "set-up code leaves no old R1 in the register");
  if (IsMoved) {
    New = Part.After + Change.Offset;
    if (New < -int64_t{SetUp.FrameBytes} || New + Bytes > 0 || New % Bytes)
      return failAt(N, "an access is outside of the thread's part");
  }
  for (int64_t Byte = 0; Byte != Bytes; ++Byte) {
    int64_t To = IsMoved ? New + Byte : Stays;
    if (NewBytes.try_emplace(Old + Byte, To).first->second != To)
      return failAt(N, "an access is elsewhere than others of its place");
    if (IsMoved &&
        OldBytes.try_emplace(To, Old + Byte).first->second != Old + Byte)
      return failAt(N, "an access meets another place of the frame");
  }
  return Error::success();
}

/// Whether instruction N, before which S holds, leaves R1 alone, or lowers it
/// where a part of the frame was moved.
Error Follower::checkStackPointer(unsigned N, const SassInstruction &I,
                                  const State &S) const {
  bool Writes = is_contained(I.Writes, StackRegister);
  bool Lowers = N == Changes.Part->LoweredAt;
  if (Writes != Lowers || (Lowers && depth(S) != 0))
    return failAt(N, "R1 is changed otherwise than once");
  return Error::success();
}

/// What instruction N, which accesses Address, whose register has Base, does to
/// the values of registers and of the frame's words. Where it is not known
/// which words those are, in an array, none may hold an address that the
/// program has put there: it may be an array of pointers.
Error Follower::moveWords(unsigned N, const SassInstruction &I,
                          const FrameValues &Seen, const FrameValue &Base,
                          const SassOperand &Address, State &S) {
  bool IsLoad = I.base().starts_with("LD");
  FrameValues Old = S.Values;
  write(I, {}, {}, S);
  if (Base.What != FrameValue::Kind::Known) {
    bool HoldsAddresses = any_of(make_first_range(Old), [this](unsigned Place) {
      return Stored.count(Place) != 0;
    });
    return HoldsAddresses
               ? failAt(N, "an access may be to an address in the frame")
               : Error::success();
  }
  std::optional<unsigned> First;
  if (!IsLoad)
    First = firstStored(I.Operands[1]);
  else if (!I.Writes.empty())
    First = I.Writes[0].Index;
  for (unsigned Word = 0; Word != std::max(I.Bytes / 4, 1u); ++Word) {
    unsigned Slot = slotAt(Base.Offset + Address.Number + 4 * int64_t{Word});
    FrameValue Kept = valueOf(Seen, Slot), Moved;
    if (IsLoad)
      Moved = Kept;
    else if (First)
      Moved = valueOf(Seen, *First + Word);
    if (I.Bytes < 4 && (Kept.What != Moved.What || IsLoad) &&
        Kept.What != FrameValue::Kind::Other)
      return failAt(N, "a part of an address in the frame is accessed");
    if (IsLoad && !First)
      continue;
    unsigned Place = IsLoad ? *First + Word : Slot;
    bool IsOther = Moved.What == FrameValue::Kind::Other;
    if (!IsLoad && !IsOther && !I.IsSpill)
      Stored.insert(Slot);
    setValue(S.Values, Place,
             writtenUnder(I.Guard, Moved, valueOf(Old, Place)));
  }
  return Error::success();
}

/// Instruction N, which has to do with the frame, loads or stores by a generic
/// address, of which both halves must be the frame's.
Error Follower::stepGeneric(unsigned N, const SassInstruction &I,
                            const FrameValues &Seen, State &S) {
  SassOperand Address;
  if (I.Operands.size() == 2)
    Address = I.Operands[I.base() == "LD" ? 1 : 0];
  SassRegister Lower = Address.Register;
  if (!Address.isAddress() || !Address.Text.empty() || !Address.IsWide ||
      Address.Descriptor == SassRegister::Zero ||
      Address.Uniform != SassRegister::Zero || !Lower.isGeneral() ||
      Lower.isConstant())
    return failAt(N, "a generic access of the frame in a form that is not "
                     "known");
  FrameValue Base = valueOf(Seen, Lower.Index),
             Upper = valueOf(Seen, Lower.Index + 1u);
  if (!Base.isAddress() || !Base.IsGeneric ||
      Upper.What != FrameValue::Kind::High)
    return failAt(N, "the generic address of an access is not derived from R1");
  if (Error E = checkStored(N, I, Address, Seen, /*MayStore=*/false))
    return E;
  if (!I.Bytes || SetUp.FrameBytes % I.Bytes || SetUp.Base % I.Bytes)
    return failAt(N, "frames are not aligned to a generic access");
  Generic.insert(N);
  if (Error E = checkPlace(N, I, Base, Address, S))
    return E;
  return moveWords(N, I, Seen, Base, Address, S);
}

/// Whether Result, of instruction N, has the carry that it had, or one that is
/// right for its new address.
Error Follower::checkSum(unsigned N, const FrameValue &Result) const {
  const SassInstruction &I = L.Code[N];
  bool IsUniform = I.base().starts_with("U");
  // A negative one, seen from R1, would lack what its upper half has.
  bool IsBehind = Result.Offset >= Result.Base;
  if (IsUniform && Result.isAddress() && (Result.IsGeneric || numCarries(I)) &&
      (!isInFrame(Result) || !IsBehind))
    return failAt(N, "the carry of an address may depend on the frame");
  // That of a sum in the frame is 1 if what is added is negative, wherever the
  // frame is.
  if (!IsUniform && numCarries(I) && !Result.IsGeneric && !isInFrame(Result))
    return failAt(N, "the carry of an address may depend on the frame");
  // The same where the window is added at once.
  if (numCarries(I) == 2 && !(Result.IsGeneric && isInFrame(Result)))
    return failAt(N, "the carry of an address may depend on the frame");
  return Error::success();
}

/// The most uniform registers that an instruction writes.
static constexpr unsigned WidestUniform = 8;

Error Follower::checkForeign(unsigned N, const SassInstruction &I,
                             const State &S) {
  for (const SassRegister &W : I.Writes)
    for (std::optional<unsigned> Kept : {SetUp.Window, SetUp.LocalStack})
      if (Kept && W.isUniform() && W.Index <= *Kept &&
          *Kept < W.Index + WidestUniform)
        return failAt(N, "a register that set-up code leaves may be written");
  for (const SassRegister &Read : I.Reads)
    if (S.Foreign.count(Read))
      return failAt(N, "a register that set-up code writes is read first");
  return Error::success();
}

/// I, instruction N, gives its results to S.
Error Follower::execute(unsigned N, const SassInstruction &I, State &S) {
  auto Change = Changes.Rewrites.find(N);
  bool IsRewritten = Change != Changes.Rewrites.end();
  if (tellsLocalWindow(I) && (!IsRewritten || Changes.Part))
    return failAt(N, "the address of local memory is read");
  FrameValues Seen = seenUnder(I.Guard, S.Values);
  bool ReadsFrame =
      any_of(I.Reads, [&](const SassRegister &X) { return !isOther(X, Seen); });
  if (Changes.Accesses.count(N))
    return stepAccess(N, I, Seen, S);
  if (ReadsFrame && isGenericAccess(I))
    return stepGeneric(N, I, Seen, S);
  FrameValue Result, Carry;
  if (IsRewritten) {
    Expected<FrameValue> Value = rewritten(N, I, Change->second, Seen, SetUp);
    if (!Value)
      return Value.takeError();
    Result = *Value;
  } else if (ReadsFrame && I.base() == "ISETP") {
    if (Error E = checkComparison(N, I, Seen))
      return E;
  } else if (ReadsFrame) {
    if (!canRead(I, Seen))
      return failAt(N, "an address in the frame is used by " + I.Opcode);
    Expected<FrameValue> Value = resultOf(I, Seen);
    if (!Value)
      return failAt(N, toString(Value.takeError()));
    Result = *Value;
    if (Error E = checkSum(N, Result))
      return E;
    if (Result.IsGeneric && numCarries(I)) {
      Carry.What = FrameValue::Kind::Carry;
      Carry.Carries = numCarries(I);
    }
  }
  write(I, Result, Carry, S);
  return Error::success();
}

/// Instruction N is executed in state S.
Error Follower::step(unsigned N, State &S) {
  const SassInstruction &I = L.Code[N];
  if (I.Guard.isNever() || I.base() == "NOP")
    return Error::success();
  if (Error E = checkForeign(N, I, S))
    return E;
  if (Changes.Part)
    if (Error E = checkStackPointer(N, I, S))
      return E;
  if (Error E = execute(N, I, S))
    return E;
  if (I.base() == "BMOV" && !I.Operands.empty()) {
    // Another meeting may be moved there; which register it is is not decoded.
    if (StringRef To = I.Operands.front().Text; To == "?")
      S.Meetings.clear();
    else
      S.Meetings.erase(To);
  }
  std::optional<int64_t> Depth = depth(S);
  if (!Depth)
    return failAt(N, "R1 is not a known number of bytes below its start");
  if (*Depth < 0 || (!Changes.Part && *Depth > SetUp.FrameBytes))
    return failAt(N, "R1 leaves the thread's frame");
  // A frame of two parts has no addresses that are right for both.
  if (Changes.Part && S.Values.size() != 1)
    return failAt(N, "an address in a frame of two parts is computed");
  return Error::success();
}

Expected<std::optional<State>> Follower::follow(unsigned Entry,
                                                const State &Start) {
  auto Known = Results.find({Entry, Start});
  if (Known != Results.end())
    return Known->second;
  if (!Active.insert(Entry).second)
    return failAt(Entry, "recursion");
  std::map<unsigned, State> Before = {{Entry, Start}};
  std::vector<unsigned> Work = {Entry};
  std::optional<State> AtReturn;
  while (!Work.empty()) {
    unsigned N = Work.back();
    Work.pop_back();
    Reached.insert(N);
    State S = Before[N];
    if (Error E = step(N, S))
      return E;
    const SassInstruction &I = L.Code[N];
    const SassFlow &F = Flow[N];
    SmallVector<unsigned, 2> Following;
    if (F.What == SassFlow::Kind::Return) {
      if (depth(S) != depth(Start))
        return failAt(N, "a function returns with another R1");
      AtReturn = AtReturn ? join(*AtReturn, S) : S;
    }
    if (F.What == SassFlow::Kind::Call) {
      Expected<std::optional<State>> After = follow(F.Targets.front(), S);
      if (!After)
        return After.takeError();
      if (!*After)
        continue;
      if (!F.FallsThrough)
        return failAt(N, "control leaves the function");
      // A function leaves barriers as they were.
      std::map<StringRef, std::set<unsigned>> Meetings = S.Meetings;
      S = **After;
      S.Meetings = std::move(Meetings);
    } else {
      Following = F.Targets;
    }
    if (F.FallsThrough)
      Following.push_back(N + 1);
    if (I.base() == "BSSY")
      S.Meetings[barrierOf(I)] = {*L.target(I.Operands.back())};
    if (F.What == SassFlow::Kind::Meet) {
      const std::set<unsigned> &At = S.Meetings[barrierOf(I)];
      if (At.empty())
        return failAt(N, "nothing tells where threads meet");
      Following.append(At.begin(), At.end());
    }
    for (unsigned Next : Following) {
      State Then = S;
      if (auto G = guardOfEdge(I, N, Following, Next))
        Then.Values = onlyUnder(*G, S.Values);
      auto [Place, New] = Before.try_emplace(Next, Then);
      State Joined = New ? Then : join(Place->second, Then);
      if (!New && Joined == Place->second)
        continue;
      Place->second = std::move(Joined);
      Work.push_back(Next);
    }
  }
  Active.erase(Entry);
  return Results[{Entry, Start}] = AtReturn;
}

Error Follower::checkScoreboards() const {
  std::set<unsigned> Counted = countedScoreboards(L);
  std::set<unsigned> All = Generic;
  for (const auto &Access : Changes.Accesses)
    All.insert(Access.first);
  for (unsigned N : All) {
    const SassControl &C = L.Code[N];
    if (Counted.count(C.WriteBarrier) || Counted.count(C.ReadBarrier))
      return failAt(N, "its scoreboard is counted");
  }
  return Error::success();
}

Error followFrame(const SassListing &L, const CodeChanges &Changes,
                  const StackSetUp &SetUp) {
  Expected<std::vector<SassFlow>> Flow = readFlow(L);
  if (!Flow)
    return Flow.takeError();
  Follower F(L, Changes, SetUp, std::move(*Flow));
  State Start;
  Start.Values[StackPointer] = {FrameValue::Kind::Known, 0};
  Start.Foreign.insert(SetUp.Written.begin(), SetUp.Written.end());
  Expected<std::optional<State>> End = F.follow(1, Start);
  if (!End)
    return End.takeError();
  if (*End)
    return createStringError("the kernel returns to nobody");
  for (const auto &[N, Change] : Changes.Accesses)
    if (!F.wasReached(static_cast<unsigned>(N)))
      return failAt(N, "an access that nothing comes to");
  for (const auto &[N, Change] : Changes.Rewrites)
    if (!F.wasReached(static_cast<unsigned>(N)))
      return failAt(N, "a change that nothing comes to");
  return F.checkScoreboards();
}

} // namespace regdem::framecheck
