//===- CodeComparison.cpp - a kernel's code before and after --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeComparison.h"

#include "SetUpCheck.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem::framecheck {

/// Whether W puts c[0x0][0x28], the stack pointer at the start, into R1.
static bool fetchesStackPointer(Word W) {
  std::optional<SetUpInstruction> I = decodeSetUp(W);
  if (!I || I->Result != SassOperand::general(StackPointer))
    return false;
  SassOperand Start;
  Start.What = SassOperand::Kind::Constant;
  Start.Number = 0x28;
  const auto &[A, B, C] = I->Sources;
  if (I->What == Operation::Value)
    return A == Start;
  return I->What == Operation::MulAdd && A.isZero() && B.isZero() && C == Start;
}

/// Instructions up to the last one that is no NOP.
static uint64_t withoutFilling(StringRef Code) {
  uint64_t Count = Code.size() / InstructionBytes;
  while (Count && isNop(wordAt(Code, Count - 1)))
    --Count;
  return Count;
}

/// Where R1 is lowered by another number, among the first Count instructions
/// of K, which is so where a part of the frame was moved; none elsewhere.
static std::optional<PartChanges> findPart(const ChangedKernel &K,
                                           uint64_t Count) {
  for (uint64_t N = 1; N != Count; ++N) {
    Word Before = wordAt(K.Before, N), After = wordAt(K.After, N);
    std::optional<int64_t> Old = addedToStackPointer(Before),
                           New = addedToStackPointer(After);
    if (Old && New && *Old != *New && withAdded(Before, *New) == After)
      return PartChanges{N, *Old, *New};
  }
  return std::nullopt;
}

/// The uniform register by which an access stays in local memory; none where it
/// does not.
static std::optional<unsigned> baseOfStaying(Word Before, Word After) {
  for (uint64_t Bits : {After.Low >> 32, After.High}) {
    auto Base = static_cast<unsigned>(Bits & ZeroUniform);
    if (After == withUniformBase(Before, Base))
      return Base;
  }
  return std::nullopt;
}

/// The instructions of K that it had before, but for the first one.
static Error compareOld(const ChangedKernel &K, uint64_t Count,
                        unsigned Architecture, CodeChanges &Changes) {
  if (Architecture == 90)
    Changes.Part = findPart(K, Count);
  for (uint64_t N = 1; N != Count; ++N) {
    Word Before = wordAt(K.Before, N), After = wordAt(K.After, N);
    if (!looksLocal(Before)) {
      if (Before == After || (Changes.Part && Changes.Part->LoweredAt == N))
        continue;
      std::optional<Rewrite> R =
          Architecture == 90 ? findRewrite(Before, After) : std::nullopt;
      if (!R)
        return failAt(N, "an instruction that is not to change differs");
      Changes.Rewrites[N] = *R;
      continue;
    }
    AccessChange &Access = Changes.Accesses[N];
    Access.Uniform = uniformBase(Before);
    Access.Offset = offsetOf(After);
    if (!isLocalAccess(Before) &&
        !(Access.Uniform && Architecture == 90 && !Changes.Part))
      return failAt(N, "an access of local memory in a form that is not known");
    if (Changes.Part)
      Access.Stays = baseOfStaying(Before, After);
    else
      Access.Shift = Access.Offset - offsetOf(Before);
    if (Access.Stays)
      continue;
    Word Moved = sharedAccess(Before);
    if (Architecture == 90 && !Access.Uniform)
      Moved = withOffset(Moved, Access.Offset);
    if (After != Moved)
      return failAt(N, "not the access of shared memory that is to be here");
    Changes.WidestAccess = std::max(Changes.WidestAccess, accessBytes(Before));
  }
  auto IsSum = [](const auto &Change) { return Change.second.isSum(); };
  auto Shifted = find_if(Changes.Accesses, [](const auto &Access) {
    return Access.second.Shift != 0;
  });
  if (Shifted != Changes.Accesses.end() && none_of(Changes.Rewrites, IsSum))
    return failAt(Shifted->first,
                  "not the access of shared memory that is to be here");
  return Error::success();
}

/// The first instruction of K and the set-up code that it branches to. Count
/// instructions were there before.
static Error readSetUp(const ChangedKernel &K, uint64_t Count,
                       unsigned Architecture, CodeChanges &Changes) {
  if (!fetchesStackPointer(wordAt(K.Before, 0)))
    return failAt(0, "the kernel does not start with its stack pointer");
  auto InFile = static_cast<int64_t>(K.After.size() / InstructionBytes);
  Word Entry = wordAt(K.After, 0);
  std::optional<int64_t> Start = branchTarget(Entry, 0, Architecture);
  if (!Start || *Start < static_cast<int64_t>(Count) || *Start >= InFile)
    return failAt(0, "no branch to code behind the kernel's");
  if (std::string Problem = branchProblem(Entry.control()); !Problem.empty())
    return failAt(0, "the branch to set-up code: " + Problem);
  Changes.SetUpAt = static_cast<uint64_t>(*Start);
  for (int64_t N = *Start; N != InFile; ++N) {
    Word W = wordAt(K.After, static_cast<uint64_t>(N));
    if (branchTarget(W, N, Architecture) == 1) {
      Changes.SetUpEnd = W;
      return Error::success();
    }
    std::optional<SetUpInstruction> I = decodeSetUp(W);
    if (!I)
      return failAt(static_cast<uint64_t>(N),
                    "set-up code has an instruction that is not known");
    Changes.SetUp.push_back(*I);
  }
  return failAt(Changes.SetUpAt, "set-up code does not end");
}

Expected<CodeChanges> compareCode(const ChangedKernel &K,
                                  unsigned Architecture) {
  if (K.Before.empty() || K.After.size() < K.Before.size() ||
      K.Before.size() % InstructionBytes || K.After.size() % 128)
    return createStringError("its section of code has an unusual size");
  CodeChanges Changes;
  uint64_t Count = withoutFilling(K.Before);
  auto Last = static_cast<int64_t>(Count) - 1;
  if (Last < 1 ||
      branchTarget(wordAt(K.Before, Count - 1), Last, Architecture) != Last)
    return createStringError("its code does not end with a branch to itself");
  if (Error E = compareOld(K, Count, Architecture, Changes))
    return E;
  if (Error E = readSetUp(K, Count, Architecture, Changes))
    return E;
  uint64_t End = Changes.SetUpAt + Changes.SetUp.size() + 1;
  for (uint64_t N = Count; N != K.After.size() / InstructionBytes; ++N)
    if ((N < Changes.SetUpAt || N >= End) && !isNop(wordAt(K.After, N)))
      return failAt(N, "what fills up the code is no NOP");
  return Changes;
}

} // namespace regdem::framecheck
