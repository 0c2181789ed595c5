//===- SharedRoom.cpp - room for shared memory that was added -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   call i32 @cudaDeviceSetCacheConfig(i32 2)
//
// and other calls that say how much shared memory there is to be become, where
// one of the module's kernels has more than its source says,
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

/// The calls of Its in M that may be about shared memory: of
/// cudaFuncSetAttribute() those that do not state another attribute.
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
    if (!Stated || Stated->equalsInt(Carveout) ||
        Stated->equalsInt(MaxDynamicShared))
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

/// A launch's threads per block, and its own bytes of dynamic shared memory.
using LaunchOf = std::pair<unsigned, uint64_t>;

/// The largest launches of each kind that the kernel with Its record in Record
/// is for.
std::vector<LaunchOf> launchesOf(const ProgramRecord &Record,
                                 const KernelRecord &Its) {
  std::vector<LaunchOf> Launches;
  for (const KernelRecord &K : Record.Kernels)
    for (const LaunchRow &R : K.Rows)
      if (launchBuildName(K.Kernel, R.Build, Record.Tag) == Its.Kernel)
        for (unsigned Threads : {R.FromThreads, R.Threads})
          Launches.push_back({Threads, R.MostDynamic});
  if (Launches.empty())
    Launches.push_back({Its.Keep.Threads, Its.Keep.DynamicShared.value_or(0)});
  return Launches;
}

/// What the program's calls have to know of a kernel.
struct Room {
  unsigned Percent = 0;      ///< percentOf() the launches that take most.
  uint64_t StaticShared = 0; ///< Bytes of a block.
};

/// That of the kernel with Record in I; 0 percent: it has no more shared memory
/// than its source says.
Room roomIn(const DeviceImage &I, const KernelRecord &Record) {
  auto Its = I.Figures.find(Record.Kernel);
  const SMLimits *SM = lookupSMLimits(I.Arch);
  auto Recipe = expectedToOptional(parseRecipe(Record.Recipe));
  // Arrays take none in a kernel that any launch may take.
  bool MayHaveArrays = Recipe && has(Recipe->Rewrites, Rewrite::LowerArrays) &&
                       Record.Rows.empty();
  bool HasMore = I.Moved.count(Record.Kernel) || MayHaveArrays ||
                 (Recipe && Recipe->addsShared());
  if (Its == I.Figures.end() || !SM || !HasMore)
    return {};
  KernelFigures Figures = Its->second;
  Figures.ThreadBytes = Record.Expected.ThreadBytes;
  Room R{0, Figures.StaticShared};
  for (auto [Threads, Dynamic] : launchesOf(I.Record, Record))
    R.Percent = std::max(R.Percent, percentOf(Figures, Threads, Dynamic, *SM));
  return R;
}

/// What Kernel's stub, or that of its build, is in M; null: none.
Constant *stubOf(Module &M, StringRef Kernel, ArrayRef<HostKernel> Kernels) {
  for (const HostKernel &K : Kernels)
    if (K.Name == Kernel)
      return K.Stub;
  return M.getNamedGlobal(("__regdem_stub." + Kernel).str());
}

/// Kernels with shared memory that RegDem has given them, by their stubs, each
/// with what it takes on the GPU on which that is most.
MapVector<Constant *, Room> roomsOf(Module &M, const DeviceCode &Code,
                                    ArrayRef<HostKernel> Kernels) {
  MapVector<Constant *, Room> Rooms;
  for (const DeviceImage &I : Code.Images)
    for (const KernelRecord &Record : I.Record.Kernels) {
      Room Its = roomIn(I, Record);
      Constant *Stub =
          Its.Percent ? stubOf(M, Record.Kernel, Kernels) : nullptr;
      if (!Stub)
        continue;
      Room &Most = Rooms[Stub];
      Most.Percent = std::max(Most.Percent, Its.Percent);
      Most.StaticShared = std::max(Most.StaticShared, Its.StaticShared);
    }
  return Rooms;
}

/// Defines what CacheConfig.c asks of its module.
void define(Module &M, const MapVector<Constant *, Room> &Rooms) {
  Type *I32 = Type::getInt32Ty(M.getContext());
  auto Number = [I32](uint64_t N) { return ConstantInt::get(I32, N); };
  std::vector<Constant *> List;
  for (auto [Stub, Its] : Rooms)
    List.push_back(ConstantStruct::getAnon(
        {Stub, Number(Its.Percent), Number(Its.StaticShared), Number(0)}));
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
  MapVector<Constant *, Room> Rooms = roomsOf(M, Code, Kernels);
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
