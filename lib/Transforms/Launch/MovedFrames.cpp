//===- MovedFrames.cpp - finish the device code of a host module ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When clang compiles the host side, ptxas has made the device code, and the
// module holds it as a constant (LaunchSites.cpp). This is where frames move
// (Finisher.h): the constant is replaced. The device side has decided which
// (ProgramRecord.h); code without a record stays as it is.
//
//===----------------------------------------------------------------------===//

#include "MovedFrames.h"

#include "regdem/Decision/Builds/ProgramRecord.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Finish/FatBinary.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace regdem {

namespace {

/// What the launches of M show of its kernels.
using KernelsByName = StringMap<const HostKernel *>;

/// Why the frame of a kernel with Record must not move to static shared memory,
/// as its launches show; empty: they show nothing.
std::string reasonOfLaunches(const KernelRecord &Record,
                             const KernelsByName &Kernels) {
  const HostKernel *K = Kernels.lookup(Record.Kernel);
  if (!K || Record.Frame.How == FrameOrder::AtEnd)
    return "";
  uint64_t Most = Record.Keep.DynamicShared.value_or(0);
  for (const CallBase *Launch : K->Launches)
    if (auto Bytes = constantDynamicShared(*Launch); Bytes && *Bytes > Most)
      return ("a launch has " + Twine(*Bytes) +
              " bytes of dynamic shared memory: state how much "
              "(dynamic-smem)")
          .str();
  return "";
}

/// Cubin as Record says; unchanged where no frame moves.
Expected<FinishedProgram> carryOut(StringRef Cubin, const ProgramRecord &Record,
                                   const KernelsByName &Kernels,
                                   const Options &O) {
  FinishSettings Settings = settingsFor(Record);
  Settings.SharedLimit = O.SharedLimit;
  Settings.Limits = O.Limits;
  auto Figures = expectedToOptional(figuresOfKernels(Cubin))
                     .value_or(std::map<std::string, KernelFigures>());
  FinishedProgram Stays{Cubin.str(), {}};
  for (const KernelRecord &K : Record.Kernels) {
    std::string Why = reasonOfLaunches(K, Kernels);
    if (K.Frame.How == FrameOrder::Stays || Why.empty())
      continue;
    Settings.Orders.erase(K.Kernel);
    FrameResult F;
    F.Kernel = K.Kernel;
    F.Arch = Record.ArchName;
    F.FrameBytes = Figures[K.Kernel].FrameBytes;
    F.Reason = std::move(Why);
    Stays.Frames.push_back(std::move(F));
  }
  if (none_of(Settings.Orders, [](const auto &Order) {
        return Order.second.How != FrameOrder::Stays;
      }))
    return Stays;
  auto Assembler = Ptxas::choose(O.Ptxas);
  if (!Assembler)
    return Assembler.takeError();
  auto Reader = Disassembler::choose(O.Disassembler);
  if (!Reader)
    return Reader.takeError();
  if (!*Assembler || !*Reader)
    return Stays;
  Expected<FinishedProgram> Program =
      finishProgram(Cubin, **Assembler, **Reader, Settings);
  if (Program)
    append_range(Program->Frames, Stays.Frames);
  return Program;
}

/// Tells of Frames. What became of a build's is told of its kernel.
void tell(ArrayRef<FrameResult> Frames, const KernelsByName &Kernels) {
  for (const FrameResult &F : Frames) {
    StringRef Name = StringRef(F.Kernel).split(LaunchBuildSuffix).first;
    const HostKernel *K = Kernels.lookup(Name);
    if (const auto *Stub = K ? dyn_cast<Function>(K->Stub) : nullptr)
      emitFrame(*Stub, F);
  }
}

} // namespace

bool moveFrames(Module &M, ArrayRef<HostKernel> Kernels, const Options &O) {
  GlobalVariable *Old = findFatBinary(M);
  if (!Old || O.RunMode == Mode::Off || O.Finish == FinishUse::Off)
    return false;
  TimeTraceScope Scope("RegDem move frames", M.getName());
  KernelsByName ByName;
  for (const HostKernel &K : Kernels)
    ByName[K.Name] = &K;
  auto Replace = [&](StringRef Cubin) -> Expected<std::optional<std::string>> {
    auto Record = expectedToOptional(readRecord(Cubin));
    if (!Record || !*Record)
      return std::nullopt;
    Expected<FinishedProgram> Finished = carryOut(Cubin, **Record, ByName, O);
    if (!Finished)
      return Finished.takeError();
    tell(Finished->Frames, ByName);
    if (Finished->Cubin == Cubin)
      return std::nullopt;
    return std::move(Finished->Cubin);
  };
  const auto *Bytes = cast<ConstantDataArray>(Old->getInitializer());
  auto Now =
      expectedToOptional(replaceCubins(Bytes->getRawDataValues(), Replace));
  // Nobody has to know how programs are packed; what ptxas made is right.
  if (!Now || *Now == Bytes->getRawDataValues())
    return false;
  Constant *Data = ConstantDataArray::getString(M.getContext(), *Now,
                                                /*AddNull=*/false);
  auto *New = new GlobalVariable(M, Data->getType(), Old->isConstant(),
                                 Old->getLinkage(), Data, "", Old);
  New->copyAttributesFrom(Old);
  New->takeName(Old);
  Old->replaceAllUsesWith(New);
  Old->eraseFromParent();
  return true;
}

} // namespace regdem
