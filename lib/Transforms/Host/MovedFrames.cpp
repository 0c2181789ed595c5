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

#include "ModuleEdits.h"

#include "regdem/Emission/Remarks.h"
#include "regdem/Finish/Finisher.h"
#include "regdem/MachineCode/FatBinary.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
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

/// I's program as its record says; unchanged where no frame moves.
Expected<FinishedProgram>
carryOut(const DeviceImage &I, const KernelsByName &Kernels, const Options &O) {
  FinishSettings Settings = settingsFor(I.Record);
  Settings.SharedLimit = O.SharedLimit;
  Settings.Limits = O.Limits;
  FinishedProgram Stays{I.Cubin, {}};
  for (const KernelRecord &K : I.Record.Kernels) {
    std::string Why = reasonOfLaunches(K, Kernels);
    if (K.Frame.How == FrameOrder::Stays || Why.empty())
      continue;
    Settings.Orders.erase(K.Kernel);
    FrameResult F;
    F.Kernel = K.Kernel;
    F.Arch = I.Record.ArchName;
    if (auto Its = I.Figures.find(K.Kernel); Its != I.Figures.end())
      F.FrameBytes = Its->second.FrameBytes;
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
  if (!*Assembler)
    return Stays;
  Expected<FinishedProgram> Program =
      finishProgram(I.Cubin, **Assembler, Settings);
  if (Program)
    append_range(Program->Frames, Stays.Frames);
  return Program;
}

/// Emits a remark for each of Frames; that for a build's frame, at its kernel.
void emitRemarks(ArrayRef<FrameResult> Frames, const KernelsByName &Kernels) {
  for (const FrameResult &F : Frames) {
    const HostKernel *K = Kernels.lookup(kernelOfBuild(F.Kernel));
    if (K)
      emitFrame(*K->Stub, F);
  }
}

} // namespace

bool moveFrames(Module &M, DeviceCode &Code, ArrayRef<HostKernel> Kernels,
                const Options &O) {
  if (O.RunMode == Mode::Off || O.Finish == Permission::Off)
    return false;
  TimeTraceScope Scope("RegDem move frames", M.getName());
  KernelsByName ByName;
  for (const HostKernel &K : Kernels)
    ByName[K.Name] = &K;
  std::map<size_t, std::string> Moved;
  for (DeviceImage &I : Code.Images) {
    if (I.Record.Kernels.empty())
      continue;
    auto Finished = expectedToOptional(carryOut(I, ByName, O));
    if (!Finished)
      continue; // What ptxas made is right.
    emitRemarks(Finished->Frames, ByName);
    if (Finished->Cubin == I.Cubin)
      continue;
    for (const FrameResult &F : Finished->Frames)
      if (F.Moved)
        I.Moved.insert(F.Kernel);
    Moved[I.Place] = std::move(Finished->Cubin);
  }
  if (Moved.empty())
    return false;
  GlobalVariable *Old = findFatBinary(M);
  const auto *Bytes = cast<ConstantDataArray>(Old->getInitializer());
  auto Now =
      expectedToOptional(replaceImages(Bytes->getRawDataValues(), Moved));
  if (!Now)
    return false; // Nobody has to know how programs are packed.
  Constant *Data = ConstantDataArray::getString(M.getContext(), *Now,
                                                /*AddNull=*/false);
  auto *New = new GlobalVariable(M, Data->getType(), Old->isConstant(),
                                 Old->getLinkage(), Data, "", Old);
  New->copyAttributesFrom(Old);
  New->takeName(Old);
  Old->replaceAllUsesWith(New);
  Old->eraseFromParent();
  for (DeviceImage &I : Code.Images)
    if (auto Its = Moved.find(I.Place); Its != Moved.end()) {
      I.Cubin = std::move(Its->second);
      I.readFigures();
    }
  return true;
}

} // namespace regdem
