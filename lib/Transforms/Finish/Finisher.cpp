//===- Finisher.cpp - frames moved to shared memory -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Finish/Finisher.h"

#include "FrameMover.h"
#include "regdem/Decision/Builds/ProgramRecord.h"
#include "regdem/MachineCode/SassListing.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

/// What Settings say of Kernel; null: nothing.
static const FrameOrder *orderFor(StringRef Kernel,
                                  const FinishSettings &Settings) {
  auto Its = Settings.Orders.find(Kernel.str());
  return Its == Settings.Orders.end() ? nullptr : &Its->second;
}

namespace {

/// The way that the frame of Whole, whose code is Code in Image, takes; an
/// error says why it stays. Whole has looked at it then.
Expected<FrameMover> takenWay(FrameMover &Whole, const CubinImage &Image,
                              const SassKernel &Code,
                              const FinishSettings &Settings) {
  if (Error E = Whole.look(Image, Code))
    return E;
  auto Ways = waysOf(Whole, Settings);
  if (!Ways)
    return Ways.takeError();
  size_t Taken = 0;
  if (!Whole.settled() && Settings.Choose) {
    std::vector<FrameResult> Results;
    for (const FrameMover &Way : *Ways)
      Results.push_back(Way.Result);
    Expected<size_t> Chosen = Settings.Choose(Results, Code);
    if (!Chosen)
      return Chosen.takeError();
    Taken = *Chosen;
  }
  return std::move((*Ways)[Taken]);
}

/// One program on its way.
class ProgramFinisher {
public:
  ProgramFinisher(StringRef Original, const Ptxas &Assembler,
                  const FinishSettings &Settings, CodeListing List)
      : Original(Original), Assembler(Assembler), Settings(Settings),
        List(List) {}

  Expected<FinishedProgram> run();

private:
  Expected<FinishedProgram> move(const StringMap<std::string> &Stay);
  bool mayMove(const CubinKernel &K) const;
  Error moveOne(CubinImage &Image, FrameMover &Mover);
  Verdict check(const FinishedProgram &Program);
  Verdict checkPromises(const FinishedProgram &Program) const;

  StringRef Original;
  const Ptxas &Assembler;
  const FinishSettings &Settings;
  CodeListing List;
};

bool ProgramFinisher::mayMove(const CubinKernel &K) const {
  const FrameOrder *Order = orderFor(K.Name, Settings);
  return K.FrameBytes &&
         (Order ? Order->How != FrameOrder::Stays : !Settings.OnlyOrders);
}

/// Has Mover, which gets the way that is taken, move its frame.
Error ProgramFinisher::moveOne(CubinImage &Image, FrameMover &Mover) {
  StringRef Name = Mover.kernel().Name;
  auto Listed = decodeListing(Original, Name);
  if (!Listed)
    return Listed.takeError();
  auto Kernel = readKernel(*Listed, Name);
  if (!Kernel)
    return Kernel.takeError();
  Expected<FrameMover> Way = takenWay(Mover, Image, *Kernel, Settings);
  if (!Way)
    return Way.takeError();
  Expected<FrameSetUp> SetUp = assembleSetUp(
      Assembler, Way->request(), Image.architecture(), Settings.Limits);
  if (!SetUp)
    return SetUp.takeError();
  Mover.Result = Way->Result;
  return Way->rewrite(Image, *SetUp);
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
    if (!mayMove(K))
      continue;
    FrameMover Mover(*Image, K, Settings.Promised.of(K.Name),
                     orderFor(K.Name, Settings));
    auto Reason = Stay.find(K.Name);
    if (Error E = Reason != Stay.end() ? createStringError(Reason->second)
                                       : moveOne(*Image, Mover))
      Mover.Result.Reason = toString(std::move(E));
    else
      Mover.Result.Moved = true;
    Program.Frames.push_back(std::move(Mover.Result));
  }
  Program.Cubin = Image->bytes().str();
  return Program;
}

/// What the checker is told of Program.
FrameLimits limitsOf(const FinishedProgram &Program) {
  FrameLimits Limits;
  for (const FrameResult &F : Program.Frames)
    if (F.Moved && F.AtEnd)
      Limits.AtEnd[F.Kernel] = F.Stride;
    else if (F.Moved)
      Limits.SharedBytes = std::max(Limits.SharedBytes, F.SharedAfter);
  return Limits;
}

