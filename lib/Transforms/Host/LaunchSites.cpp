//===- LaunchSites.cpp - kernels and launches in a host module ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As clang 22 writes them for x86-64 Linux:
//
//   @data = private constant [N x i8] c"…", section ".nv_fatbin"
//   @__cuda_fatbin_wrapper = internal constant { i32, i32, ptr, ptr }
//                                { …, ptr @data, ptr null }
//
//   call i32 @__cudaRegisterFunction(ptr handle, ptr stub, ptr name, ptr name,
//                                    i32 -1, ptr null, …)
//   call i32 @__cudaPushCallConfiguration(i64 grid, i32 grid.z, i64 block,
//                                         i32 block.z, i64 smem, ptr stream)
//   call i32 @__cudaPopCallConfiguration(ptr grid, ptr block, ptr smem,
//                                        ptr stream)
//   call i32 @cudaLaunchKernel(ptr stub, i64 grid, i32 grid.z, i64 block,
//                              i32 block.z, ptr args, i64 smem, ptr stream)
//
// where an i64 holds x in its lower half and y in its upper one. With -fgpu-rdc
// the linker makes the first three of all files':
//
//   @llvm.embedded.object = private constant [N x i8] c"…",
//                           section ".llvm.offloading"
//   @entry = weak constant { i64 0, i16 version, i16 2, i32 flags, ptr stub,
//                            ptr name, i64 0, i64, ptr },
//            section "llvm_offload_entries"
//
//===----------------------------------------------------------------------===//

#include "LaunchSites.h"

#include "CudaAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/OffloadBinary.h"

using namespace llvm;

namespace regdem {

namespace {

constexpr unsigned BlockXY = 3, BlockZ = 4, Shared = 6; // Of a launch.
constexpr unsigned PushedXY = 2, PushedZ = 3, PushedShared = 4;
constexpr unsigned PoppedBlock = 1, PoppedShared = 2;

/// Whether F has the form of cudaLaunchKernel() on x86-64, or of what programs
/// with a default stream for each thread call.
bool isLaunchFunction(const Function *F) {
  if (!F || (F->getName() != "cudaLaunchKernel" &&
             F->getName() != "cudaLaunchKernel_ptsz"))
    return false;
  LLVMContext &Context = F->getContext();
  Type *P = PointerType::getUnqual(Context), *I32 = Type::getInt32Ty(Context),
       *I64 = Type::getInt64Ty(Context);
  return F->getFunctionType() ==
         FunctionType::get(I32, {P, I64, I32, I64, I32, P, I64, P},
                           /*isVarArg=*/false);
}

/// The call by which U launches Stub itself; null where it does not.
CallBase *launchOf(Use &U) {
  auto *Call = dyn_cast<CallBase>(U.getUser());
  return Call && Call->isArgOperand(&U) && Call->getArgOperandNo(&U) == 0 &&
                 isLaunchFunction(Call->getCalledFunction())
             ? Call
             : nullptr;
}

/// Whether Call, of which the stub of a kernel is an argument, is about the
/// kernel itself and leaves its other launches as they are. What is asked stays
/// true: where an SM holds all blocks of the kernel, it holds those of a build,
/// which opts in to the GPU's shared memory by itself.
bool leavesLaunches(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return false;
  if (Callee->getName() == "cudaFuncSetAttribute" && Call.arg_size() == 3)
    if (const auto *Attribute = dyn_cast<ConstantInt>(Call.getArgOperand(1)))
      return Attribute->equalsInt(MaxDynamicShared);
  StringRef Name = Callee->getName();
  Name.consume_back("_ptsz");
  return StringSwitch<bool>(Name)
      .Cases({"cudaFuncGetAttributes",
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
              "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
              "cudaOccupancyAvailableDynamicSMemPerBlock",
              "cudaLaunchCooperativeKernel", "cudaLaunchKernelExC"},
             true)
      .Default(false);
}

constexpr StringLiteral EntrySection = "llvm_offload_entries";

/// Whether U is what an entry for the linker consists of, and nothing else.
bool isOfEntry(const User &U) {
  return isa<ConstantStruct>(U) && all_of(U.users(), [](const User *Of) {
           const auto *G = dyn_cast<GlobalVariable>(Of);
           return G && G->getSection() == EntrySection;
         });
}

/// Sorts the uses of Kernel's stub. Calls of the stub, as of any function, are
/// how `<<<>>>` reaches its launch.
void sortUses(HostKernel &Kernel) {
  for (Use &U : Kernel.Stub->uses()) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (CallBase *Launch = launchOf(U))
      Kernel.Launches.push_back(Launch);
    else if (isOfEntry(*U.getUser()))
      continue;
    else if (!Call || (Call != Kernel.Registration && !Call->isCallee(&U) &&
                       !leavesLaunches(*Call)))
      Kernel.MayLaunchBuilds = false;
  }
}

/// The last call of Name ahead of From, on the only way to it; null where it is
/// not known, or may be From's that other calls of the kind have taken.
const CallBase *callAhead(const Instruction &From, StringRef Name) {
  const BasicBlock *Block = From.getParent();
  const Instruction *At = From.getPrevNode();
  for (unsigned Steps = 0; Steps != 64; ++Steps) {
    while (!At) {
      Block = Block->getSinglePredecessor();
      if (!Block || Block == From.getParent())
        return nullptr;
      At = &Block->back();
    }
    if (const auto *Call = dyn_cast<CallBase>(At))
      if (const Function *Callee = Call->getCalledFunction()) {
        if (Callee->getName() == Name)
          return Call;
        if (Callee->getName() == "__cudaPopCallConfiguration" ||
            Callee->getName() == "__cudaPushCallConfiguration")
          return nullptr;
      }
    At = At->getPrevNode();
  }
  return nullptr;
}

/// x * y * z; none where one of the values is not constant.
std::optional<uint64_t> product(const Value *XY, const Value *Z) {
  const auto *Low = dyn_cast<ConstantInt>(XY);
  const auto *High = dyn_cast<ConstantInt>(Z);
  if (!Low || !High)
    return std::nullopt;
  uint64_t Both = Low->getZExtValue();
  return SaturatingMultiply(SaturatingMultiply(Both & UINT32_MAX, Both >> 32),
                            High->getZExtValue());
}

/// Whether V is loaded from the variable that Pop gets as operand Which.
bool isPopped(const Value *V, const CallBase &Pop, unsigned Which) {
  const auto *Load = dyn_cast<LoadInst>(V);
  return Load && getUnderlyingObject(Load->getPointerOperand()) ==
                     getUnderlyingObject(Pop.getArgOperand(Which));
}

/// The call that pushes what Launch, operands Popped of which were popped as
/// operand Which, gets; null where that is not known.
const CallBase *pushOf(const CallBase &Launch, ArrayRef<unsigned> Popped,
                       unsigned Which) {
  const CallBase *Pop = callAhead(Launch, "__cudaPopCallConfiguration");
  if (!Pop || !all_of(Popped, [&](unsigned Operand) {
        return isPopped(Launch.getArgOperand(Operand), *Pop, Which);
      }))
    return nullptr;
  return callAhead(*Pop, "__cudaPushCallConfiguration");
}

} // namespace

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

