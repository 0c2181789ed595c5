//===- SharedRoom.cpp - room for shared memory that was added -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   call i32 @cudaDeviceSetCacheConfig(i32 2)
//
// becomes, where one of the module's kernels has more shared memory than its
// source says,
//
//   call i32 @__regdem_device_cache_config(i32 2)
//
// and CacheConfig.c is linked into the module. Calls of other files do not know
// of these kernels.
//
//===----------------------------------------------------------------------===//

#include "ModuleEdits.h"

#include "CudaAttributes.h"
#include "regdem/Decision/Builds/Recipe.h"
#include "regdem/Target/Occupancy.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regdem {

namespace {

constexpr unsigned char CacheConfigCode[] = {
#include "CacheConfig.inc"
};

/// A function of the runtime and what is called in its place.
struct Replaced {
  const char *Its, *Ours;
};
constexpr Replaced Functions[] = {
    {"cudaDeviceSetCacheConfig", "__regdem_device_cache_config"},
    {"cudaFuncSetCacheConfig", "__regdem_function_cache_config"},
    {"cudaFuncSetAttribute", "__regdem_function_attribute"}};

/// The calls of Its in M that may be about L1: of cudaFuncSetAttribute() those
/// that do not state another attribute.
std::vector<CallBase *> callsOf(const Module &M, StringRef Its) {
  std::vector<CallBase *> Calls;
  Function *F = M.getFunction(Its);
  if (!F || !F->isDeclaration())
    return Calls;
  for (User *U : F->users()) {
    auto *Call = dyn_cast<CallBase>(U);
    if (!Call || Call->getCalledFunction() != F)
      continue;
    const auto *Stated = Call->arg_size() == 3
                             ? dyn_cast<ConstantInt>(Call->getArgOperand(1))
                             : nullptr;
    if (!Stated || Stated->equalsInt(Carveout))
      Calls.push_back(Call);
  }
  return Calls;
}

/// Percent of an SM's shared memory that the blocks of a kernel with K take, of
/// Threads threads and with Dynamic bytes of their launch's own.
unsigned percentOf(const KernelFigures &K, unsigned Threads, uint64_t Dynamic,
                   const SMLimits &SM) {
  unsigned Blocks = residentBlocks(SM, K, Threads, Dynamic);
  uint64_t Launch = Dynamic + uint64_t(K.ThreadBytes) * Threads;
  uint64_t Bytes = K.StaticShared + Launch + SM.ReservedSharedBytesPerBlock;
  return static_cast<unsigned>(
      divideCeil(100 * Blocks * alignTo(Bytes, SM.SharedGranuleBytes),
                 SM.SharedBytesPerSM));
}

/// The same of the kernel with Record in I; 0: it has no more shared memory
/// than its source says.
unsigned percentIn(const DeviceImage &I, const KernelRecord &Record) {
  auto Its = I.Figures.find(Record.Kernel);
  const SMLimits *SM = lookupSMLimits(I.Arch);
  auto Recipe = expectedToOptional(parseRecipe(Record.Recipe));
  // Arrays take none in a kernel that any launch may take.
  bool MayHaveArrays = Recipe && has(Recipe->Rewrites, Rewrite::LowerArrays) &&
                       Record.Rows.empty();
  bool HasMore = I.Moved.count(Record.Kernel) || MayHaveArrays ||
                 (Recipe && Recipe->addsShared());
  if (Its == I.Figures.end() || !SM || !HasMore)
    return 0;
  KernelFigures Figures = Its->second;
  Figures.ThreadBytes = Record.Expected.ThreadBytes;
  return percentOf(Figures, Record.Keep.Threads,
                   Record.Keep.DynamicShared.value_or(0), *SM);
}

/// What Kernel's stub, or that of its build, is in M; null: none.
Constant *stubOf(Module &M, StringRef Kernel, ArrayRef<HostKernel> Kernels) {
  for (const HostKernel &K : Kernels)
    if (K.Name == Kernel)
      return K.Stub;
  return M.getNamedGlobal(("__regdem_stub." + Kernel).str());
}

/// Kernels with shared memory that RegDem has given them: the percent that
/// their blocks take on the GPU on which that is most, by their stubs.
MapVector<Constant *, unsigned> roomsOf(Module &M, const DeviceCode &Code,
                                        ArrayRef<HostKernel> Kernels) {
  MapVector<Constant *, unsigned> Rooms;
  for (const DeviceImage &I : Code.Images)
    for (const KernelRecord &R : I.Record.Kernels)
      if (unsigned Percent = percentIn(I, R))
        if (Constant *Stub = stubOf(M, R.Kernel, Kernels))
          Rooms[Stub] = std::max(Rooms[Stub], Percent);
  return Rooms;
}

/// Defines what CacheConfig.c asks of its module.
void define(Module &M, const MapVector<Constant *, unsigned> &Rooms) {
  Type *I32 = Type::getInt32Ty(M.getContext());
  auto Number = [I32](uint64_t N) { return ConstantInt::get(I32, N); };
  std::vector<Constant *> List;
  for (auto [Stub, Percent] : Rooms)
    List.push_back(ConstantStruct::getAnon({Stub, Number(Percent), Number(0)}));
  auto Define = [&M](const char *Name, Constant *Value, bool IsConstant) {
    new GlobalVariable(M, Value->getType(), IsConstant,
                       GlobalValue::ExternalLinkage, Value, Name);
  };
  auto *Type = ArrayType::get(List.front()->getType(), List.size());
  Define("__regdem_rooms", ConstantArray::get(Type, List), false);
  Define("__regdem_num_rooms", Number(List.size()), true);
}

} // namespace

bool keepSharedRoom(Module &M, const DeviceCode &Code,
                    ArrayRef<HostKernel> Kernels) {
  std::vector<std::pair<CallBase *, const char *>> Calls;
  for (const Replaced &F : Functions)
    for (CallBase *Call : callsOf(M, F.Its))
      Calls.push_back({Call, F.Ours});
  if (Calls.empty())
    return false;
  MapVector<Constant *, unsigned> Rooms = roomsOf(M, Code, Kernels);
  if (Rooms.empty())
    return false;
  define(M, Rooms);
  linkCode(M, {CacheConfigCode});
  for (auto [Call, Ours] : Calls)
    if (Function *F = M.getFunction(Ours);
        F->getFunctionType() == Call->getFunctionType())
      Call->setCalledFunction(F);
  return true;
}

} // namespace regdem
