//===- FrameChecker.cpp - judge a cubin with moved frames -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of cost: bytes and set-up code first, listings last.
//
//   CubinComparison   what differs outside of code
//   CodeComparison    what differs in code, by its bits
//   SetUpCheck        what set-up code leaves in R1
//   checkRegion       frames of all threads fit, apart from all else
//   FrameFlow         the original code does not depend on where a frame is
//   judgeFinished     a listing shows the changes as their bits were read
//
// Shared with the mover, and so trusted: the readers of cubins (Cubin.h), of
// control bits (MachineWord.h) and of machine code (SassListing.h,
// SassInstruction.h, which also say what registers an instruction reads and
// writes, and where control goes after it). Tests compare what is read with
// what nvdisasm prints (SassEncodingTest). Not shared: what may be done with an
// address (FrameUse, FrameValue), encodings of changes (FrameRewrite, Words and
// Rewrites), set-up code (FrameSetUp, SetUpForms), edits of the image
// (CubinImage, CubinComparison).
//
//===----------------------------------------------------------------------===//

#include "regdem/Finish/Checker/FrameChecker.h"

#include "CodeComparison.h"
#include "FrameFlow.h"
#include "SetUpCheck.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regdem {

using namespace framecheck;

namespace {

/// A changed kernel whose bytes are as they should be.
struct Judged {
  ChangedKernel Kernel;
  CodeChanges Changes;
  StackSetUp SetUp;
};

} // namespace

/// Bytes at the start of a block's shared memory that are not the kernel's.
static uint64_t reservedBytes(unsigned Architecture) {
  return Architecture >= 90 ? 1024 : 0;
}

/// Whether the frames of all threads are at the end of the launch's dynamic
/// shared memory, Stride bytes for each.
static Error checkEnd(const Judged &J, unsigned Architecture, uint64_t Stride) {
  const ChangedKernel &K = J.Kernel;
  const StackSetUp &S = J.SetUp;
  uint64_t Own = std::max(K.SharedBefore, reservedBytes(Architecture));
  if (!S.FromEnd || S.FrameBytes != Stride)
    return createStringError("its launches have " + Twine(Stride) +
                             " bytes a thread at their end, it takes others");
  if (K.SharedAfter != alignTo(Own, 16))
    return createStringError("its own shared memory has changed");
  if (S.Base != K.SharedAfter)
    return createStringError("frames do not end where shared memory does");
  if (S.FrameBytes % J.Changes.WidestAccess)
    return createStringError("frames are not aligned to their accesses");
  return Error::success();
}

/// Whether the frames of all threads are in shared memory of their own.
static Error checkRegion(const Judged &J, const KernelClaims &Claims,
                         unsigned Architecture, const FrameLimits &Limits) {
  const ChangedKernel &K = J.Kernel;
  const StackSetUp &S = J.SetUp;
  auto AtEnd = Limits.AtEnd.find(K.Name.str());
  if (AtEnd != Limits.AtEnd.end())
    return checkEnd(J, Architecture, AtEnd->second);
  if (S.FromEnd)
    return createStringError("no launch has room for frames at its end");
  uint64_t Own = std::max(K.SharedBefore, reservedBytes(Architecture));
  if (!Claims.Threads)
    return createStringError("the number of threads is not known");
  if (S.Base < Own)
    return createStringError("frames start in the kernel's own shared memory");
  unsigned Widest = J.Changes.WidestAccess;
  if (!S.FrameBytes || S.Base % Widest || S.FrameBytes % Widest)
    return createStringError("frames are not aligned to their accesses");
  // Where dynamic shared memory begins, and so how much it is rounded, is not
  // known before the launch.
  constexpr uint64_t Rounding = 16;
  uint64_t End = S.Base + Claims.Threads * S.FrameBytes + Rounding;
  if (End != K.SharedAfter)
    return createStringError("shared memory has " + Twine(K.SharedAfter) +
                             " bytes, the frames of all threads end at " +
                             Twine(End));
  if (K.SharedAfter > Limits.SharedBytes + reservedBytes(Architecture))
    return createStringError("more shared memory than a block may have");
  return Error::success();
}

