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
#include "FrameState.h"
#include "SetUpCheck.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace regdem::framecheck {

namespace {

class Follower {
public:
  Follower(const Listing &L, const CodeChanges &Changes, uint32_t FrameBytes,
           std::vector<FlowBehind> Flow)
      : L(L), Changes(Changes), FrameBytes(FrameBytes), Flow(std::move(Flow)) {}

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
  uint32_t FrameBytes;
  std::vector<FlowBehind> Flow;
  DenseMap<unsigned, const SassInstruction *> Registers;
  std::map<std::pair<unsigned, State>, std::optional<State>> Results;
  std::set<unsigned> Active, Reached;

  Error step(unsigned N, State &S);
  Error stepAccess(unsigned N, const SassInstruction &R, const State &S);
  bool isInFrame(const FrameValue &V) const {
    return V.What == FrameValue::Kind::Known && V.Offset <= 0 &&
           V.Offset >= -int64_t{FrameBytes};
  }
  Error checkForeign(unsigned N, const SassInstruction &R, const State &S);
};

} // namespace

/// Instruction N, an access of the frame.
Error Follower::stepAccess(unsigned N, const SassInstruction &R,
                           const State &S) {
  const ListedInstruction &I = L.Instructions[N];
  bool IsLoad = I.base() == "LDL";
  auto Operands = I.operands();
  std::optional<FrameAddress> Address;
  if ((IsLoad || I.base() == "STL") && Operands.size() == 2)
    Address = readAddress(Operands[IsLoad ? 1 : 0]);
  if (!Address)
    return failAt(N, "an access of the frame in a form that is not known");
  FrameValue Base = valueOf(S.Values, Address->Register);
  if (!Base.isAddress())
    return failAt(N, "the address of an access is not derived from R1");
  for (const SassRegister &Read : R.Reads)
    if (!isOther(Read, S) && Read.Index != Address->Register)
      return failAt(N, "an address in the frame is stored");
  if (!IsLoad &&
      Operands[1].split('.').first == ("R" + Twine(Address->Register)).str())
    return failAt(N, "an address in the frame is stored");
  if (Base.What != FrameValue::Kind::Known)
    return Error::success();
  int64_t Position = Base.Offset + Address->Offset, Bytes = R.Bytes;
  if (Bytes == 0 || Position % Bytes)
    return failAt(N, "an access is not aligned");
  if (Position < -*depth(S) || Position + Bytes > 0)
    return failAt(N, "an access is outside of the thread's frame");
  return Error::success();
}

/// Whether I reads the start of local memory, or what else tells where it is.
static bool readsLocalWindow(const ListedInstruction &I) {
  if (I.Operands.contains("LMEM") || I.Opcode.contains("LMEM") ||
      I.base() == "CCTLL")
    return true;
  StringRef Rest = I.Operands;
  while (true) {
    size_t At = Rest.find("c[0x0][0x");
    if (At == StringRef::npos)
      return false;
    Rest = Rest.drop_front(At + StringRef("c[0x0][0x").size());
    uint64_t Offset = 0;
    // The window of local memory, and the stack pointer at the start; or what
    // reaches there by several words.
    if (!Rest.consumeInteger(16, Offset) && Offset >= 0x18 && Offset < 0x2c)
      return true;
  }
}

