//===- Dispatch.cpp - launches that choose a build ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Host/Dispatch.h"

#include "DeviceCode.h"
#include "LaunchSites.h"
#include "ModuleEdits.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Toolchain/Invocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Frontend/Offloading/Utility.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace regdem {

namespace {

/// A row, with the architecture that it is for.
struct ArchRow {
  unsigned Arch;
  LaunchRow Row;
};

/// What device code offers for one kernel's launches.
struct Offer {
  std::vector<ArchRow> Rows;
  std::string Tag;        ///< ProgramRecord::Tag, of every image.
  unsigned NumBuilds = 0; ///< All up to this number are in every image.
  /// Of the last image for which not all rows are offered, why; else empty.
  std::string WhyFewer;
};

/// Whether I is the only one of Images for its architecture: of several it is
/// not known here which one a GPU takes.
bool isAlone(const DeviceImage &I, ArrayRef<DeviceImage> Images) {
  return count_if(Images, [&](const DeviceImage &Other) {
           return Other.Arch == I.Arch;
         }) == 1;
}

/// What Images offer for launches of Kernel.
Offer offerFor(StringRef Kernel, ArrayRef<DeviceImage> Images) {
  Offer Result;
  if (!Images.empty())
    Result.Tag = Images.front().Record.Tag;
  auto IsInAll = [&](unsigned Build) {
    std::string Name = launchBuildName(Kernel, Build, Result.Tag);
    return all_of(Images, [&](const DeviceImage &I) {
      return I.Figures.count(Name) != 0;
    });
  };
  while (Result.NumBuilds != MostLaunchBuilds && IsInAll(Result.NumBuilds + 1))
    ++Result.NumBuilds;
  for (const DeviceImage &I : Images) {
    const KernelRecord *K = I.Record.find(Kernel);
    bool IsAlone = isAlone(I, Images);
    for (const LaunchRow &R : K ? K->Rows : std::vector<LaunchRow>())
      if (IsAlone && R.Build <= Result.NumBuilds)
        Result.Rows.push_back({I.Arch, R});
      else
        Result.WhyFewer =
            formatv(IsAlone ? "code for another architecture has fewer than "
                              "that for sm_{0}"
                            : "the program has several kinds of code for "
                              "sm_{0}, and which one a GPU takes is not known",
                    I.Arch);
  }
  return Result;
}

/// Whether a launch of so many threads may take a build of O.
bool mayTakeBuild(const Offer &O, uint64_t Threads) {
  return any_of(O.Rows, [&](const ArchRow &A) {
    return Threads >= A.Row.FromThreads && Threads <= A.Row.Threads;
  });
}

/// Makes kernels' records, laid out as in Dispatcher.h.
class Recorder {
public:
  explicit Recorder(Module &M) : M(M), Context(M.getContext()) {}

  /// Registers the builds of O with the runtime and returns K's record.
  GlobalVariable &add(const HostKernel &K, const Offer &O) {
    std::vector<Constant *> Builds;
    for (unsigned Build = 1; Build <= O.NumBuilds; ++Build)
      Builds.push_back(structure(
          {registerBuild(K, launchBuildName(K.Name, Build, O.Tag)), word(0)}));
    std::vector<Constant *> Rows;
    for (const ArchRow &A : O.Rows)
      Rows.push_back(structure(
          {half(A.Arch), half(A.Row.FromThreads), half(A.Row.Threads),
           half(A.Row.Build), half(A.Row.MostDynamic), half(A.Row.ThreadBytes),
           half(A.Row.AnyLaunch), half(A.Row.OnlyBuild), half(A.Row.MayWait),
           times(A.Row.Own), times(A.Row.Stock)}));
    unsigned NumRows = static_cast<unsigned>(Rows.size());
    return data(
        "kernel." + K.Name,
        structure({K.Stub, &text(K.Name), &list("rows." + K.Name, Rows, true),
                   &list("builds." + K.Name, Builds, false), half(NumRows),
                   half(O.NumBuilds), word(0)}),
        /*IsConstant=*/false);
  }

private:
  Module &M;
  LLVMContext &Context;

