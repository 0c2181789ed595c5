//===- Finisher.cpp - frames moved to shared memory -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Finish/Finisher.h"

#include "CubinImage.h"
#include "FramePart.h"
#include "FrameRewrite.h"
#include "FrameSetUp.h"
#include "FrameUse.h"
#include "MachineWord.h"
#include "regdem/Finish/Checker/FrameChecker.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regdem {

namespace {

/// NOPs pad a function at its end: the fetch of instructions runs ahead.
constexpr uint64_t CodeAlignment = 128, PaddingAfterCode = 128;
constexpr uint64_t SharedAlignment = 16;

/// Whether Code may access shared memory.
bool accessesShared(const SassKernel &Code) {
  static const StringSet<> Generic = {"LD", "ST", "ATOM", "RED"};
  return any_of(Code.Blocks, [](const SassBlock &B) {
    return any_of(B.Instructions, [](const SassInstruction &I) {
      StringRef Base = baseOpcode(I.Opcode);
      return is_contained({SassClass::SharedLoad, SassClass::SharedStore,
                           SassClass::AsyncCopy, SassClass::Tensor},
                          I.Class) ||
             Base.starts_with("ATOMS") || Base.starts_with("SYNCS") ||
             Generic.contains(Base);
    });
  });
}

/// One kernel on its way.
class FrameMover {
public:
  /// Room: at the end of its launches' dynamic shared memory; null: none.
  FrameMover(const CubinImage &Image, const CubinKernel &K,
             const FrameRoom *Room)
      : K(K), Room(Room), SM(lookupSMLimits(parseArch(Image.architecture()))) {
    Result.Kernel = K.Name;
    Result.Arch = Image.architecture();
    Result.Registers = K.Registers;
    Result.FrameBytes = K.FrameBytes;
    Result.AtEnd = Room != nullptr;
    Result.Threads = Room ? Room->Threads : K.Limit ? K.Limit->threads() : 0;
    OldShared = K.Shared ? Image.size(*K.Shared) : 0;
    // ptxas aligns the section to 16 if the program has dynamic shared memory.
    MayBeDynamic = K.Shared && Image.alignment(*K.Shared) >= SharedAlignment;
  }

  const CubinKernel &kernel() const { return K; }
  /// Whether launches count on the move.
  bool isSettled() const { return Room && Room->Stride; }

  /// Whether the frame can be moved, as far as the code in Image shows.
  Error look(const CubinImage &Image, const SassKernel &Code);
  /// Has no more of it move than takes Most bytes a thread.
  Error narrow(uint64_t Most);
  /// Whether all fits in the block's shared memory.
  Error place(const FinishSettings &Settings);
  /// Bytes a thread of the parts that are tried where the whole is as it was
  /// placed.
  std::vector<uint64_t> sizesOfParts() const;
  FrameSetUpRequest request() const {
    return {K.Limit,      Own,           Result.Stride,
            Result.AtEnd, Use.IsGeneric, Part ? Use.Lowered : 0};
  }
  Error rewrite(CubinImage &Image, const FrameSetUp &SetUp) const;

  FrameResult Result;

private:
  const CubinKernel &K;
  const FrameRoom *Room;
  const SMLimits *SM; ///< Not null once look() has succeeded.
  FrameUse Use;
  std::optional<FramePart> Part; ///< Where not the whole frame moves.
  uint64_t OldShared = 0; ///< As the section says, the reserved bytes included.
  bool MayBeDynamic = false;
  uint64_t Own = 0; ///< Without these, up to where the region begins.

