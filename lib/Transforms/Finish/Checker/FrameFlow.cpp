//===- FrameFlow.cpp - follow the stack pointer through a kernel ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function is followed once for each state that it is called with, until
// nothing changes any more. States have few entries: what is not in one has
// nothing to do with the stack pointer.
//
//===----------------------------------------------------------------------===//

#include "FrameFlow.h"

#include "CodeGraph.h"
#include "FrameInstructions.h"
#include "SetUpCheck.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace regdem::framecheck {

namespace {

class Follower {
public:
  Follower(const Listing &L, const CodeChanges &Changes,
           const StackSetUp &SetUp, std::vector<FlowBehind> Flow)
      : L(L), Changes(Changes), SetUp(SetUp), Flow(std::move(Flow)) {}

  void addRegisters(const SassKernel &Code) {
    for (const SassBlock &Block : Code.Blocks)
      for (const SassInstruction &I : Block.Instructions)
        Registers[static_cast<unsigned>(I.Address / WordBytes)] = &I;
  }
  /// The state when the function at Entry returns to its caller; none if it
  /// does not.
  Expected<std::optional<State>> follow(unsigned Entry, const State &Start);
  bool wasReached(unsigned N) const { return Reached.count(N); }
  /// Whether the order in which accesses end matters.
  Error checkScoreboards() const;

private:
  const Listing &L;
  const CodeChanges &Changes;
  const StackSetUp &SetUp;
  std::vector<FlowBehind> Flow;
  DenseMap<unsigned, const SassInstruction *> Registers;
  std::map<std::pair<unsigned, State>, std::optional<State>> Results;
  std::set<unsigned> Active, Reached;
  /// Where a part of the frame was moved: by bytes of the frame, seen from its
  /// end, those of the thread's part, or Stays; and the other way round.
  static constexpr int64_t Stays = 1;
  std::map<int64_t, int64_t> NewBytes, OldBytes;
  std::set<unsigned> Generic; ///< Accesses with generic addresses in the frame.

  Error step(unsigned N, State &S);
  Error execute(unsigned N, const SassInstruction &R, State &S);
  Error stepAccess(unsigned N, const SassInstruction &R, State &S);
  Error stepGeneric(unsigned N, const SassInstruction &R, State &S);
  Error moveWords(unsigned N, const SassInstruction &R, const FrameValue &Base,
                  const FrameAddress &Address, State &S);
  Error checkSum(unsigned N, const FrameValue &Result) const;
  bool isInFrame(const FrameValue &V) const {
    return V.What == FrameValue::Kind::Known && V.Offset <= 0 &&
           V.Offset >= -int64_t{SetUp.FrameBytes};
  }
  Error checkPlace(unsigned N, const SassInstruction &R, const FrameValue &Base,
                   const FrameAddress &Address, const State &S) const;
  Error checkForeign(unsigned N, const SassInstruction &R, const State &S);
  Error checkPart(unsigned N, const SassInstruction &R,
                  const FrameAddress &Address, const State &S);
  Error checkStackPointer(unsigned N, const SassInstruction &R,
                          const State &S) const;
};

} // namespace

/// Instruction N accesses Address, whose register has Base, in the frame.
Error Follower::checkPlace(unsigned N, const SassInstruction &R,
                           const FrameValue &Base, const FrameAddress &Address,
                           const State &S) const {
  if (Base.What != FrameValue::Kind::Known)
    return Error::success();
  int64_t Position = Base.Offset + Address.Offset, Bytes = R.Bytes;
  if (Bytes == 0 || Position % Bytes)
    return failAt(N, "an access is not aligned");
  if (Position < -*depth(S) || Position + Bytes > 0)
    return failAt(N, "an access is outside of the thread's frame");
  return Error::success();
}

