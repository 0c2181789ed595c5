//===- KernelFacts.cpp - what a kernel states about itself ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/KernelFacts.h"

#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Options.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "regdem/Target/SMLimits.h"
#include "regdem/Toolchain/Invocation.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <iterator>

using namespace llvm;

namespace regdem {

StringRef toString(BlockSizeSource Source) {
  // In the order of BlockSizeSource.
  static constexpr StringLiteral Names[] = {"reqntid",    "maxntid", "option",
                                            "annotation", "launch",  "assumed"};
  static_assert(std::size(Names) ==
                static_cast<unsigned>(BlockSizeSource::Assumed) + 1);
  return Names[static_cast<unsigned>(Source)];
}

bool isKernel(const Function &F) {
  return !F.isDeclaration() && F.getCallingConv() == CallingConv::PTX_Kernel;
}

bool readsInvariant(const LoadInst &Load) {
  return Load.hasMetadata(LLVMContext::MD_invariant_load) ||
         Load.getPointerAddressSpace() == AddressSpace::Const ||
         Load.getPointerAddressSpace() == AddressSpace::Param;
}

/// Whether assembly or an intrinsic leaves an operation under way that writes
/// or reads registers until another instruction has waited for it
/// ("wgmma.mma_async {registers}, …", "llvm.nvvm.tcgen05.ld…").
static bool usesRegistersLater(StringRef Operation) {
  return Operation.contains("wgmma.") || Operation.contains("tcgen05.ld") ||
         Operation.contains("tcgen05.st");
}

bool isDynamicShared(const GlobalVariable &G) {
  return G.getAddressSpace() == AddressSpace::Shared &&
         (G.isDeclaration() ||
          !G.getDataLayout().getTypeAllocSize(G.getValueType()));
}

/// Whether Operation is for blocks of a cluster, which wait for each other
/// ("barrier.cluster.arrive", "mov.u32 %r0, %cluster_ctarank",
/// "llvm.nvvm.read.ptx.sreg.cluster…").
static bool isOfCluster(StringRef Operation) {
  return Operation.contains("barrier.cluster") ||
         Operation.contains("%cluster") || Operation.contains("sreg.cluster");
}

void noteAssembly(StringRef Assembly, KernelFacts &Facts) {
  Facts.HasSetMaxNReg |= Assembly.contains("setmaxnreg");
  Facts.HasAsyncRegisters |= usesRegistersLater(Assembly);
  Facts.IsCooperative |= Assembly.contains("%envreg") || isOfCluster(Assembly);
  Facts.ReadsDynamicSize |= Assembly.contains("%dynamic_smem_size");
  Facts.ReadsTotalSize |= Assembly.contains("%total_smem_size") ||
                          Assembly.contains("%aggr_smem_size");
}

bool isRuntimeCall(StringRef Name) {
  return is_contained({"vprintf", "malloc", "free", "__assertfail"}, Name);
}

namespace {

/// Functions, each once, in the order in which they are found.
using CallList = SetVector<const Function *>;

/// Reads "x", "x,y" or "x,y,z"; missing extents are 1. False when the
/// attribute is absent or says nothing: no number, or no thread.
bool readExtents(const Function &F, StringRef Attribute, unsigned (&Dims)[3]) {
  if (!F.hasFnAttribute(Attribute))
    return false;
  SmallVector<StringRef, 3> Parts;
  F.getFnAttribute(Attribute).getValueAsString().split(Parts, ',');
  if (Parts.size() > 3)
    return false;
  std::fill(std::begin(Dims), std::end(Dims), 1u);
  for (unsigned I = 0; I != Parts.size(); ++I)
    if (Parts[I].trim().getAsInteger(10, Dims[I]) || Dims[I] == 0)
      return false;
  return true;
}

/// Threads of a block with these extents; as many as there are numbers for
/// where they are too many.
unsigned countThreads(const unsigned (&Dims)[3]) {
  return SaturatingMultiply(SaturatingMultiply(Dims[0], Dims[1]), Dims[2]);
}

void collectBlockSize(const Function &F, const Options &O, KernelFacts &Facts) {
  unsigned Dims[3];
  if (O.BlockSizeOfLaunch) { // Whatever the kernel's own limit is.
    Facts.Threads = O.BlockSize;
    Facts.ThreadsFrom = BlockSizeSource::Launch;
    if (auto Its = launchSize(F))
      Facts.AddedBytes = Its->AddedBytes;
  } else if (readExtents(F, "nvvm.reqntid", Dims)) {
    std::copy(Dims, Dims + 3, Facts.Dims);
    Facts.Threads = countThreads(Dims);
    Facts.ThreadsFrom = BlockSizeSource::ReqNTID;
  } else if (readExtents(F, "nvvm.maxntid", Dims)) {
    // PTX limits the product of the extents only: (16,16) may be launched
    // under .maxntid 256. So the extents say nothing about the shape.
    Facts.Threads = countThreads(Dims);
    Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  } else if (O.BlockSize) {
    Facts.Threads = O.BlockSize;
    Facts.ThreadsFrom = O.BlockSizeAnnotated ? BlockSizeSource::Annotation
                                             : BlockSizeSource::Option;
  } else {
    Facts.Threads = AssumedThreads;
    Facts.ThreadsFrom = BlockSizeSource::Assumed;
  }
}

/// Whether assembly declares a variable in shared memory. Instructions have
/// .shared after their name (ld.shared), declarations after a blank.
bool declaresShared(StringRef Assembly) {
  return Regex("(^|[^A-Za-z0-9_$.:])\\.shared($|[^A-Za-z0-9_:])")
      .match(Assembly);
}

void visitCall(const CallBase &Call, KernelFacts &Facts, CallList &Callees) {
  if (Call.isInlineAsm()) {
    StringRef Assembly =
        cast<InlineAsm>(Call.getCalledOperand())->getAsmString();
    noteAssembly(Assembly, Facts);
    Facts.HasAsmShared |= declaresShared(Assembly);
    return;
  }
  const Function *Callee = Call.getCalledFunction();
  if (Callee && Callee->getName().starts_with("__nvvm_reflect"))
    return; // LLVM puts a constant in its place before it generates code.
  if (!Callee) {
    Facts.HasCalls = Facts.HasIndirectCalls = true;
    return;
  }
  if (Callee->isIntrinsic()) {
    Facts.HasAsyncRegisters |= usesRegistersLater(Callee->getName());
    Facts.IsCooperative |= isOfCluster(Callee->getName());
  }
  switch (Callee->getIntrinsicID()) {
  case Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32:
  case Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32:
    Facts.HasSetMaxNReg = true;
    return;
  case Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size:
    Facts.ReadsDynamicSize = true;
    return;
  case Intrinsic::nvvm_read_ptx_sreg_total_smem_size:
  case Intrinsic::nvvm_read_ptx_sreg_aggr_smem_size:
    Facts.ReadsTotalSize = true;
    return;
  case Intrinsic::nvvm_read_ptx_sreg_envreg1:
  case Intrinsic::nvvm_read_ptx_sreg_envreg2:
    Facts.IsCooperative = true;
    return;
  case Intrinsic::not_intrinsic:
    break;
  default:
    return;
  }
  Facts.HasCalls = true;
  if (!Callee->isDeclaration()) {
    Callees.insert(Callee);
  } else if (!isRuntimeCall(Callee->getName()) && !Facts.HasExternalCalls) {
    Facts.HasExternalCalls = true;
    Facts.ExternalCallee = Callee->getName().str();
  }
}

/// Functions that can run when Root is launched, in the order found. An
/// indirect call may reach every function of the module whose address is
/// taken.
CallList reachableFunctions(const Function &Root, KernelFacts &Facts) {
  CallList Reachable;
  Reachable.insert(&Root);
  bool AddedIndirect = false;
  for (unsigned I = 0; I != Reachable.size(); ++I) {
    const Function *F = Reachable[I];
    for (const Instruction &Inst : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&Inst))
        visitCall(*Call, Facts, Reachable);
    if (Facts.HasIndirectCalls && !AddedIndirect) {
      AddedIndirect = true;
      for (const Function &Other : *Root.getParent())
        if (!Other.isDeclaration() && Other.hasAddressTaken())
          Reachable.insert(&Other);
    }
  }
  return Reachable;
}

void collectSharedMemory(const Module &M, const UsedVariables &Used,
                         KernelFacts &Facts) {
  const DataLayout &DL = M.getDataLayout();
  for (const GlobalVariable &G : M.globals()) {
    if (G.getAddressSpace() != AddressSpace::Shared || !Used.contains(&G))
      continue;
    if (isDynamicShared(G))
      Facts.UsesDynamicShared = true;
    else
      Facts.StaticShared =
          alignTo(Facts.StaticShared, DL.getPreferredAlign(&G)) +
          DL.getTypeAllocSize(G.getValueType());
  }
}

/// Whether one of Used is a variable in global or constant memory whose value
/// its module does not fix. The host may set what is initialized externally, as
/// all `__constant__` variables are.
bool areOwnVariables(const UsedVariables &Used) {
  return any_of(Used, [&](const GlobalVariable *G) {
    return !G->isDeclaration() &&
           G->getAddressSpace() != AddressSpace::Shared &&
           !G->getName().starts_with("llvm.") &&
           (!G->isConstant() || G->isExternallyInitialized());
  });
}

/// Whether Name is that of a function with internal linkage, as the Itanium ABI
/// and clang mangle it: static ("_ZL1k…", "_ZN5space…L1k…"), or with an unnamed
/// namespace in its name or type.
bool isInternalName(StringRef Name) {
  if (Name.contains("12_GLOBAL__N_1"))
    return true;
  if (!Name.consume_front("_Z"))
    return false;
  unsigned Length;
  if (Name.consume_front("N"))
    while (!Name.consumeInteger(10, Length))
      Name = Name.substr(Length);
  return Name.starts_with("L");
}

/// Whether the stub of kernel F may be weak. clang makes kernels external in
/// device code, whatever they are in host code, but gives those a COMDAT that
/// are not plain external ones: instances of templates, inline and static ones.
/// With -fgpu-rdc the latter are weak, and have names that no other file has.
bool mayShareStub(const Function &F) {
  return (F.isWeakForLinker() || F.hasComdat()) && !isInternalName(F.getName());
}

uint64_t localBytes(const Function &F) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  uint64_t Bytes = 0;
  for (const Instruction &I : instructions(F))
    if (const auto *Variable = dyn_cast<AllocaInst>(&I))
      if (auto Size = Variable->getAllocationSize(DL))
        Bytes += Size->getFixedValue();
  return Bytes;
}