Error Follower::checkForeign(unsigned N, const SassInstruction &R,
                             const State &S) {
  for (const SassRegister &Read : R.Reads)
    if (S.Foreign.count({Read.File, Read.Index}))
      return failAt(N, "a register that set-up code writes is read first");
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
  if (readsLocalWindow(I))
    return failAt(N, "the address of local memory is read");
  if (Error E = checkForeign(N, R, S))
    return E;
  State Seen = {seenUnder(Guard::of(I), S.Values), {}, {}};
  bool ReadsFrame =
      any_of(R.Reads, [&](const SassRegister &X) { return !isOther(X, Seen); });
  FrameValue Result;
  if (is_contained(Changes.Accesses, N)) {
    if (Error E = stepAccess(N, R, Seen))
      return E;
  } else if (ReadsFrame && I.base() == "ISETP") {
    for (const SassRegister &X : R.Reads)
      if (isGeneral(X) && !valueOf(Seen.Values, X.Index).isAddress())
        return failAt(N, "an address in the frame is compared with another "
                         "number");
    if (I.Operands.contains("0x") || I.Operands.contains("RZ") ||
        I.Operands.contains("UR"))
      return failAt(N,
                    "an address in the frame is compared with another number");
  } else if (ReadsFrame) {
    Expected<FrameValue> Value = resultOf(I, Seen.Values);
    if (!Value)
      return failAt(N, toString(Value.takeError()));
    Result = *Value;
    // That of a sum in the frame is 1 if what is added is negative, wherever
    // the frame is.
    if (givesCarry(I) && !isInFrame(Result))
      return failAt(N, "the carry of an address may depend on the frame");
  }
  write(I, R, Result, S);
  if (I.base() == "BMOV" && !I.operands().empty())
    S.Meetings.erase(I.operands().front()); // Another one may be moved there.
  std::optional<int64_t> Depth = depth(S);
  if (!Depth)
    return failAt(N, "R1 is not a known number of bytes below its start");
  if (*Depth < 0 || *Depth > FrameBytes)
    return failAt(N, "R1 leaves the thread's frame");
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
      auto [Place, New] = Before.try_emplace(Next, S);
      State Joined = New ? S : join(Place->second, S);
      if (!New && Joined == Place->second)
        continue;
      Place->second = std::move(Joined);
      Work.push_back(Next);
    }
  }
  Active.erase(Entry);
  return Results[{Entry, Start}] = AtReturn;
}

/// Scoreboards of which code waits until a number of their instructions are
/// left: it relies on the order in which they end, and accesses of shared
/// memory may overtake others where those of local memory did not.
static std::set<unsigned> countedScoreboards(const Listing &L) {
  std::set<unsigned> Result;
  for (const ListedInstruction &I : L.Instructions) {
    auto Operands = I.operands();
    unsigned Scoreboard = 0;
    if (I.base() != "DEPBAR" || Operands.size() < 2 || Operands[1] == "0x0" ||
        !Operands[0].consume_front("SB") ||
        Operands[0].getAsInteger(10, Scoreboard))
      continue;
    Result.insert(Scoreboard);
  }
  return Result;
}

Error Follower::checkScoreboards() const {
  std::set<unsigned> Counted = countedScoreboards(L);
  for (uint64_t N : Changes.Accesses) {
    const SassInstruction *R = Registers.lookup(static_cast<unsigned>(N));
    if (R && (Counted.count(R->WriteBarrier) || Counted.count(R->ReadBarrier)))
      return failAt(N, "its scoreboard is counted");
  }
  return Error::success();
}

Error followFrame(const Listing &L, const SassKernel &Code,
                  const CodeChanges &Changes, uint32_t FrameBytes,
                  ArrayRef<Operand> Written) {
  Expected<std::vector<FlowBehind>> Flow = readFlow(L);
  if (!Flow)
    return Flow.takeError();
  Follower F(L, Changes, FrameBytes, std::move(*Flow));
  F.addRegisters(Code);
  State Start;
  Start.Values[StackPointer] = {FrameValue::Kind::Known, 0};
  for (const Operand &X : Written)
    Start.Foreign.insert({X.What == Operand::Kind::UniformRegister
                              ? SassFile::Uniform
                              : SassFile::General,
                          X.Number});
  Expected<std::optional<State>> End = F.follow(1, Start);
  if (!End)
    return End.takeError();
  if (*End)
    return createStringError("the kernel returns to nobody");
  for (uint64_t N : Changes.Accesses)
    if (!F.wasReached(static_cast<unsigned>(N)))
      return failAt(N, "an access that nothing comes to");
  return F.checkScoreboards();
}

} // namespace regdem::framecheck
