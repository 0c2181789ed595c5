//===- MovedFrames.cpp - finish the device code of a host module ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When clang compiles the host side, ptxas has made the device code, and the
// module holds it as a constant (LaunchSites.cpp). This is where frames move
// (Finisher.h): the constant is replaced.
//
//===----------------------------------------------------------------------===//

#include "regdem/Builder/FinishedPrograms.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Finish/FatBinary.h"
#include "regdem/Launch/LaunchSites.h"
#include "regdem/Options.h"
#include "regdem/Passes/Pass.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace regdem {

namespace {

class MoveFrames : public PassInfoMixin<MoveFrames> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &);
};

PreservedAnalyses MoveFrames::run(Module &M, ModuleAnalysisManager &) {
  Options O = commandLineOptions();
  GlobalVariable *Old = findFatBinary(M);
  if (!Old || O.RunMode == Mode::Off || O.Finish == FinishUse::Off)
    return PreservedAnalyses::all();
  TimeTraceScope Scope("RegDem move frames", M.getName());
  StringMap<const Function *> Stubs; // By their kernels' names.
  for (const HostKernel &K : findKernels(M))
    if (const auto *Stub = dyn_cast<Function>(K.Stub))
      Stubs[K.Name] = Stub;
  auto Replace = [&](StringRef Cubin) -> Expected<std::optional<std::string>> {
    Expected<FinishedProgram> Finished = finishOnce(Cubin, O);
    if (!Finished)
      return Finished.takeError();
    // What became of a build's is told of its kernel.
    StringSet<> Told;
    for (const FrameResult &F : Finished->Frames)
      if (F.Moved && F.AtEnd)
        Told.insert(StringRef(F.Kernel).split(LaunchBuildSuffix).first);
    for (const FrameResult &F : Finished->Frames) {
      StringRef Kernel = StringRef(F.Kernel).split(LaunchBuildSuffix).first;
      const Function *Stub = Stubs.lookup(Kernel);
      if (Stub && (F.AtEnd || (Kernel == F.Kernel && !Told.contains(Kernel))))
        emitFrame(*Stub, F);
    }
    if (Finished->Cubin == Cubin)
      return std::nullopt;
    return std::move(Finished->Cubin);
  };
  const auto *Bytes = cast<ConstantDataArray>(Old->getInitializer());
  auto Now =
      expectedToOptional(replaceCubins(Bytes->getRawDataValues(), Replace));
  // Nobody has to know how programs are packed; stock's code is right.
  if (!Now || *Now == Bytes->getRawDataValues())
    return PreservedAnalyses::all();
  Constant *Data = ConstantDataArray::getString(M.getContext(), *Now,
                                                /*AddNull=*/false);
  auto *New = new GlobalVariable(M, Data->getType(), Old->isConstant(),
                                 Old->getLinkage(), Data, "", Old);
  New->copyAttributesFrom(Old);
  New->takeName(Old);
  Old->replaceAllUsesWith(New);
  Old->eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace

void addFrameMoving(PassBuilder &Builder) {
  Builder.registerOptimizerLastEPCallback([](ModulePassManager &Passes,
                                             OptimizationLevel Level,
                                             ThinOrFullLTOPhase) {
    if (Level != OptimizationLevel::O0)
      Passes.addPass(MoveFrames());
  });
}

} // namespace regdem