/// Whether ptxas is to make a debugger's code of M. Lines alone ask for that
/// only where clang compiles, which has another kind of them for optimized
/// device code.
bool isForDebugger(const Module &M) {
  static const bool LinesAsk = isClang(readInvocation());
  return any_of(M.debug_compile_units(), [](const DICompileUnit *Unit) {
    return Unit->getEmissionKind() == DICompileUnit::FullDebug ||
           (LinesAsk &&
            Unit->getEmissionKind() == DICompileUnit::LineTablesOnly);
  });
}

/// Whether blocks of Kernel come in clusters of several.
bool hasClusters(const Function &Kernel) {
  unsigned Dims[3];
  return Kernel.hasFnAttribute("nvvm.blocksareclusters") ||
         (readExtents(Kernel, "nvvm.cluster_dim", Dims) &&
          countThreads(Dims) > 1);
}

/// Instructions of a loop on which depends whether a thread leaves it.
class ExitSlice {
public:
  ExitSlice(const Loop &L, const DominatorTree &Dominators)
      : L(L), Dominators(Dominators) {}

  /// Whether one of them may have been told by another thread.
  bool readsMemory() {
    SmallVector<BasicBlock *, 4> Exiting;
    L.getExitingBlocks(Exiting);
    if (Exiting.empty())
      return true; // It is left by a trap, or by nothing that shows.
    for (const BasicBlock *B : Exiting) {
      add(*B->getTerminator());
      if (!isInEachIteration(*B))
        addBranches();
    }
    for (size_t I = 0; I != Slice.size(); ++I) {
      const Instruction &At = *Slice[I];
      bool IsFixed = At.hasMetadata(LLVMContext::MD_invariant_load);
      // What assembly says of memory is not asked.
      bool IsCall = isa<CallBase>(At) && !isa<IntrinsicInst>(At);
      if (IsCall || (At.mayReadFromMemory() && !IsFixed))
        return true;
      for (const Use &Operand : At.operands())
        if (const auto *Def = dyn_cast<Instruction>(Operand))
          add(*Def);
      if (isa<PHINode>(At) && !isCounter(At))
        addBranches();
    }
    return false;
  }

private:
  const Loop &L;
  const DominatorTree &Dominators;
  SetVector<const Instruction *> Slice;

