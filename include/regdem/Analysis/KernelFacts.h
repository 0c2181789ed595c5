//===- KernelFacts.h - what a kernel states about itself --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads from the IR all that bears on demotion: how large a block may be, how
// much shared memory is taken, what the kernel calls. Facts only: whether a
// kernel is worth demoting is not asked here.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_KERNELFACTS_H
#define REGDEM_ANALYSIS_KERNELFACTS_H

#include "regdem/Analysis/ShownLaunches.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class Function;
class GlobalVariable;
class LoadInst;
class raw_ostream;
} // namespace llvm

namespace regdem {

struct Options;

/// Where the number of threads per block was learnt.
enum class BlockSizeSource {
  ReqNTID,    ///< The kernel's reqntid: every launch has exactly this shape.
  MaxNTID,    ///< The kernel's maxntid (launch bounds): no launch has more.
  Option,     ///< -regdem-block-size.
  Annotation, ///< annotate("regdem:block-size=…").
  Launch,     ///< A build for launches of this size (LaunchSize).
  Assumed     ///< Nowhere: AssumedThreads.
};

/// Threads a block by which kernels that state none are described and their
/// occupancy is told: a usual choice. Nothing is made for it in size.
inline constexpr unsigned AssumedThreads = 256;

llvm::StringRef toString(BlockSizeSource Source);

struct KernelFacts {
  std::string Name;
  /// Compute capability, 90 for sm_90; 0: none.
  unsigned Arch = 0;
  /// The target as clang and ptxas name it, such as "sm_90a".
  std::string ArchName;
  /// Most threads a block may be launched with, unless that is assumed; at
  /// least 1.
  unsigned Threads = 0;
  BlockSizeSource ThreadsFrom = BlockSizeSource::Assumed;
  /// Extents in x, y, z where ThreadsFrom is ReqNTID, else 0.
  unsigned Dims[3] = {0, 0, 0};
  /// Bytes for slots that launches add for each thread, where that is settled
  /// (LaunchSize).
  std::optional<unsigned> AddedBytes;
  /// Blocks per SM that the launch bounds ask for; 0: none.
  unsigned MinBlocks = 0;
  /// The kernel's own register cap (maxnreg); 0: none.
  unsigned MaxRegs = 0;
  /// Bytes of static shared memory of the kernel and all it can call.
  uint64_t StaticShared = 0;
  /// Bytes of local memory that a thread's variables take in the kernel itself,
  /// as the IR has them: arrays, mostly.
  uint64_t LocalBytes = 0;
  /// The kernel, or what it calls, declares dynamic shared memory, or host code
  /// shows launches that have some.
  bool UsesDynamicShared = false;
  /// Bytes of it that a launch takes at most, where the options state that.
  std::optional<unsigned> StatedDynamicShared;
  ShownLaunches Shown; ///< By host code.
  /// Calls a device function that is not inlined.
  bool HasCalls = false;
  bool HasIndirectCalls = false;
  /// Calls a function that this module only declares (device-linked code);
  /// the CUDA runtime's own printf, malloc, free and assert do not count.
  bool HasExternalCalls = false;
  /// The first such function, mangled.
  std::string ExternalCallee;
  /// A function that it calls may call itself, so that the memory that its
  /// calls take at a time is not known.
  bool HasRecursion = false;
  /// The address of a function that it calls is taken: ptxas makes it as for
  /// callers that it does not see.
  bool HasSharedCallees = false;
  /// Inline assembly of the kernel, of what it calls or of the file declares
  /// shared memory, which the IR does not show.
  bool HasAsmShared = false;
  /// Other files' host code may have the same stub, as that of a template: the
  /// linker keeps one, and the program runs the kernel of one of the files.
  bool MayShareStub = false;
  /// Uses variables in global or constant memory whose values may differ from
  /// those of another file's, as this module defines and does not fix them.
  bool UsesOwnVariables = false;
  /// Reads how much dynamic shared memory its launch has (%dynamic_smem_size).
  bool ReadsDynamicSize = false;
  /// Reads how much shared memory its launch has in all, static and dynamic
  /// (%total_smem_size, %aggr_smem_size).
  bool ReadsTotalSize = false;
  /// Host code says how much of an SM is shared memory, which may be no more
  /// than one block takes (cudaFuncCachePreferL1, carve-outs), or how much of
  /// it is dynamic, which may be all that a block can have.
  bool HostStatesShared = false;
  /// Reads %envreg, where the driver tells a cooperative launch about its grid:
  /// all its blocks have to be resident at once. So have those of a cluster.
  bool IsCooperative = false;
  /// Blocks may wait for each other without that, in loops that read what
  /// others write.
  bool MayWaitForBlocks = false;
  bool IsOptNone = false; ///< LLVM is told not to optimize it.
  /// Compiled for a debugger: ptxas does not optimize it.
  bool IsForDebugger = false;
  /// Changes its register count at run time (setmaxnreg).
  bool HasSetMaxNReg = false;
  /// Starts operations that write or read registers until they are waited for
  /// (wgmma, loads from and stores to tensor memory).
  bool HasAsyncRegisters = false;
  /// PTX that states it has text that is not understood.
  bool HasUnclearPtx = false;
  /// The kernel, or what it calls, enters some loop at two places (a goto into
  /// a loop, for example).
  bool HasIrreducibleFlow = false;

