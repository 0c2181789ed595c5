//===- FrameChecker.cpp - judge a cubin with moved frames -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of cost: bytes and set-up code first, the disassembler last.
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
  if (S.Base != K.SharedAfter || !S.AddsDynamic)
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
  uint64_t Rounding = S.AddsDynamic ? 16 : 0;
  uint64_t End = S.Base + Claims.Threads * S.FrameBytes + Rounding;
  if (End != K.SharedAfter)
    return createStringError("shared memory has " + Twine(K.SharedAfter) +
                             " bytes, the frames of all threads end at " +
                             Twine(End));
  if (K.SharedAfter > Limits.SharedBytes + reservedBytes(Architecture))
    return createStringError("more shared memory than a block may have");
  if (K.HadShared && !S.AddsDynamic && !Limits.NoDynamicShared)
    return createStringError("frames may overlap dynamic shared memory");
  return Error::success();
}

/// What can be said of K without a disassembler.
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
static bool readsSharedSize(const ListedInstruction &I) {
  return I.Operands.contains("SMEMSZ") || I.Operands.contains("c[0x0][0x2c]");
}

/// The original code of J in Text.
static Error judgeOriginal(const Judged &J, StringRef Text) {
  StringRef Name = J.Kernel.Name;
  Expected<Listing> L =
      readListing(Text, Name, J.Kernel.Before.size() / WordBytes);
  if (!L)
    return L.takeError();
  if (J.SetUp.FromEnd)
    for (auto [N, I] : enumerate(L->Instructions))
      if (readsSharedSize(I))
        return failAt(N, "the size of shared memory is read, to which its "
                         "launches add");
  Expected<SassKernel> Code = parseSass(Text, Name);
  if (!Code)
    return Code.takeError();
  return followFrame(*L, *Code, J.Changes, J.SetUp);
}

/// Operands of an access with another address.
static std::string withAddress(StringRef Operands, StringRef Base,
                               int64_t Offset) {
  std::string Sum = Base.str();
  if (Offset)
    Sum += (Offset < 0 ? "+-0x" : "+0x") +
           utohexstr(static_cast<uint64_t>(std::abs(Offset)),
                     /*LowerCase=*/true);
  return (Operands.take_front(Operands.find('[')) + "[" + Sum +
          Operands.drop_front(Operands.find(']')))
      .str();
}

/// The operands of an access that had Operands; IsPart: where a part of the
/// frame was moved.
static std::string operandsOfAccess(const AccessChange &Change, bool IsPart,
                                    StringRef Operands) {
  std::string Base;
  if (Change.Uniform)
    Base = "R1+UR" + utostr(*Change.Uniform);
  else if (Change.Stays)
    Base = "UR" + utostr(*Change.Stays);
  else if (IsPart)
    Base = "R1";
  else if (Change.Shift)
    Base = Operands.split('[')
               .second.take_until([](char C) { return C == '+' || C == ']'; })
               .str();
  else
    return Operands.str();
  return withAddress(Operands, Base, Change.Offset);
}

/// Whether nvdisasm reads an access as the one that it was in local memory,
/// with Operands.
static bool isMoved(const ListedInstruction &Before,
                    const ListedInstruction &After, StringRef Operands) {
  auto Width = [](StringRef Opcode) {
    for (StringRef M : {"U8", "S8", "U16", "S16", "64", "128"})
      if (Opcode.ends_with(("." + M).str()))
        return M;
    return StringRef();
  };
  StringRef Opcode = Before.base() == "LDL" ? "LDS" : "STS";
  StringRef Bytes = Width(Before.Opcode);
  std::string Expected = (Bytes.empty() ? Opcode : Opcode + "." + Bytes).str();
  return After.Opcode == Expected && After.Guard == Before.Guard &&
         After.Operands == Operands;
}

/// Whether nvdisasm reads set-up code as the checker does.
static Error compareSetUpText(const Judged &J, const Listing &L) {
  uint64_t N = J.Changes.SetUpAt;
  for (const SetUpInstruction &I : J.Changes.SetUp) {
    const ListedInstruction &Listed = L.Instructions[N];
    if (!Listed.Guard.empty() || Listed.base() != I.Name ||
        canonicalOperands(Listed.Operands) != I.Text)
      return failAt(N, "nvdisasm reads another instruction");
    ++N;
  }
  for (uint64_t Branch : {uint64_t{0}, N}) {
    const ListedInstruction &Listed = L.Instructions[Branch];
    uint64_t Target = Branch ? 1 : J.Changes.SetUpAt;
    StringRef Label = Listed.Operands;
    bool IsLabel = Label.consume_front("`(") && Label.consume_back(")");
    auto Found = L.Labels.find(Label);
    if (!Listed.Guard.empty() || Listed.Opcode != "BRA" || !IsLabel ||
        Found == L.Labels.end() || Found->second != Target)
      return failAt(Branch, "nvdisasm reads another branch");
  }
  return Error::success();
}

