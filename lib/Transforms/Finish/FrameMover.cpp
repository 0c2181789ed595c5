//===- FrameMover.cpp - one kernel's frame on its way ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameMover.h"

#include "FrameRewrite.h"
#include "regdem/Decision/Model/CostModel.h"
#include "regdem/Target/Occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regdem {

/// NOPs pad a function at its end: the fetch of instructions runs ahead.
static constexpr uint64_t CodeAlignment = 128, PaddingAfterCode = 128;
static constexpr uint64_t SharedAlignment = 16;

/// Whether Is holds of an instruction of Code.
static bool hasAny(const SassKernel &Code,
                   function_ref<bool(const SassInstruction &)> Is) {
  return any_of(Code.Blocks,
                [&](const SassBlock &B) { return any_of(B.Instructions, Is); });
}

/// Whether I may access shared memory.
static bool accessesShared(const SassInstruction &I) {
  StringRef Base = I.base();
  return is_contained({SassClass::SharedLoad, SassClass::SharedStore,
                       SassClass::AsyncCopy, SassClass::Tensor},
                      I.Class) ||
         Base.starts_with("ATOMS") || Base.starts_with("SYNCS") ||
         is_contained({"LD", "ST", "ATOM", "RED"}, Base);
}

/// Whether I reads how much shared memory its block has in all, which is how
/// %total_smem_size and %aggr_smem_size are read: S2R or S2UR of SR_SMEMSZ.
static bool readsTotalShared(const SassInstruction &I) {
  return any_of(I.Operands, [](const SassOperand &O) {
    return StringRef(O.Text).contains("SR_SMEMSZ");
  });
}

/// Whether I reads %envreg1 or %envreg2, by which the driver tells a
/// cooperative launch about its grid. They lie in the constant bank, on sm_90
/// at 0x44 and 0x48 (seen with ptxas 13.0 of PTX that reads nothing else).
static bool readsGrid(const SassInstruction &I) {
  return I.readsConstant(0, 0x40, 0x4c);
}

uint64_t reservedShared(const SMLimits &SM) {
  return SM.Arch >= 90 ? SM.ReservedSharedBytesPerBlock : 0;
}

FrameMover::FrameMover(const CubinImage &Image, const CubinKernel &K,
                       Promises Promised, const FrameOrder *Order)
    : K(K), Order(Order), SM(lookupSMLimits(parseArch(Image.architecture()))) {
  Result.Kernel = K.Name;
  Result.Arch = Image.architecture();
  Result.Registers = K.Registers;
  Result.FrameBytes = K.FrameBytes;
  Result.AtEnd = Order && Order->How == FrameOrder::AtEnd;
  Result.Threads = Result.AtEnd ? Order->Threads
                   : K.Limit    ? K.Limit->threads()
                                : 0;
  Result.Keep = Promised;
  if (!Promised.Threads) {
    Result.Keep.Threads = Result.Threads;
    Result.Keep.IsExact = !Result.AtEnd && K.Limit && K.Limit->Exact;
  }
  OldShared = Image.sharedSize(K);
  // ptxas aligns the section to 16 if the program has dynamic shared memory.
  MayBeDynamic =
      K.Shared &&
      Image.cubin().Sections[*K.Shared].Header.sh_addralign >= SharedAlignment;
}