  void add(const Instruction &I) {
    if (L.contains(&I))
      Slice.insert(&I);
  }

  bool isInEachIteration(const BasicBlock &B) const {
    return all_of(predecessors(L.getHeader()), [&](const BasicBlock *From) {
      return !L.contains(From) || Dominators.dominates(&B, From);
    });
  }

  /// Whether the value of Phi, in L, is not up to a branch in L.
  bool isCounter(const Instruction &Phi) const {
    return Phi.getParent() == L.getHeader() && L.getLoopLatch();
  }

  void addBranches() {
    for (const BasicBlock *B : L.blocks())
      add(*B->getTerminator());
  }
};

/// Whether F, whose flow is reducible and whose loops are Loops, may have a
/// thread wait for what another block does. Blocks that are all resident at
/// once may wait for each other, whatever CUDA promises: programs make barriers
/// of a grid themselves.
///
///   atomicAdd(arrived, 1);                    no other block has to run for
///   while (*(volatile int *)arrived < all)    for (i = 0; i < n; ++i)
///     ;                                         sum += in[i];
///
/// A build that leaves fewer of them resident would hang. A thread waits in a
/// loop that it leaves by what it reads there; without such a loop none waits.
bool mayWaitForBlocks(const Function &F, const DominatorTree &Dominators,
                      const LoopInfo &Loops) {
  bool HasAsmLoop = any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const auto *Text =
        Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    return Text && StringRef(Text->getAsmString()).contains("bra");
  });
  return HasAsmLoop || any_of(Loops.getLoopsInPreorder(), [&](const Loop *L) {
           return ExitSlice(*L, Dominators).readsMemory();
         });
}