/// Whether nvdisasm reads the instruction that lowers R1 as it was, with its
/// new number.
static Error compareLowering(const PartChanges &Part, const Listing &Old,
                             const Listing &New) {
  const ListedInstruction &Was = Old.Instructions[Part.LoweredAt],
                          &Is = New.Instructions[Part.LoweredAt];
  auto Hex = [](int64_t Number) {
    return "0x" + utohexstr(static_cast<uint32_t>(Number), /*LowerCase=*/true);
  };
  auto Operands = canonicalOperands(Was.Operands);
  if (Operands.size() < 3 || Operands[2] != Hex(Part.Before))
    return failAt(Part.LoweredAt, "nvdisasm reads another sum");
  Operands[2] = Hex(Part.After);
  if (!Was.Guard.empty() || !Is.Guard.empty() || Is.Opcode != Was.Opcode ||
      canonicalOperands(Is.Operands) != Operands)
    return failAt(Part.LoweredAt, "nvdisasm reads another sum");
  return Error::success();
}

/// The finished code of J in Text, and the original code in Before.
static Error judgeFinished(const Judged &J, StringRef Before, StringRef Text) {
  StringRef Name = J.Kernel.Name;
  auto Old = readListing(Before, Name, J.Kernel.Before.size() / WordBytes);
  auto New = readListing(Text, Name, J.Kernel.After.size() / WordBytes);
  if (!Old || !New)
    return joinErrors(Old.takeError(), New.takeError());
  for (const auto &[N, Change] : J.Changes.Accesses) {
    const ListedInstruction &Was = Old->Instructions[N],
                            &Is = New->Instructions[N];
    std::string Operands =
        operandsOfAccess(Change, J.Changes.Part.has_value(), Was.Operands);
    bool IsLike = Change.Stays
                      ? Is.Opcode == Was.Opcode && Is.Guard == Was.Guard &&
                            Is.Operands == Operands
                      : isMoved(Was, Is, Operands);
    if (!IsLike)
      return failAt(N, "nvdisasm reads another access");
  }
  if (J.Changes.Part)
    if (Error E = compareLowering(*J.Changes.Part, *Old, *New))
      return E;
  for (const auto &[N, Change] : J.Changes.Rewrites) {
    const ListedInstruction &I = New->Instructions[N];
    if (!I.Guard.empty() || (I.Opcode + " " + I.Operands).str() != Change.Text)
      return failAt(N, "nvdisasm reads another instruction");
  }
  return compareSetUpText(J, *New);
}

static Error inKernel(StringRef Name, Error E) {
  return createStringError("kernel '" + Name + "': " + toString(std::move(E)));
}

static Error checkKernels(StringRef Original, StringRef Finished,
                          const std::vector<Judged> &Kernels,
                          CodeListing List) {
  Expected<std::string> Before = List(Original);
  if (!Before)
    return Before.takeError();
  for (const Judged &J : Kernels)
    if (Error E = judgeOriginal(J, *Before))
      return inKernel(J.Kernel.Name, std::move(E));
  Expected<std::string> After = List(Finished);
  if (!After)
    return After.takeError();
  for (const Judged &J : Kernels)
    if (Error E = judgeFinished(J, *Before, *After))
      return inKernel(J.Kernel.Name, std::move(E));
  return Error::success();
}

Error checkFinished(StringRef Original, StringRef Finished, CodeListing List,
                    const FrameLimits &Limits) {
  Expected<Cubin> O = Cubin::read(Original);
  if (!O)
    return O.takeError();
  Expected<Cubin> F = Cubin::read(Finished);
  if (!F)
    return F.takeError();
  unsigned Architecture = O->architecture();
  if (Architecture < 75 || Architecture > 90)
    return createStringError("sm_" + Twine(Architecture) + " is not known");
  auto Changed = compareCubins(*O, *F);
  if (!Changed)
    return Changed.takeError();
  std::vector<Judged> Kernels;
  for (const ChangedKernel &K : *Changed) {
    Expected<Judged> J = judgeBytes(*O, K, Limits);
    if (!J)
      return inKernel(K.Name, J.takeError());
    Kernels.push_back(std::move(*J));
  }
  if (Kernels.empty())
    return Error::success();
  return checkKernels(Original, Finished, Kernels, List);
}

} // namespace regdem
