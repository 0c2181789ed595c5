//===- MovedFrames.cpp - finish the device code of a host module ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When clang compiles the host side, ptxas has made the device code, and the
// module holds it as a constant:
//
//   @data = private constant [N x i8] c"…", section ".nv_fatbin"
//   @__cuda_fatbin_wrapper = internal constant { i32, i32, ptr, ptr }
//                                { …, ptr @data, ptr null }
//
// This is where frames move (Finisher.h): the constant is replaced.
//
//===----------------------------------------------------------------------===//

#include "regdem/Builder/FinishedPrograms.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Finish/FatBinary.h"
#include "regdem/Options.h"
#include "regdem/Passes/Pass.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace regdem {

namespace {

/// The variable with the fat binary of M; null where it has none.
GlobalVariable *findFatBinary(const Module &M) {
  const GlobalVariable *Wrapper =
      M.getGlobalVariable("__cuda_fatbin_wrapper", /*AllowInternal=*/true);
  if (!Wrapper || !Wrapper->hasInitializer())
    return nullptr;
  const Constant *Fields = Wrapper->getInitializer();
  constexpr unsigned DataField = 2;
  if (!isa<ConstantStruct>(Fields) || Fields->getNumOperands() <= DataField)
    return nullptr;
  auto *Data = dyn_cast<GlobalVariable>(
      Fields->getOperand(DataField)->stripPointerCasts());
  return Data && Data->hasInitializer() &&
                 isa<ConstantDataArray>(Data->getInitializer())
             ? Data
             : nullptr;
}

/// The host functions that stand for kernels, by the kernels' names: arguments
/// of the calls that register them.
StringMap<const Function *> findStubs(const Module &M) {
  StringMap<const Function *> Stubs;
  const Function *Register = M.getFunction("__cudaRegisterFunction");
  if (!Register)
    return Stubs;
  for (const User *U : Register->users()) {
    const auto *Call = dyn_cast<CallBase>(U);
    if (!Call || Call->arg_size() < 3)
      continue;
    const auto *Stub = dyn_cast<Function>(Call->getArgOperand(1));
    const auto *Name = dyn_cast<GlobalVariable>(Call->getArgOperand(2));
    const auto *Text = Name && Name->hasInitializer()
                           ? dyn_cast<ConstantDataArray>(Name->getInitializer())
                           : nullptr;
    if (Stub && Text && Text->isCString())
      Stubs[Text->getAsCString()] = Stub;
  }
  return Stubs;
}

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
  StringMap<const Function *> Stubs = findStubs(M);
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
  Expected<std::string> Now = replaceCubins(Bytes->getRawDataValues(), Replace);
  if (!Now) {
    // Nobody has to know how programs are packed; stock's code is right.
    consumeError(Now.takeError());
    return PreservedAnalyses::all();
  }
  if (*Now == Bytes->getRawDataValues())
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