  Constant *times(const BlockTimes &T) {
    return structure({half(T.Blocks), half(T.Alone), half(T.Full)});
  }
  Constant *word(uint64_t N) {
    return ConstantInt::get(Type::getInt64Ty(Context), N);
  }
  Constant *half(uint64_t N) {
    return ConstantInt::get(Type::getInt32Ty(Context), N);
  }
  static Constant *structure(ArrayRef<Constant *> Fields) {
    return ConstantStruct::getAnon(Fields);
  }
  GlobalVariable &data(const Twine &Name, Constant *Value, bool IsConstant) {
    return *new GlobalVariable(M, Value->getType(), IsConstant,
                               GlobalValue::InternalLinkage, Value,
                               "__regdem_" + Name);
  }
  GlobalVariable &list(const Twine &Name, ArrayRef<Constant *> Items,
                       bool IsConstant) {
    auto *Type = ArrayType::get(Items.front()->getType(), Items.size());
    return data(Name, ConstantArray::get(Type, Items), IsConstant);
  }

  GlobalVariable &text(const std::string &Name) {
    return data("name." + Name, ConstantDataArray::getString(Context, Name),
                /*IsConstant=*/true);
  }

  /// Has the build Name of K registered after K, or by the linker, and returns
  /// its stub: a variable of which nothing but the address counts.
  Constant *registerBuild(const HostKernel &K, const std::string &Name) {
    GlobalVariable &Stub =
        data("stub." + Name, ConstantInt::get(Type::getInt8Ty(Context), 0),
             /*IsConstant=*/false);
    if (!K.Registration) {
      offloading::emitOffloadingEntry(M, object::OFK_Cuda, &Stub, Name,
                                      /*Size=*/0, /*Flags=*/0, /*Data=*/0);
      return &Stub;
    }
    GlobalVariable &Text = text(Name);
    auto *Call = cast<CallBase>(K.Registration->clone());
    Call->setArgOperand(1, &Stub);
    Call->setArgOperand(2, &Text);
    Call->setArgOperand(3, &Text);
    Call->insertAfter(K.Registration->getIterator());
    return &Stub;
  }
};

// What Dispatcher.c, LaunchLog.c and LaunchMeasure.c define, compiled to
// bitcode when RegDem was built.
constexpr unsigned char DispatcherCode[] = {
#include "Dispatcher.inc"
};
constexpr unsigned char LogCode[] = {
#include "LaunchLog.inc"
};
constexpr unsigned char MeasureCode[] = {
#include "LaunchMeasure.inc"
};

constexpr StringLiteral EntryPoint = "__regdem_launch";

/// The dispatcher's function in Launch's place.
Function *entryPointFor(const CallBase &Launch) {
  StringRef Variant = Launch.getCalledFunction()->getName();
  Variant.consume_front("cudaLaunchKernel");
  return Launch.getModule()->getFunction((EntryPoint + Variant).str());
}

/// Whether F is K's stub, of which all calls have been inlined: no launch of
/// this file is there.
bool isUncalledStub(const Function &F, const HostKernel &K) {
  return &F == K.Stub && none_of(F.uses(), [](const Use &U) {
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    return Call && Call->isCallee(&U);
  });
}

/// Has K's launches choose if one of them may take a build of O, else returns
/// false. Those that may not load the builds if they come first.
bool redirect(Module &M, const HostKernel &K, const Offer &O) {
  bool AnyChooses = false;
  for (CallBase *Launch : K.Launches) {
    std::optional<uint64_t> Threads = constantBlockSize(*Launch);
    bool Chooses = !Threads || mayTakeBuild(O, *Threads);
    if (!isUncalledStub(*Launch->getFunction(), K))
      emitLaunchSite(*Launch, K.Name, Threads, Chooses ? O.NumBuilds : 0);
    AnyChooses |= Chooses;
  }
  if (!AnyChooses)
    return false;
  if (!M.getFunction(EntryPoint))
    linkCode(M, {DispatcherCode, LogCode, MeasureCode});
  GlobalVariable &Record = Recorder(M).add(K, O);
  for (CallBase *Launch : K.Launches) {
    Launch->setCalledFunction(entryPointFor(*Launch));
    Launch->setArgOperand(0, &Record);
  }
  return true;
}

/// Whether a block of Threads threads of Kernel has too many registers for an
/// SM in I, and no build of O has not.
bool cannotBeLaunched(StringRef Kernel, uint64_t Threads, const DeviceImage &I,
                      const Offer &O) {
  const SMLimits *SM = lookupSMLimits(I.Arch);
  auto Its = I.Figures.find(Kernel.str());
  if (!SM || Its == I.Figures.end() || !Threads ||
      Threads > SM->MaxThreadsPerBlock)
    return false; // No number of registers helps.
  KernelFigures Registers{Its->second.Registers, 0, 0, 0};
  bool IsServed = any_of(O.Rows, [&](const ArchRow &A) {
    return A.Arch == I.Arch && A.Row.FromThreads <= Threads &&
           Threads <= A.Row.Threads;
  });
  return !IsServed &&
         !residentBlocks(*SM, Registers, static_cast<unsigned>(Threads), 0);
}

/// Warns of the first launch of K that fails whenever it is made, for all that
/// is in O.
void warnOfLaunches(const HostKernel &K, ArrayRef<DeviceImage> Images,
                    const Offer &O) {
  for (const CallBase *Launch : K.Launches)
    if (std::optional<uint64_t> Threads = constantBlockSize(*Launch))
      for (const DeviceImage &I : Images)
        if (cannotBeLaunched(K.Name, *Threads, I, O)) {
          warnOfLaunch(*Launch, K.Name, *Threads,
                       I.Figures.at(K.Name).Registers, I.Arch);
          return;
        }
}

bool isKnownHost(const Triple &T) {
  return T.getArch() == Triple::x86_64 && T.isOSLinux() && !T.isX32();
}

} // namespace