/// Instruction N, an access of the frame; one by a uniform register adds R1
/// now. One by a general register may store an address where it is known which
/// word of the frame holds it then.
Error Follower::stepAccess(unsigned N, const SassInstruction &R, State &S) {
  const ListedInstruction &I = L.Instructions[N];
  const AccessChange &Change = Changes.Accesses.at(N);
  bool IsUniform = Change.Uniform.has_value();
  bool IsLoad = I.base() == "LDL";
  auto Operands = I.operands();
  std::optional<FrameAddress> Address;
  if ((IsLoad || I.base() == "STL") && Operands.size() == 2)
    Address = readAddress(Operands[IsLoad ? 1 : 0], IsUniform ? "UR" : "R");
  if (!Address || (IsUniform && Address->Register != *Change.Uniform))
    return failAt(N, "an access of the frame in a form that is not known");
  State Seen = {seenUnder(Guard::of(I), S.Values), {}, {}};
  unsigned Place = placeOf(IsUniform ? SassFile::Uniform : SassFile::General,
                           Address->Register);
  FrameValue Base = valueOf(Seen.Values, Place),
             R1 = valueOf(Seen.Values, StackPointer);
  if (!Base.isAddress() || Base.IsGeneric)
    return failAt(N, "the address of an access is not derived from R1");
  if (IsUniform &&
      (R1.What != FrameValue::Kind::Known || Base.Base != R1.Offset))
    return failAt(N, "an address in the frame is seen from another R1");
  // An address in a uniform register lacks nothing.
  if (Base.Lag != Change.Shift)
    return failAt(N, "an access adds another number than its address lacks");
  bool MayStore = !IsUniform && !IsLoad &&
                  Base.What == FrameValue::Kind::Known && R.Bytes >= 4;
  for (const SassRegister &Read : R.Reads)
    if (!isOther(Read, Seen) && placeOf(Read) != Place &&
        !(MayStore && isGeneral(Read) && isStored(Operands[1], R, Read.Index)))
      return failAt(N, "an address in the frame is stored");
  if (!IsUniform && !IsLoad && !MayStore &&
      isStored(Operands[1], R, Address->Register))
    return failAt(N, "an address in the frame is stored");
  if (Error E = checkPlace(N, R, Base, *Address, S))
    return E;
  if (Changes.Part)
    if (Error E = checkPart(N, R, *Address, S))
      return E;
  return moveWords(N, R, Base, *Address, S);
}