  /// Whether ptxas makes what the kernel calls for this kernel alone, as it
  /// does with its own code: under its cap, and in its section.
  bool ownsCallees() const {
    return !HasIndirectCalls && !HasExternalCalls && !HasRecursion &&
           !HasSharedCallees;
  }
  bool knowsBlockSize() const {
    return ThreadsFrom != BlockSizeSource::Assumed;
  }
  bool knowsDynamicShared() const {
    return !UsesDynamicShared || StatedDynamicShared;
  }
  /// What the bytes of all slots are a multiple of. Dynamic shared memory lies
  /// after them, in PTX of others static shared memory, too, and programs count
  /// on a start that no declaration asks for: 16 bytes for vectors, 128 for
  /// copies by TMA, 1024 for swizzled ones.
  unsigned regionUnit() const {
    return UsesDynamicShared ? 1024 : StaticShared ? 128 : 4;
  }
  bool knowsLaunch() const { return knowsBlockSize() && knowsDynamicShared(); }
  /// Whether launches add what threads take of shared memory to their dynamic
  /// shared memory, so that nothing of it depends on the block size.
  bool launchesAddShared() const {
    return ThreadsFrom == BlockSizeSource::Launch;
  }
  /// Whether the kernel itself limits its threads per block, as .minnctapersm
  /// needs it.
  bool statesBlockSize() const {
    return ThreadsFrom == BlockSizeSource::ReqNTID ||
           ThreadsFrom == BlockSizeSource::MaxNTID;
  }
};

/// Whether F is a kernel that code is generated for.
bool isKernel(const llvm::Function &F);

/// Whether Load is told to read, or its address space holds, what nobody writes
/// while the kernel runs.
bool readsInvariant(const llvm::LoadInst &Load);

/// Whether launches say how large G is, which is in shared memory.
bool isDynamicShared(const llvm::GlobalVariable &G);

/// Notes what Assembly, PTX of the kernel or of what it calls, shows by names
/// of instructions and special registers.
void noteAssembly(llvm::StringRef Assembly, KernelFacts &Facts);

/// Whether Name is that of one of the device runtime's system calls: they use
/// no shared memory of their own (CUDA C++ Programming Guide, "Formatted
/// output", "Dynamic memory allocation", "Assertion").
bool isRuntimeCall(llvm::StringRef Name);

/// The functions of Kernel's module that may run when it is launched: an
/// indirect call may reach all of which the address is taken.
llvm::SmallPtrSet<const llvm::Function *, 8>
functionsRunBy(const llvm::Function &Kernel);

/// The facts of kernel F; O supplies what the kernel does not state.
KernelFacts collectKernelFacts(const llvm::Function &F, const Options &O);

/// One "name: value" line per fact.
void print(llvm::raw_ostream &OS, const KernelFacts &Facts);

} // namespace regdem

#endif // REGDEM_ANALYSIS_KERNELFACTS_H