Verdict ProgramFinisher::check(const FinishedProgram &Program) {
  if (Program.Cubin == Original)
    return {};
  const std::string Refused = "the checker refused: ";
  Verdict V = checkFinished(Original, Program.Cubin, List, limitsOf(Program));
  for (Verdict::RefusedKernel &K : V.Refused)
    K.Why = Refused + K.Why;
  if (V.Problem)
    V.Problem = Refused + *V.Problem;
  if (!V.isAccepted())
    return V;
  return checkPromises(Program);
}

/// Holds what stands in the finished program against what is promised, not what
/// was planned.
Verdict ProgramFinisher::checkPromises(const FinishedProgram &Program) const {
  auto Before = figuresOfKernels(Original);
  if (!Before)
    return {{}, toString(Before.takeError())};
  auto Now = figuresOfKernels(Program.Cubin);
  if (!Now)
    return {{}, toString(Now.takeError())};
  Verdict V;
  for (const FrameResult &F : Program.Frames) {
    if (!F.Moved)
      continue;
    KernelFigures Its = (*Now)[F.Kernel];
    Its.ThreadBytes = F.AtEnd ? static_cast<unsigned>(F.Stride) : 0;
    if (Error E = keepsPromises(Its, (*Before)[F.Kernel], F.Keep,
                                *lookupSMLimits(parseArch(F.Arch))))
      V.Refused.push_back({F.Kernel, toString(std::move(E))});
  }
  return V;
}

/// A kernel that is refused keeps its frame; the others do not have to, unless
/// something is wrong without it, too.
Expected<FinishedProgram> ProgramFinisher::run() {
  StringMap<std::string> Stay;
  Expected<FinishedProgram> Program = move(Stay);
  if (!Program)
    return Program;
  Verdict V = check(*Program);
  if (V.isAccepted())
    return Program;
  for (const Verdict::RefusedKernel &K : V.Refused)
    Stay[K.Kernel] = K.Why;
  if (!V.Problem) {
    Program = move(Stay);
    if (!Program)
      return Program;
    V = check(*Program);
    if (V.isAccepted())
      return Program;
    V.Problem = V.text();
  }
  for (const FrameResult &F : Program->Frames)
    Stay.try_emplace(F.Kernel, *V.Problem);
  return move(Stay);
}

} // namespace

FinishSettings settingsFor(const ProgramRecord &Record) {
  FinishSettings Settings;
  Settings.OnlyOrders = true;
  for (const KernelRecord &K : Record.Kernels) {
    Settings.Orders[K.Kernel] = K.Frame;
    Settings.Promised.Named[K.Kernel] = K.Keep;
  }
  return Settings;
}

Expected<std::map<std::string, KernelFigures>>
figuresOfKernels(StringRef Cubin) {
  Expected<CubinImage> Image = CubinImage::read(Cubin, /*MayBeUnlinked=*/true);
  if (!Image)
    return Image.takeError();
  const SMLimits *SM = lookupSMLimits(parseArch(Image->architecture()));
  std::map<std::string, KernelFigures> Figures;
  for (const CubinKernel &K : Image->kernels()) {
    uint64_t Shared = Image->sharedSize(K);
    bool HasReserved = SM && Image->cubin().isLinked();
    uint64_t Reserved = HasReserved ? reservedShared(*SM) : 0;
    Figures[K.Name] = {K.Registers, Shared - std::min(Shared, Reserved), 0,
                       K.FrameBytes};
  }
  return Figures;
}

Expected<FrameResult> chosenWay(StringRef Cubin, StringRef Name,
                                const SassKernel &Code,
                                const FinishSettings &Settings) {
  Expected<CubinImage> Image = CubinImage::read(Cubin);
  if (!Image)
    return Image.takeError();
  auto K = find_if(Image->kernels(), [&](const CubinKernel &Kernel) {
    return Kernel.Name == Name;
  });
  if (K == Image->kernels().end() || !K->FrameBytes)
    return createStringError("no frame");
  FrameMover Whole(*Image, *K, Settings.Promised.of(Name),
                   orderFor(Name, Settings));
  Expected<FrameMover> Way = takenWay(Whole, *Image, Code, Settings);
  if (!Way)
    return Way.takeError();
  return std::move(Way->Result);
}

Expected<FinishedProgram> finishProgram(StringRef Cubin, const Ptxas &Assembler,
                                        const FinishSettings &Settings,
                                        CodeListing List) {
  return ProgramFinisher(Cubin, Assembler, Settings, List).run();
}

} // namespace regdem