std::vector<const GlobalVariable *> findLinkedCode(const Module &M) {
  std::vector<const GlobalVariable *> Found;
  for (const GlobalVariable &G : M.globals())
    if (G.getSection() == ".llvm.offloading" && G.hasInitializer() &&
        isa<ConstantDataArray>(G.getInitializer()))
      Found.push_back(&G);
  return Found;
}

/// The kernel for which E is the linker's entry; none where it is a variable's
/// or not CUDA's.
static std::optional<HostKernel> kernelOfEntry(const GlobalVariable &E) {
  constexpr unsigned KindField = 2, StubField = 4, NameField = 5, NumFields = 9;
  if (E.getSection() != EntrySection || !E.hasInitializer() ||
      E.getInitializer()->getNumOperands() != NumFields)
    return std::nullopt;
  const Constant *Fields = E.getInitializer();
  const auto *Kind = dyn_cast<ConstantInt>(Fields->getOperand(KindField));
  auto *Stub = dyn_cast<Function>(Fields->getOperand(StubField));
  StringRef Name;
  if (!Kind || !Kind->equalsInt(object::OFK_Cuda) || !Stub ||
      !getConstantStringInfo(Fields->getOperand(NameField), Name))
    return std::nullopt;
  return HostKernel{Name.str(), Stub, /*Registration=*/nullptr, {}, true};
}

std::vector<HostKernel> findKernels(Module &M) {
  std::vector<HostKernel> Kernels;
  if (Function *Register = M.getFunction("__cudaRegisterFunction"))
    for (User *U : Register->users()) {
      auto *Call = dyn_cast<CallBase>(U);
      StringRef Name;
      if (!Call || Call->getCalledFunction() != Register ||
          Call->arg_size() != 10 ||
          !getConstantStringInfo(Call->getArgOperand(3), Name))
        continue;
      if (auto *Stub = dyn_cast<Function>(Call->getArgOperand(1)))
        Kernels.push_back({Name.str(), Stub, Call, {}, true});
    }
  std::reverse(Kernels.begin(), Kernels.end()); // Users are listed backwards.
  for (const GlobalVariable &G : M.globals())
    if (auto Kernel = kernelOfEntry(G))
      Kernels.push_back(std::move(*Kernel));
  for (HostKernel &K : Kernels)
    sortUses(K);
  return Kernels;
}

std::optional<uint64_t> constantBlockSize(const CallBase &Launch) {
  const Value *XY = Launch.getArgOperand(BlockXY);
  const Value *Z = Launch.getArgOperand(BlockZ);
  if (auto Threads = product(XY, Z))
    return Threads;
  const CallBase *Push = pushOf(Launch, {BlockXY, BlockZ}, PoppedBlock);
  return Push ? product(Push->getArgOperand(PushedXY),
                        Push->getArgOperand(PushedZ))
              : std::nullopt;
}

std::optional<uint64_t> constantDynamicShared(const CallBase &Launch) {
  const auto *Bytes = dyn_cast<ConstantInt>(Launch.getArgOperand(Shared));
  if (!Bytes)
    if (const CallBase *Push = pushOf(Launch, Shared, PoppedShared))
      Bytes = dyn_cast<ConstantInt>(Push->getArgOperand(PushedShared));
  return Bytes ? std::optional(Bytes->getZExtValue()) : std::nullopt;
}

} // namespace regdem
