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

/// The instructions of K before, which is in Cubin.
static Expected<SassListing> listingOf(CodeListing List, StringRef Cubin,
                                       const ChangedKernel &K) {
  Expected<SassListing> L =
      List ? List(Cubin, K.Name) : decodeListing(Cubin, K.Name);
  if (!L)
    return L;
  bool IsWhole = L->Code.size() == K.Before.size() / InstructionBytes;
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
    auto Code = listingOf(List, Original, J.Kernel);
    if (!Code)
      return Fail(Code.takeError());
    if (Error Wrong = judgeOriginal(J, *Code))
      Refuse(J.Kernel.Name, std::move(Wrong));
  }
  return V;
}

} // namespace regdem