Error FrameMover::look(const CubinImage &Image, const SassKernel &Code) {
  if (Image.cubin().hasSection(".nv.capmerc"))
    return createStringError("its program carries a second form of its code, "
                             "for the driver");
  if (Image.cubin().hasSection(".debug_info"))
    return createStringError("debug information says where its variables lie");
  if (!Image.cubin().relocationsOf(K.Text).empty())
    return createStringError("its code needs a linker");
  Result.Keep.KeepsAllBlocks |= SM && SM->Arch == 90 && hasAny(Code, readsGrid);
  if (hasAny(Code, readsTotalShared))
    return createStringError("the size of shared memory is read, to which it "
                             "would add");
  Expected<FrameUse> Read =
      readFrameUse(Code, /*MayRewrite=*/parseArch(Result.Arch) == 90);
  if (!Read)
    return Read.takeError();
  Use = std::move(*Read);
  MayBeDynamic &= hasAny(Code, accessesShared);
  Result.Loads = Use.Loads;
  Result.Stores = Use.Stores;
  Result.Indexed = Use.Indexed;
  if (Use.Loads + Use.Stores == 0)
    return createStringError("no instruction accesses it");
  if (Use.Lowered > K.FrameBytes)
    return createStringError("its size is not known");
  Result.Widest = std::max(Use.Widest, 4u);
  Result.Stride = strideOf(K.FrameBytes, Result.Widest);
  Result.MovedBytes = K.FrameBytes;
  if (!K.Limit && !Result.AtEnd)
    return createStringError("the code states no threads per block: add "
                             "__launch_bounds__");
  if (!SM)
    return createStringError("the shared memory of " + Result.Arch +
                             " is not known");
  return Error::success();
}

Error FrameMover::narrow(uint64_t Most) {
  if (Most >= Result.Stride)
    return Error::success();
  if (parseArch(Result.Arch) != 90)
    return createStringError("parts of frames move on sm_90 only");
  Expected<FramePart> Chosen = choosePart(Use, Most);
  if (!Chosen)
    return Chosen.takeError();
  if (Chosen->Stride >= Use.Lowered)
    return createStringError("the part takes as much as the frame");
  Part = std::move(*Chosen);
  Result.Widest = Part->Widest;
  Result.Stride = Part->Stride;
  Result.MovedBytes = Part->Bytes;
  for (const FrameAccess &A : Use.Accesses)
    if (!Part->moves(A)) {
      Result.Staying.push_back(A.Address);
      (A.IsLoad ? Result.StayingLoadBytes : Result.StayingStoreBytes) +=
          A.Bytes;
    }
  return Error::success();
}

Error FrameMover::place(const FinishSettings &Settings) {
  if (settled() && Order->Stride != Result.Stride)
    return createStringError("its program is not the one that was decided on: "
                             "frames of " +
                             Twine(Result.Stride) + " bytes, not " +
                             Twine(Order->Stride));
  if ((MayBeDynamic || Result.Keep.MayBeDynamic) &&
      !Result.Keep.DynamicShared && !Result.AtEnd)
    return createStringError("it may use dynamic shared memory: state how "
                             "much (dynamic-smem)");
  uint64_t Dynamic = Result.Keep.DynamicShared.value_or(0);
  uint64_t Limit = Settings.SharedLimit.value_or(
      Result.AtEnd ? SM->OptInSharedBytesPerBlock
                   : acceptedShared(*SM, K.Release, Dynamic));
  Result.SharedBefore = OldShared - std::min(OldShared, reserved());
  Own = alignTo(Result.SharedBefore, SharedAlignment);
  uint64_t Frames = Result.Threads * Result.Stride;
  // Rounding the dynamic bytes up takes at most one unit.
  Result.SharedAfter = Own + (Result.AtEnd ? alignTo(Frames, SharedAlignment)
                                           : SharedAlignment + Frames);
  Result.DynamicShared = Dynamic;
  KernelFigures Before{K.Registers, Result.SharedBefore, 0, K.FrameBytes};
  KernelFigures After{K.Registers, Result.AtEnd ? Own : Result.SharedAfter,
                      Result.AtEnd ? static_cast<unsigned>(Result.Stride) : 0,
                      K.FrameBytes - Result.MovedBytes};
  Result.BlocksBefore = residentBlocks(*SM, Before, Result.Threads, Dynamic);
  Result.BlocksAfter = residentBlocks(*SM, After, Result.Threads, Dynamic);
  if (Result.SharedAfter + Dynamic > Limit)
    return createStringError(Twine(Result.Threads) + " frames of " +
                             Twine(Result.Stride) + " bytes do not fit into " +
                             Twine(Limit) + " bytes of shared memory" +
                             " beside " + Twine(Own + Dynamic) + " of its own");
  return keepsPromises(After, Before, Result.Keep, *SM);
}