/// Access N, of a frame of which a part was moved: each byte of the frame is
/// either one byte of the thread's part, everywhere, or where it was.
Error Follower::checkPart(unsigned N, const SassInstruction &R,
                          const FrameAddress &Address, const State &S) {
  const PartChanges &Part = *Changes.Part;
  if (Address.Register != StackPointer || *depth(S) != -Part.Before)
    return failAt(N, "an access that is not seen from the lowered R1");
  int64_t Old = Part.Before + Address.Offset, Bytes = R.Bytes, New = 0;
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
Error Follower::checkStackPointer(unsigned N, const SassInstruction &R,
                                  const State &S) const {
  bool Writes =
      is_contained(R.Writes, SassRegister{SassFile::General, StackPointer});
  bool Lowers = N == Changes.Part->LoweredAt;
  if (Writes != Lowers || (Lowers && depth(S) != 0))
    return failAt(N, "R1 is changed otherwise than once");
  return Error::success();
}

/// What instruction N, which accesses Address, whose register has Base, does to
/// the values of registers and of the frame's words. An access whose place is
/// not known, to an array, does not change words that hold addresses, or load
/// them: within its bounds it cannot.
Error Follower::moveWords(unsigned N, const SassInstruction &R,
                          const FrameValue &Base, const FrameAddress &Address,
                          State &S) {
  const ListedInstruction &I = L.Instructions[N];
  bool IsLoad = I.base() == "LDL" || I.base() == "LD";
  State Seen = {seenUnder(Guard::of(I), S.Values), {}, {}};
  State Old = S;
  write(I, R, {}, {}, S);
  if (Base.What != FrameValue::Kind::Known)
    return Error::success();
  unsigned Words = std::max(R.Bytes / 4, 1u);
  std::optional<unsigned> First =
      IsLoad ? (R.Writes.empty() ? std::nullopt
                                 : std::optional(unsigned{R.Writes[0].Index}))
             : firstStored(I.operands()[1]);
  for (unsigned Word = 0; Word != Words; ++Word) {
    unsigned Slot = slotAt(Base.Offset + Address.Offset + 4 * int64_t{Word});
    FrameValue Moved =
        First && !IsLoad ? valueOf(Seen.Values, *First + Word) : FrameValue();
    if (IsLoad)
      Moved = valueOf(Seen.Values, Slot);
    if (R.Bytes < 4 &&
        (valueOf(Seen.Values, Slot).What != Moved.What || IsLoad) &&
        valueOf(Seen.Values, Slot).What != FrameValue::Kind::Other)
      return failAt(N, "a part of an address in the frame is accessed");
    if (IsLoad && !First)
      continue;
    unsigned Place = IsLoad ? *First + Word : Slot;
    FrameValue New =
        writtenUnder(Guard::of(I), Moved, valueOf(Old.Values, Place));
    if (New.What == FrameValue::Kind::Other)
      S.Values.erase(Place);
    else
      S.Values[Place] = New;
  }
  return Error::success();
}

/// Instruction N, which has to do with the frame, loads or stores by a generic
/// address, of which both halves must be the frame's.
Error Follower::stepGeneric(unsigned N, const SassInstruction &R, State &S) {
  const ListedInstruction &I = L.Instructions[N];
  auto Operands = I.operands();
  bool IsLoad = I.base() == "LD";
  std::optional<FrameAddress> Address;
  if (Operands.size() == 2)
    Address = readGenericAddress(Operands[IsLoad ? 1 : 0]);
  if (!Address)
    return failAt(N, "a generic access of the frame in a form that is not "
                     "known");
  State Seen = {seenUnder(Guard::of(I), S.Values), {}, {}};
  FrameValue Base = valueOf(Seen.Values, Address->Register),
             Upper = valueOf(Seen.Values, Address->Register + 1);
  if (!Base.isAddress() || !Base.IsGeneric ||
      Upper.What != FrameValue::Kind::High)
    return failAt(N, "the generic address of an access is not derived from R1");
  for (const SassRegister &Read : R.Reads)
    if (!isOther(Read, Seen) &&
        !(isGeneral(Read) && (Read.Index == Address->Register ||
                              Read.Index == Address->Register + 1)))
      return failAt(N, "an address in the frame is stored");
  if (!IsLoad && (isStored(Operands[1], R, Address->Register) ||
                  isStored(Operands[1], R, Address->Register + 1)))
    return failAt(N, "an address in the frame is stored");
  Generic.insert(N);
  if (Error E = checkPlace(N, R, Base, *Address, S))
    return E;
  return moveWords(N, R, Base, *Address, S);
}

/// Whether Result, of instruction N, has the carry that it had, or one that is
/// right for its new address.
Error Follower::checkSum(unsigned N, const FrameValue &Result) const {
  const ListedInstruction &I = L.Instructions[N];
  bool IsUniform = I.base().starts_with("U");
  // A negative one, seen from R1, would lack what its upper half has.
  bool IsBehind = Result.Offset >= Result.Base;
  if (IsUniform && Result.isAddress() && (Result.IsGeneric || givesCarry(I)) &&
      (!isInFrame(Result) || !IsBehind))
    return failAt(N, "the carry of an address may depend on the frame");
  // That of a sum in the frame is 1 if what is added is negative, wherever the
  // frame is.
  if (!IsUniform && givesCarry(I) && !Result.IsGeneric && !isInFrame(Result))
    return failAt(N, "the carry of an address may depend on the frame");
  return Error::success();
}

/// The most uniform registers that an instruction writes.
static constexpr unsigned WidestUniform = 8;

Error Follower::checkForeign(unsigned N, const SassInstruction &R,
                             const State &S) {
  for (const SassRegister &W : R.Writes)
    for (std::optional<unsigned> Kept : {SetUp.Window, SetUp.LocalStack})
      if (Kept && W.File == SassFile::Uniform && W.Index <= *Kept &&
          *Kept < W.Index + WidestUniform)
        return failAt(N, "a register that set-up code leaves may be written");
  for (const SassRegister &Read : R.Reads)
    if (S.Foreign.count({Read.File, Read.Index}))
      return failAt(N, "a register that set-up code writes is read first");
  return Error::success();
}

/// Instruction N, whose registers are R, gives its results to S.
Error Follower::execute(unsigned N, const SassInstruction &R, State &S) {
  const ListedInstruction &I = L.Instructions[N];
  auto Change = Changes.Rewrites.find(N);
  bool IsRewritten = Change != Changes.Rewrites.end();
  if (readsLocalWindow(I) && (!IsRewritten || Changes.Part))
    return failAt(N, "the address of local memory is read");
  State Seen = {seenUnder(Guard::of(I), S.Values), {}, {}};
  bool ReadsFrame =
      any_of(R.Reads, [&](const SassRegister &X) { return !isOther(X, Seen); });
  if (Changes.Accesses.count(N))
    return stepAccess(N, R, S);
  if (ReadsFrame && (I.base() == "LD" || I.base() == "ST"))
    return stepGeneric(N, R, S);
  FrameValue Result, Carry;
  if (IsRewritten) {
    Expected<FrameValue> Value = rewritten(N, R, Change->second, Seen, SetUp);
    if (!Value)
      return Value.takeError();
    Result = *Value;
  } else if (ReadsFrame && I.base() == "ISETP") {
    if (Error E = checkComparison(N, I, R, Seen))
      return E;
  } else if (ReadsFrame) {
    if (!canRead(I, R, Seen))
      return failAt(N, "an address in the frame is used by " + I.Opcode);
    Expected<FrameValue> Value = resultOf(I, Seen.Values);
    if (!Value)
      return failAt(N, toString(Value.takeError()));
    Result = *Value;
    if (Error E = checkSum(N, Result))
      return E;
    if (Result.IsGeneric && givesCarry(I))
      Carry.What = FrameValue::Kind::Carry;
  }
  write(I, R, Result, Carry, S);
  return Error::success();
}

/// Instruction N is executed in state S.
Error Follower::step(unsigned N, State &S) {
  const ListedInstruction &I = L.Instructions[N];
  if (I.isNever() || I.base() == "NOP")
    return Error::success();
  auto Found = Registers.find(N);
  if (Found == Registers.end())
    return failAt(N, "control flow is not understood");
  const SassInstruction &R = *Found->second;
  if (Error E = checkForeign(N, R, S))
    return E;
  if (Changes.Part)
    if (Error E = checkStackPointer(N, R, S))
      return E;
  if (Error E = execute(N, R, S))
    return E;
  if (I.base() == "BMOV" && !I.operands().empty())
    S.Meetings.erase(I.operands().front()); // Another one may be moved there.
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
    const FlowBehind &F = Flow[N];
    if (F.Returns) {
      if (depth(S) != depth(Start))
        return failAt(N, "a function returns with another R1");
      AtReturn = AtReturn ? join(*AtReturn, S) : S;
    }
    if (F.Callee) {
      Expected<std::optional<State>> After = follow(*F.Callee, S);
      if (!After)
        return After.takeError();
      if (!*After)
        continue;
      // A function leaves barriers as they were.
      std::map<StringRef, std::set<unsigned>> Meetings = S.Meetings;
      S = **After;
      S.Meetings = std::move(Meetings);
    }
    SmallVector<unsigned, 2> Following = F.Next;
    if (F.Meeting) {
      S.Meetings[F.Barrier] = {*F.Meeting};
    } else if (!F.Barrier.empty()) {
      const std::set<unsigned> &At = S.Meetings[F.Barrier];
      if (At.empty())
        return failAt(N, "nothing tells where threads meet");
      Following.append(At.begin(), At.end());
    }
    for (unsigned Next : Following) {
      State Then = S;
      if (std::optional<Guard> G =
              guardOfEdge(L.Instructions[N], N, Following, Next))
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
    const SassInstruction *R = Registers.lookup(N);
    if (R && (Counted.count(R->WriteBarrier) || Counted.count(R->ReadBarrier)))
      return failAt(N, "its scoreboard is counted");
  }
  return Error::success();
}

Error followFrame(const Listing &L, const SassKernel &Code,
                  const CodeChanges &Changes, const StackSetUp &SetUp) {
  Expected<std::vector<FlowBehind>> Flow = readFlow(L);
  if (!Flow)
    return Flow.takeError();
  Follower F(L, Changes, SetUp, std::move(*Flow));
  F.addRegisters(Code);
  State Start;
  Start.Values[StackPointer] = {FrameValue::Kind::Known, 0};
  for (const Operand &X : SetUp.Written)
    Start.Foreign.insert({X.What == Operand::Kind::UniformRegister
                              ? SassFile::Uniform
                              : SassFile::General,
                          X.Number});
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