/// Has launches of Kernels, which are M's, choose among their builds in Code,
/// of which frames have moved; whether M has changed.
static bool dispatch(Module &M, DeviceCode &Code,
                     ArrayRef<HostKernel> Kernels) {
  if (!Code.Unknown.empty()) {
    if (compilesHostAlike(readInvocation())) // Else there are no builds.
      emitMissed(*Kernels.front().Stub, Missed::NoDispatch, Code.Unknown);
    return false;
  }
  for (DeviceImage &I : Code.Images)
    dropUnfit(I.Record, I.Figures);
  bool Changed = false;
  for (const HostKernel &K : Kernels) {
    Offer O = offerFor(K.Name, Code.Images);
    if (!K.MayLaunchBuilds && !O.Rows.empty()) {
      emitMissed(*K.Stub, Missed::StubEscapes, /*Why=*/"", K.Name);
      O.Rows.clear();
    } else if (!O.WhyFewer.empty()) {
      emitMissed(*K.Stub, Missed::FewerBuilds, O.WhyFewer, K.Name);
    }
    warnOfLaunches(K, Code.Images, O);
    if (!O.Rows.empty())
      Changed |= redirect(M, K, O);
  }
  return Changed;
}

/// What M has of device code, whole or to be linked; none where it has none.
static std::optional<DeviceCode> deviceCodeOf(const Module &M) {
  auto BytesOf = [](const GlobalVariable &G) {
    return cast<ConstantDataArray>(G.getInitializer())->getRawDataValues();
  };
  if (const GlobalVariable *Fat = findFatBinary(M))
    return readDeviceCode(BytesOf(*Fat));
  std::vector<StringRef> Linked;
  for (const GlobalVariable *G : findLinkedCode(M))
    Linked.push_back(BytesOf(*G));
  return Linked.empty() ? std::nullopt : std::optional(readLinkedCode(Linked));
}

PreservedAnalyses DispatchPass::run(Module &M, ModuleAnalysisManager &) {
  std::optional<DeviceCode> Code = deviceCodeOf(M);
  if (!Code)
    return PreservedAnalyses::all();
  Options O = commandLineOptions();
  std::vector<HostKernel> Kernels = findKernels(M);
  bool Changed = moveFrames(M, *Code, Kernels, O);
  if (!Kernels.empty() && isKnownHost(M.getTargetTriple())) {
    // Launches choose among builds of the finished program.
    if (O.Launch != Permission::Off)
      Changed |= dispatch(M, *Code, Kernels);
    Changed |= keepSharedRoom(M, *Code, Kernels);
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace regdem