/// What can be said of K without a listing.
static Expected<Judged> judgeBytes(const Cubin &Original,
                                   const ChangedKernel &K,
                                   const FrameLimits &Limits) {
  unsigned Architecture = Original.architecture();
  Expected<KernelClaims> Claims = readClaims(Original, K.Name);
  if (!Claims)
    return Claims.takeError();
  Expected<CodeChanges> Changes = compareCode(K, Architecture);
  if (!Changes)
    return Changes.takeError();
  if (Changes->Accesses.empty())
    return createStringError("it has no frame to move");
  if (!Changes->WidestAccess)
    return createStringError("nothing of its frame was moved");
  if (Changes->Part && K.LosesFrame)
    return createStringError("local memory that it goes on to use is gone");
  Expected<StackSetUp> SetUp =
      checkSetUp(Changes->SetUp, Changes->SetUpEnd, *Claims, Architecture,
                 Changes->SetUpAt);
  if (!SetUp)
    return SetUp.takeError();
  Judged J{K, std::move(*Changes), std::move(*SetUp)};
  if (Error E = checkRegion(J, *Claims, Architecture, Limits))
    return E;
  return J;
}

/// Whether I reads how much shared memory its launch has.
static bool readsSharedSize(const SassInstruction &I) {
  return I.readsConstant(0, 0x2c, 0x30) ||
         any_of(I.Operands, [](const SassOperand &O) {
           return StringRef(O.Text).contains("SMEMSZ");
         });
}

/// The original code of J, L.
static Error judgeOriginal(const Judged &J, const SassListing &L) {
  if (J.SetUp.FromEnd)
    for (auto [N, I] : enumerate(L.Code))
      if (readsSharedSize(I))
        return failAt(N, "the size of shared memory is read, to which its "
                         "launches add");
  return followFrame(L, J.Changes, J.SetUp);
}

/// The operands that an access with Operands has now; IsPart: where a part of
/// the frame was moved.
static SassOperands operandsOfAccess(const AccessChange &Change, bool IsPart,
                                     SassOperands Operands) {
  for (SassOperand &O : Operands) {
    if (!O.isAddress())
      continue;
    if (Change.Stays)
      O.Register = {SassFile::Uniform, static_cast<uint8_t>(*Change.Stays)};
    else if (Change.Uniform || IsPart)
      O.Register = StackRegister;
    if (Change.Uniform)
      O.Uniform = static_cast<uint8_t>(*Change.Uniform);
    O.Number = Change.Offset;
  }
  return Operands;
}

/// Operands without predicates that always hold or never do.
static SassOperands shown(SassOperands Operands) {
  erase_if(Operands, [](const SassOperand &O) {
    return O.isPredicate() && O.Register.isConstant();
  });
  return Operands;
}

/// Whether After is the access that Before was in local memory, with Operands.
static bool isMoved(const SassInstruction &Before, const SassInstruction &After,
                    const SassOperands &Operands) {
  StringRef Opcode = Before.base() == "LDL" ? "LDS" : "STS";
  std::string Expected = Opcode.str();
  for (StringRef M : {"U8", "S8", "U16", "S16", "64", "128"})
    if (Before.has(M))
      Expected = (Opcode + "." + M).str();
  return After.Opcode == Expected && After.Guard == Before.Guard &&
         After.Operands == Operands;
}

/// Whether L shows set-up code as the checker reads it.
static Error compareSetUpText(const Judged &J, const SassListing &L) {
  uint64_t N = J.Changes.SetUpAt;
  for (const SetUpInstruction &I : J.Changes.SetUp) {
    const SassInstruction &Listed = L.Code[N];
    if (Listed.isPredicated() || Listed.base() != I.Name ||
        canonical(shown(Listed.Operands)) != shown(I.Printed))
      return failAt(N, "it is listed as another instruction");
    ++N;
  }
  for (uint64_t Branch : {uint64_t{0}, N}) {
    const SassInstruction &Listed = L.Code[Branch];
    uint64_t Target = Branch ? 1 : J.Changes.SetUpAt;
    if (Listed.isPredicated() || Listed.Opcode != "BRA" ||
        Listed.Operands.size() != 1 || L.target(Listed.Operands[0]) != Target)
      return failAt(Branch, "it is listed as another branch");
  }
  return Error::success();
}