Error FrameMover::rewrite(CubinImage &Image, const FrameSetUp &SetUp) const {
  if (SetUp.Registers > K.Registers)
    return createStringError("its start needs more registers than it has");
  if (SetUp.Reserved != reserved())
    return createStringError("ptxas reserves " + Twine(SetUp.Reserved) +
                             " bytes of shared memory, not " +
                             Twine(reserved()));
  std::string Code = Image.code(K).str();
  uint64_t End = Code.size();
  while (End && MachineWord::at(Code, End - InstructionBytes).operation() ==
                    SetUp.Padding.operation())
    End -= InstructionBytes;
  if (Error E = Part ? rewritePartUse(Code, Use, *Part)
                     : rewriteFrameUse(Code, End, Use))
    return E;
  uint64_t Start = End;
  End += (SetUp.Code.size() + 1) * InstructionBytes;
  Code.resize(std::max<uint64_t>(
      Code.size(), alignTo(End + PaddingAfterCode, CodeAlignment)));
  for (uint64_t At = Start; At != Code.size(); At += InstructionBytes)
    SetUp.Padding.put(Code, At);
  uint64_t At = Start;
  for (const MachineWord &W : SetUp.Code) {
    W.put(Code, At);
    At += InstructionBytes;
  }
  auto There = branch(SetUp.BranchToItself, SetUp.Exit, Start);
  auto Back = branch(SetUp.BranchToItself, SetUp.Exit,
                     InstructionBytes - static_cast<int64_t>(At));
  if (!There || !Back)
    return createStringError("branches have an unknown form on " +
                             Image.architecture());
  Back->setWaits(SetUp.Waits);
  There->put(Code, 0);
  Back->put(Code, At);
  Image.setCode(K, Code);
  Image.setSharedSize(K,
                      reserved() + (Result.AtEnd ? Own : Result.SharedAfter));
  if (!Part)
    Image.clearFrame(K);
  return Error::success();
}

std::vector<uint64_t> FrameMover::sizesOfParts() const {
  unsigned Threads = Result.Threads, Blocks = Result.BlocksBefore;
  if (!Threads || Result.AtEnd)
    return {};
  uint64_t All = Result.SharedAfter + Result.DynamicShared;
  uint64_t Taken = All - Threads * Result.Stride;
  std::vector<uint64_t> Sizes;
  auto Add = [&](uint64_t Bytes) {
    if (Bytes > Taken)
      Sizes.push_back((Bytes - Taken) / Threads);
  };
  for (unsigned Kept : {Blocks, Blocks * 3 / 4, Blocks / 2})
    if (Kept > Result.BlocksAfter)
      Add(sharedBytesForBlocks(*SM, Kept));
  unsigned L1 = l1ForScatteredLoads(Blocks * Threads);
  if (l1Bytes(*SM, All, Blocks) < L1)
    Add(sharedBytesBesideL1(*SM, Blocks, L1));
  return Sizes;
}

Expected<std::vector<FrameMover>> waysOf(const FrameMover &Whole,
                                         const FinishSettings &Settings) {
  std::vector<FrameMover> Ways;
  auto Add = [&](FrameMover Way, uint64_t Most) -> Error {
    if (Error E = Way.narrow(Most))
      return E;
    if (Error E = Way.place(Settings))
      return E;
    if (none_of(Ways, [&](const FrameMover &Other) {
          return Other.Result.Stride == Way.Result.Stride;
        }))
      Ways.push_back(std::move(Way));
    return Error::success();
  };
  uint64_t Most = Settings.PartBytes.value_or(Whole.Result.Stride);
  if (const FrameOrder *Order = Whole.settled())
    Most = Order->How == FrameOrder::Part ? Order->Stride : Whole.Result.Stride;
  Error Unfit = Add(Whole, Most);
  if (!Whole.settled() && !Settings.PartBytes) {
    FrameMover Sized = Whole; // Also where it does not fit.
    consumeError(Sized.place(Settings));
    for (uint64_t Most : Sized.sizesOfParts())
      consumeError(Add(Whole, Most));
  }
  if (Ways.empty())
    return Unfit;
  consumeError(std::move(Unfit));
  return Ways;
}

} // namespace regdem