/// Notes what the loops of F say.
void visitLoops(const Function &F, KernelFacts &Facts) {
  DominatorTree Dominators(const_cast<Function &>(F)); // Only reads F.
  LoopInfo Loops(Dominators);
  ReversePostOrderTraversal<const Function *> Order(&F);
  bool IsIrreducible = containsIrreducibleCFG<const BasicBlock *>(Order, Loops);
  Facts.HasIrreducibleFlow |= IsIrreducible;
  Facts.MayWaitForBlocks |=
      IsIrreducible || mayWaitForBlocks(F, Dominators, Loops);
}

} // namespace

SmallPtrSet<const Function *, 8> functionsRunBy(const Function &Kernel) {
  KernelFacts Facts;
  CallList Functions = reachableFunctions(Kernel, Facts);
  return {Functions.begin(), Functions.end()};
}

KernelFacts collectKernelFacts(const Function &F, const Options &O) {
  KernelFacts Facts;
  Facts.Name = F.getName().str();
  Facts.ArchName = F.getFnAttribute("target-cpu").getValueAsString().str();
  Facts.Arch = parseArch(Facts.ArchName);
  collectBlockSize(F, O, Facts);
  Facts.MinBlocks =
      static_cast<unsigned>(F.getFnAttributeAsParsedInteger("nvvm.minctasm"));
  Facts.MaxRegs =
      static_cast<unsigned>(F.getFnAttributeAsParsedInteger("nvvm.maxnreg"));
  Facts.IsCooperative = hasClusters(F);
  Facts.HasAsmShared = declaresShared(F.getParent()->getModuleInlineAsm());
  CallList Functions = reachableFunctions(F, Facts);
  const UsedVariables Used =
      usedVariables(Functions.getArrayRef(), *F.getParent());
  collectSharedMemory(*F.getParent(), Used, Facts);
  Facts.Shown = shownLaunches(F);
  Facts.UsesDynamicShared |= Facts.Shown.MostDynamic != 0;
  Facts.MayShareStub = mayShareStub(F);
  Facts.UsesOwnVariables = areOwnVariables(Used);
  Facts.LocalBytes = localBytes(F);
  CalledFunctions Called = calledFunctions(F);
  Facts.HasRecursion = mayCallThemselves(Called);
  Facts.HasSharedCallees =
      any_of(Called, [](const Function *G) { return G->hasAddressTaken(); });
  Facts.IsOptNone = F.hasOptNone();
  Facts.IsForDebugger = isForDebugger(*F.getParent());
  Facts.StatedDynamicShared = O.DynamicSmem;
  Facts.MayWaitForBlocks = Facts.HasIndirectCalls || Facts.HasExternalCalls;
  for (const Function *G : Functions)
    visitLoops(*G, Facts);
  return Facts;
}