  /// What a block's section counts for the system, ahead of the kernel's own.
  uint64_t reserved() const {
    return SM->Arch >= 90 ? SM->ReservedSharedBytesPerBlock : 0;
  }
  uint64_t acceptedShared(uint64_t Dynamic) const;
};

/// Shared memory that drivers accept: the guide's 48 KB; more where it was seen
/// to run, which is on an H200 with the oldest driver for programs of CUDA 13.0
/// (580), for all that a kernel can opt in to. A launch with dynamic shared
/// memory that did not have to opt in is held to 48 KB in all.
uint64_t FrameMover::acceptedShared(uint64_t Dynamic) const {
  bool MayOptIn = Result.Arch == "sm_90" && K.Release >= 130 &&
                  (!Dynamic || Dynamic > SM->StaticSharedBytesPerBlock);
  return MayOptIn ? SM->OptInSharedBytesPerBlock
                  : SM->StaticSharedBytesPerBlock;
}

Error FrameMover::look(const CubinImage &Image, const SassKernel &Code) {
  if (Image.hasSection(".nv.capmerc"))
    return createStringError("its program carries a second form of its code, "
                             "for the driver");
  if (Image.hasSection(".debug_info"))
    return createStringError("debug information says where its variables lie");
  if (Image.isRelocated(K.Text))
    return createStringError("its code needs a linker");
  Expected<FrameUse> Read =
      readFrameUse(Code, /*MayRewrite=*/parseArch(Result.Arch) == 90);
  if (!Read)
    return Read.takeError();
  Use = std::move(*Read);
  MayBeDynamic &= accessesShared(Code);
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
  if (!K.Limit && !Room)
    return createStringError("the threads of a block are not known: add "
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
  std::optional<uint64_t> DynamicShared = Settings.DynamicShared;
  if (Room && Room->Stride && Room->Stride != Result.Stride)
    return createStringError("its launches have room for frames of " +
                             Twine(Room->Stride) + " bytes, not " +
                             Twine(Result.Stride));
  if (MayBeDynamic && !DynamicShared && !Room)
    return createStringError("it may use dynamic shared memory: state how "
                             "much (dynamic-smem)");
  uint64_t Accepted = Room ? SM->OptInSharedBytesPerBlock
                           : acceptedShared(MayBeDynamic ? *DynamicShared : 0);
  uint64_t Limit = Settings.SharedLimit.value_or(Accepted);
  Result.SharedBefore = OldShared - std::min(OldShared, reserved());
  Own = alignTo(Result.SharedBefore, SharedAlignment);
  uint64_t Frames = Result.Threads * Result.Stride;
  // Rounding the dynamic bytes up takes at most one unit.
  Result.SharedAfter = Own + (Room ? alignTo(Frames, SharedAlignment)
                                   : SharedAlignment + Frames);
  Result.DynamicShared = DynamicShared.value_or(0);
  if (Result.SharedAfter + Result.DynamicShared > Limit)
    return createStringError(
        Twine(Result.Threads) + " frames of " + Twine(Result.Stride) +
        " bytes do not fit into " + Twine(Limit) + " bytes of shared memory" +
        " beside " + Twine(Own + Result.DynamicShared) + " of its own");
  return Error::success();
}

Error FrameMover::rewrite(CubinImage &Image, const FrameSetUp &SetUp) const {
  if (SetUp.Registers > K.Registers)
    return createStringError("its start needs more registers than it has");
  if (SetUp.Reserved != reserved())
    return createStringError("ptxas reserves " + Twine(SetUp.Reserved) +
                             " bytes of shared memory, not " +
                             Twine(reserved()));
  std::string Code = Image.contents(K.Text).str();
  uint64_t End = Code.size();
  while (End &&
         (MachineWord::at(Code, End - InstructionBytes).operation() == OpNop))
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
  Image.setSharedSize(K, reserved() + (Room ? Own : Result.SharedAfter));
  if (!Part)
    Image.clearFrame(K);
  return Error::success();
}

std::vector<uint64_t> FrameMover::sizesOfParts() const {
  if (!Result.Threads || Result.AtEnd)
    return {};
  auto With = [&](uint64_t Shared) {
    return KernelResources{Result.Registers, Result.Threads,
                           static_cast<unsigned>(Shared),
                           static_cast<unsigned>(Result.DynamicShared)};
  };
  return partSizes(*SM, With(Result.SharedBefore), With(Result.SharedAfter),
                   Result.Stride);
}

/// The ways in which the frame that Whole has looked at can move, the whole
/// frame first, with Parts not only that; an error where there is none.
Expected<std::vector<FrameMover>>
waysOf(const FrameMover &Whole, const FinishSettings &Settings, bool Parts) {
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
  Error Unfit = Add(Whole, Settings.PartBytes.value_or(Whole.Result.Stride));
  if (Parts && !Settings.PartBytes) {
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

/// One program on its way. What the tools say of it is asked once.
class ProgramFinisher {
public:
  ProgramFinisher(StringRef Original, const Ptxas &Assembler,
                  const Disassembler &Reader, const FinishSettings &Settings)
      : Original(Original), Assembler(Assembler), Reader(Reader),
        Settings(Settings) {}

  Expected<FinishedProgram> run();

private:
  Expected<FinishedProgram> move(const StringMap<std::string> &Stay);
  Error moveOne(CubinImage &Image, FrameMover &Mover);
  Error check(const FinishedProgram &Program) const;

  StringRef Original;
  const Ptxas &Assembler;
  const Disassembler &Reader;
  const FinishSettings &Settings;
  std::string Listing; ///< Of all kernels; empty: not read yet.
  bool ToolFailed = false;
};

/// Has Mover, which gets the way that is taken, move its frame.
Error ProgramFinisher::moveOne(CubinImage &Image, FrameMover &Mover) {
  if (Listing.empty()) {
    auto Listed = Reader.list(Original, Settings.Limits);
    if (!Listed) {
      ToolFailed = true;
      return Listed.takeError();
    }
    Listing = std::move(*Listed);
  }
  auto Code = parseSass(Listing, Mover.kernel().Name);
  if (!Code)
    return Code.takeError();
  if (Error E = Mover.look(Image, *Code))
    return E;
  bool MayChoose = Settings.Choose && !Mover.isSettled();
  auto Ways = waysOf(Mover, Settings, /*Parts=*/MayChoose);
  if (!Ways)
    return Ways.takeError();
  size_t Chosen = 0;
  if (MayChoose) {
    std::vector<FrameResult> Results;
    for (const FrameMover &Way : *Ways)
      Results.push_back(Way.Result);
    Expected<size_t> Answer = Settings.Choose(Results, *Code);
    if (!Answer)
      return Answer.takeError();
    Chosen = *Answer;
  }
  const FrameMover &Way = (*Ways)[Chosen];
  Expected<FrameSetUp> SetUp = assembleSetUp(
      Assembler, Way.request(), Image.architecture(), Settings.Limits);
  if (!SetUp) {
    ToolFailed = true;
    return SetUp.takeError();
  }
  Mover.Result = Way.Result;
  return Way.rewrite(Image, *SetUp);
}

/// Moves all frames but those of kernels that Stay names, with its reasons.
Expected<FinishedProgram>
ProgramFinisher::move(const StringMap<std::string> &Stay) {
  Expected<CubinImage> Image = CubinImage::read(Original);
  if (!Image)
    return Image.takeError();
  const std::vector<CubinKernel> Kernels = Image->kernels();
  FinishedProgram Program;
  for (const CubinKernel &K : Kernels) {
    if (!K.FrameBytes)
      continue;
    auto Room = Settings.AtEnd.find(K.Name);
    FrameMover Mover(*Image, K,
                     Room == Settings.AtEnd.end() ? nullptr : &Room->second);
    auto Reason = Stay.find(K.Name);
    if (Error E = Reason != Stay.end() ? createStringError(Reason->second)
                                       : moveOne(*Image, Mover))
      Mover.Result.Reason = toString(std::move(E));
    else
      Mover.Result.Moved = true;
    Program.Frames.push_back(std::move(Mover.Result));
  }
  Program.Cubin = Image->bytes().str();
  Program.ToolFailed = ToolFailed;
  return Program;
}

Error ProgramFinisher::check(const FinishedProgram &Program) const {
  if (Program.Cubin == Original)
    return Error::success();
  auto List = [&](StringRef Cubin) -> Expected<std::string> {
    return Cubin == Original ? Expected<std::string>(Listing)
                             : Reader.list(Cubin, Settings.Limits);
  };
  FrameLimits Limits;
  for (const FrameResult &F : Program.Frames)
    if (F.Moved && F.AtEnd)
      Limits.AtEnd[F.Kernel] = F.Stride;
    else if (F.Moved)
      Limits.SharedBytes = std::max(Limits.SharedBytes, F.SharedAfter);
  return checkFinished(Original, Program.Cubin, List, Limits);
}

/// A kernel that the checker refuses keeps its frame; the others do not have
/// to.
Expected<FinishedProgram> ProgramFinisher::run() {
  StringMap<std::string> Stay;
  Expected<FinishedProgram> Program = move(Stay);
  if (!Program)
    return Program;
  Error Refused = check(*Program);
  if (!Refused)
    return Program;
  consumeError(std::move(Refused));
  for (const FrameResult &F : Program->Frames) {
    if (!F.Moved)
      continue;
    StringMap<std::string> Others;
    for (const FrameResult &Other : Program->Frames)
      if (&Other != &F)
        Others[Other.Kernel] = "";
    Expected<FinishedProgram> Alone = move(Others);
    if (!Alone)
      return Alone;
    if (Error E = check(*Alone))
      Stay[F.Kernel] = "the checker refused: " + toString(std::move(E));
  }
  Program = move(Stay);
  if (!Program)
    return Program;
  // Kernels that are right one by one are right together, or else none moves.
  if (Error E = check(*Program)) {
    std::string Why = "the checker refused: " + toString(std::move(E));
    for (const FrameResult &F : Program->Frames)
      Stay.try_emplace(F.Kernel, Why);
    return move(Stay);
  }
  return Program;
}

} // namespace

Expected<std::vector<std::string>> kernelsWithFrames(StringRef Cubin) {
  Expected<CubinImage> Image = CubinImage::read(Cubin);
  if (!Image)
    return Image.takeError();
  std::vector<std::string> Names;
  for (const CubinKernel &K : Image->kernels())
    if (K.FrameBytes)
      Names.push_back(K.Name);
  return Names;
}

Expected<std::vector<FrameResult>>
waysToMove(StringRef Cubin, StringRef Name, const SassKernel &Code,
           std::optional<uint64_t> DynamicShared, const FrameRoom *Room) {
  Expected<CubinImage> Image = CubinImage::read(Cubin);
  if (!Image)
    return Image.takeError();
  auto K = find_if(Image->kernels(), [&](const CubinKernel &Kernel) {
    return Kernel.Name == Name;
  });
  if (K == Image->kernels().end() || !K->FrameBytes)
    return createStringError("no frame");
  FrameMover Whole(*Image, *K, Room);
  if (Error E = Whole.look(*Image, Code))
    return E;
  FinishSettings Settings;
  Settings.DynamicShared = DynamicShared;
  auto Ways = waysOf(Whole, Settings, /*Parts=*/true);
  if (!Ways)
    return Ways.takeError();
  std::vector<FrameResult> Results;
  for (FrameMover &Way : *Ways)
    Results.push_back(std::move(Way.Result));
  return Results;
}

Expected<FinishedProgram> finishProgram(StringRef Cubin, const Ptxas &Assembler,
                                        const Disassembler &Reader,
                                        const FinishSettings &Settings) {
  return ProgramFinisher(Cubin, Assembler, Reader, Settings).run();
}

} // namespace regdem