/// Whether the instruction that lowers R1 is listed as it was, with its new
/// number.
static Error compareLowering(const PartChanges &Part, const SassListing &Old,
                             const SassListing &New) {
  const SassInstruction &Was = Old.Code[Part.LoweredAt],
                        &Is = New.Code[Part.LoweredAt];
  auto Number = [](int64_t Number) {
    return SassOperand::number(static_cast<uint32_t>(Number));
  };
  SassOperands Operands = canonical(Was.Operands);
  if (Operands.size() < 3 || Operands[2] != Number(Part.Before))
    return failAt(Part.LoweredAt, "it is listed as another sum");
  Operands[2] = Number(Part.After);
  if (Was.isPredicated() || Is.isPredicated() || Is.Opcode != Was.Opcode ||
      canonical(Is.Operands) != Operands)
    return failAt(Part.LoweredAt, "it is listed as another sum");
  return Error::success();
}

/// The finished code of J, New, and the original code, Old.
static Error judgeFinished(const Judged &J, const SassListing &Old,
                           const SassListing &New) {
  for (const auto &[N, Change] : J.Changes.Accesses) {
    const SassInstruction &Was = Old.Code[N], &Is = New.Code[N];
    SassOperands Operands =
        operandsOfAccess(Change, J.Changes.Part.has_value(), Was.Operands);
    bool IsLike = Change.Stays
                      ? Is.Opcode == Was.Opcode && Is.Guard == Was.Guard &&
                            Is.Operands == Operands
                      : isMoved(Was, Is, Operands);
    if (!IsLike)
      return failAt(N, "it is listed as another access");
  }
  if (J.Changes.Part)
    if (Error E = compareLowering(*J.Changes.Part, Old, New))
      return E;
  for (const auto &[N, Change] : J.Changes.Rewrites) {
    const SassInstruction &I = New.Code[N];
    if (I.isPredicated() || I.Opcode != Change.Opcode ||
        shown(I.Operands) != Change.Operands)
      return failAt(N, "it is listed as another instruction");
  }
  return compareSetUpText(J, New);
}

/// The instructions of Code, which are those of Kernel in Cubin.
static Expected<SassListing> listingOf(CodeListing List, StringRef Cubin,
                                       StringRef Kernel, StringRef Code) {
  Expected<SassListing> L = List(Cubin, Kernel);
  if (!L)
    return L;
  bool IsWhole = L->Code.size() == Code.size() / InstructionBytes;
  for (auto [N, I] : enumerate(L->Code))
    IsWhole &= I.Address == N * InstructionBytes;
  if (!IsWhole)
    return createStringError("its listing is not all of its code");
  return L;
}

std::string Verdict::text() const {
  std::vector<StringRef> Lines;
  for (const RefusedKernel &K : Refused)
    Lines.push_back(K.Why);
  if (Problem)
    Lines.push_back(*Problem);
  return join(Lines, "\n");
}

Verdict checkFinished(StringRef Original, StringRef Finished, CodeListing List,
                      const FrameLimits &Limits) {
  Verdict V;
  auto Fail = [&V](Error E) {
    V.Problem = toString(std::move(E));
    return V;
  };
  auto Refuse = [&V](StringRef Kernel, Error E) {
    V.Refused.push_back(
        {Kernel.str(),
         ("kernel '" + Kernel + "': " + toString(std::move(E))).str()});
  };
  Expected<Cubin> O = Cubin::read(Original);
  if (!O)
    return Fail(O.takeError());
  Expected<Cubin> F = Cubin::read(Finished);
  if (!F)
    return Fail(F.takeError());
  unsigned Architecture = O->architecture();
  if (Architecture < 75 || Architecture > 90)
    return Fail(
        createStringError("sm_" + Twine(Architecture) + " is not known"));
  auto Changed = compareCubins(*O, *F);
  if (!Changed)
    return Fail(Changed.takeError());
  std::vector<Judged> Kernels;
  for (const ChangedKernel &K : *Changed) {
    Expected<Judged> J = judgeBytes(*O, K, Limits);
    if (J)
      Kernels.push_back(std::move(*J));
    else
      Refuse(K.Name, J.takeError());
  }
  if (!V.isAccepted())
    return V;
  // Where there is no listing, the tool has failed, and is not asked again.
  for (const Judged &J : Kernels) {
    const ChangedKernel &K = J.Kernel;
    auto Old = listingOf(List, Original, K.Name, K.Before);
    if (!Old)
      return Fail(Old.takeError());
    Error Wrong = judgeOriginal(J, *Old);
    if (!Wrong) {
      auto New = listingOf(List, Finished, K.Name, K.After);
      if (!New)
        return Fail(New.takeError());
      Wrong = judgeFinished(J, *Old, *New);
    }
    if (Wrong)
      Refuse(K.Name, std::move(Wrong));
  }
  return V;
}

} // namespace regdem