void print(raw_ostream &OS, const KernelFacts &Facts) {
  auto YesNo = [](bool B) { return B ? "yes" : "no"; };
  OS << "kernel: " << Facts.Name << "\n"
     << "arch: " << Facts.ArchName << "\n"
     << "threads: " << Facts.Threads << " (" << toString(Facts.ThreadsFrom)
     << ")\n";
  if (Facts.Dims[0])
    OS << "block: " << Facts.Dims[0] << "x" << Facts.Dims[1] << "x"
       << Facts.Dims[2] << "\n";
  OS << "min-blocks: " << Facts.MinBlocks << "\n"
     << "max-regs: " << Facts.MaxRegs << "\n"
     << "static-shared: " << Facts.StaticShared << " bytes\n"
     << "dynamic-shared: " << YesNo(Facts.UsesDynamicShared) << "\n"
     << "calls: " << YesNo(Facts.HasCalls) << "\n"
     << "indirect-calls: " << YesNo(Facts.HasIndirectCalls) << "\n"
     << "external-calls: " << YesNo(Facts.HasExternalCalls) << "\n"
     << "recursion: " << YesNo(Facts.HasRecursion) << "\n"
     << "shared-callees: " << YesNo(Facts.HasSharedCallees) << "\n"
     << "setmaxnreg: " << YesNo(Facts.HasSetMaxNReg) << "\n"
     << "async-registers: " << YesNo(Facts.HasAsyncRegisters) << "\n"
     << "cooperative: " << YesNo(Facts.IsCooperative) << "\n"
     << "blocks-may-wait: " << YesNo(Facts.MayWaitForBlocks) << "\n"
     << "reads-dynamic-size: " << YesNo(Facts.ReadsDynamicSize) << "\n"
     << "reads-total-size: " << YesNo(Facts.ReadsTotalSize) << "\n"
     << "shared-in-asm: " << YesNo(Facts.HasAsmShared) << "\n"
     << "may-share-stub: " << YesNo(Facts.MayShareStub) << "\n"
     << "own-variables: " << YesNo(Facts.UsesOwnVariables) << "\n"
     << "irreducible-flow: " << YesNo(Facts.HasIrreducibleFlow) << "\n";
}

} // namespace regdem
