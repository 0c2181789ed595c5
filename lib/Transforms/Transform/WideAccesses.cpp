//===- WideAccesses.cpp - memory accesses as nvcc has them ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/WideAccesses.h"

#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace regdem {

/// The bytes of a thread's widest access, and its alignment.
static constexpr uint64_t Widest = WidestAccess.value();

/// LLVM copies more bytes than that in a loop.
static constexpr uint64_t LongestCopy = 128;

/// Where a block's dynamic shared memory is aligned to: ptxas places it behind
/// the other variables at such a multiple, whatever its declaration says.
static constexpr Align DynamicSharedAlign = WidestAccess;

/// The declarations of dynamic shared memory that Kernel uses and nothing that
/// it calls, with less than its alignment.
static SmallVector<GlobalVariable *, 2> underAligned(Function &Kernel) {
  Module &M = *Kernel.getParent();
  SmallVector<GlobalVariable *, 2> Found;
  auto IsDynamic = [&M](const GlobalVariable &G) { // Not of another file.
    return G.getAddressSpace() == AddressSpace::Shared && G.isDeclaration() &&
           M.getDataLayout().getTypeAllocSize(G.getValueType()).isZero();
  };
  for (GlobalVariable &G : M.globals())
    if (IsDynamic(G) && G.getAlign().valueOrOne() < DynamicSharedAlign)
      Found.push_back(&G);
  if (Found.empty()) // As in most modules.
    return Found;
  CalledFunctions Called = calledFunctions(Kernel);
  UsedVariables Own = usedVariables(&Kernel, M);
  UsedVariables Others = usedVariables(
      SmallVector<const Function *>(Called.begin(), Called.end()), M);
  erase_if(Found, [&](const GlobalVariable *G) {
    return !Own.contains(G) || Others.contains(G);
  });
  return Found;
}

/// Has Kernel use a declaration of G's memory that states the alignment; other
/// kernels keep theirs. All such declarations name the same address.
static void alignIn(Function &Kernel, GlobalVariable &G) {
  Module &M = *Kernel.getParent();
  std::string Name = ("__regdem_aligned_" + G.getName()).str();
  GlobalVariable *Aligned = M.getGlobalVariable(Name);
  if (!Aligned) {
    Aligned =
        new GlobalVariable(M, G.getValueType(), /*isConstant=*/false,
                           GlobalValue::ExternalLinkage, nullptr, Name,
                           /*InsertBefore=*/nullptr,
                           GlobalValue::NotThreadLocal, G.getAddressSpace());
    Aligned->copyAttributesFrom(&G);
    Aligned->setAlignment(DynamicSharedAlign);
  }
  convertUsersOfConstantsToInstructions(&G, &Kernel);
  G.replaceUsesWithIf(Aligned, [&Kernel](const Use &U) {
    const auto *I = dyn_cast<Instruction>(U.getUser());
    return I && I->getFunction() == &Kernel;
  });
}

/// A matrix load or store of a warp with a generic address.
static IntrinsicInst *genericMatrixAccess(Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call ||
      !Call->getCalledFunction()->getName().starts_with("llvm.nvvm.wmma."))
    return nullptr;
  auto *Address = dyn_cast<PointerType>(Call->getArgOperand(0)->getType());
  return Address && Address->getAddressSpace() == AddressSpace::Generic
             ? Call
             : nullptr;
}

/// Whether all that the generic Address may point to is known to be in one
/// address space, as far as can be told at once: a variable, or what the kernel
/// was given.
static bool mayHaveSpace(const Value &Address) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Address, Objects);
  return all_of(Objects, [](const Value *O) {
    return O->getType()->getPointerAddressSpace() != AddressSpace::Generic ||
           isa<Argument>(O);
  });
}

/// Call with the address space of Address in the place of its own.
static void replaceAddress(IntrinsicInst &Call, Value &Address) {
  SmallVector<Value *, 12> Arguments(Call.args());
  Arguments.front() = &Address;
  IRBuilder<> At(&Call);
  CallInst *New =
      At.CreateIntrinsic(Call.getIntrinsicID(), Address.getType(), Arguments);
  New->copyMetadata(Call);
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

/// Gives matrix accesses the address space that LLVM infers for loads and
/// stores: it does for a load in the place of each.
static bool inferMatrixSpaces(Function &Kernel, FunctionAnalysisManager &FAM) {
  SmallVector<std::pair<IntrinsicInst *, LoadInst *>, 32> Accesses;
  for (Instruction &I : instructions(Kernel))
    if (IntrinsicInst *Call = genericMatrixAccess(I))
      Accesses.emplace_back(Call, nullptr);
  if (Accesses.empty())
    return false;
  for (auto &[Call, Probe] : Accesses) {
    IRBuilder<> At(Call);
    Probe = At.CreateLoad(At.getInt8Ty(), Call->getArgOperand(0));
  }
  InferAddressSpacesPass().run(Kernel, FAM);
  bool Changed = false;
  for (auto [Call, Probe] : Accesses) {
    if (Probe->getPointerAddressSpace() != AddressSpace::Generic) {
      replaceAddress(*Call, *Probe->getPointerOperand());
      Changed = true;
    }
    Probe->eraseFromParent();
  }
  return Changed;
}

namespace {

/// One address of an access of constant size.
struct Accessed {
  Value *Address;
  Align Stated;
  uint64_t Bytes;
};

} // namespace

/// The addresses of I that have less than their bytes' alignment.
static SmallVector<Accessed, 2> narrowAddresses(Instruction &I,
                                                const DataLayout &Layout) {
  SmallVector<Accessed, 2> All;
  if (Value *Address = getLoadStorePointerOperand(&I)) {
    TypeSize Bytes = Layout.getTypeStoreSize(getLoadStoreType(&I));
    All.push_back({Address, getLoadStoreAlignment(&I), Bytes});
  } else if (auto *Copy = dyn_cast<MemCpyInst>(&I)) {
    if (auto Bytes = Copy->getLengthInBytes()) {
      All.push_back({Copy->getRawDest(), Copy->getDestAlign().valueOrOne(),
                     Bytes->getLimitedValue()});
      All.push_back({Copy->getRawSource(), Copy->getSourceAlign().valueOrOne(),
                     Bytes->getLimitedValue()});
    }
  }
  erase_if(All, [](const Accessed &A) {
    return A.Stated.value() >= std::min(Widest, PowerOf2Ceil(A.Bytes));
  });
  return All;
}

/// The alignment that is known of A at I.
static Align knownAlign(const Accessed &A, const Instruction &I,
                        const DataLayout &Layout) {
  return std::min(getKnownAlignment(A.Address, Layout, &I), Align(Widest));
}

/// States the alignment that is known of I's addresses; whether it is more than
/// was stated.
static bool stateAlignment(Instruction &I, const DataLayout &Layout) {
  bool Changed = false;
  for (const Accessed &A : narrowAddresses(I, Layout)) {
    Align Known = knownAlign(A, I, Layout);
    if (Known <= A.Stated)
      continue;
    Changed = true;
    if (auto *Copy = dyn_cast<MemCpyInst>(&I)) {
      if (A.Address == Copy->getRawDest())
        Copy->setDestAlignment(Known);
      if (A.Address == Copy->getRawSource())
        Copy->setSourceAlignment(Known);
    } else {
      setLoadStoreAlignment(&I, Known);
    }
  }
  return Changed;
}

/// Whether code selection copies in several narrower accesses what Copy could
/// in one for each Widest bytes.
static bool isWideCopy(const MemCpyInst &Copy) {
  auto IsAccessible = [](unsigned Space) {
    return Space == AddressSpace::Generic || Space == AddressSpace::Global ||
           Space == AddressSpace::Shared || Space == AddressSpace::Local;
  };
  auto Bytes = Copy.getLengthInBytes();
  return !Copy.isVolatile() && Bytes && Bytes->ule(LongestCopy) &&
         !Bytes->isZero() && Bytes->urem(Widest) == 0 &&
         Copy.getDestAlign().valueOrOne() >= Widest &&
         Copy.getSourceAlign().valueOrOne() >= Widest &&
         IsAccessible(Copy.getDestAddressSpace()) &&
         IsAccessible(Copy.getSourceAddressSpace());
}

/// Loads all that Copy copies, and then stores it, as code selection does.
static void copyWidely(MemCpyInst &Copy) {
  IRBuilder<> At(&Copy);
  auto *Type = FixedVectorType::get(At.getInt64Ty(), 2);
  AAMDNodes Scopes = Copy.getAAMetadata();
  Scopes.TBAA = Scopes.TBAAStruct = nullptr; // They name the type as a whole.
  SmallVector<Value *, LongestCopy / Widest> Values;
  uint64_t Bytes = Copy.getLengthInBytes()->getZExtValue();
  auto AddressOf = [&](Value *Base, uint64_t Offset) {
    return Offset ? At.CreateConstInBoundsGEP1_64(At.getInt8Ty(), Base, Offset)
                  : Base;
  };
  for (uint64_t Offset = 0; Offset != Bytes; Offset += Widest) {
    LoadInst *Load = At.CreateAlignedLoad(
        Type, AddressOf(Copy.getRawSource(), Offset), Align(Widest));
    Load->setAAMetadata(Scopes);
    Values.push_back(Load);
  }
  for (auto [I, V] : enumerate(Values))
    At.CreateAlignedStore(V, AddressOf(Copy.getRawDest(), I * Widest),
                          Align(Widest))
        ->setAAMetadata(Scopes);
  Copy.eraseFromParent();
}

bool hasNarrowAccesses(Function &Kernel) {
  const DataLayout &Layout = Kernel.getDataLayout();
  SmallVector<std::pair<GlobalVariable *, MaybeAlign>, 2> Before;
  for (GlobalVariable *G : underAligned(Kernel)) {
    Before.emplace_back(G, G->getAlign());
    G->setAlignment(DynamicSharedAlign);
  }
  scope_exit Restore([&Before] {
    for (auto [G, Stated] : Before)
      G->setAlignment(Stated);
  });
  return any_of(instructions(Kernel), [&Layout](Instruction &I) {
    if (const IntrinsicInst *Call = genericMatrixAccess(I))
      return mayHaveSpace(*Call->getArgOperand(0));
    const auto *Copy = dyn_cast<MemCpyInst>(&I);
    return (Copy && isWideCopy(*Copy)) ||
           any_of(narrowAddresses(I, Layout), [&](const Accessed &A) {
             return knownAlign(A, I, Layout) > A.Stated;
           });
  });
}

bool widenAccesses(Function &Kernel, FunctionAnalysisManager &FAM) {
  const DataLayout &Layout = Kernel.getDataLayout();
  for (GlobalVariable *G : underAligned(Kernel))
    alignIn(Kernel, *G);
  bool Changed = inferMatrixSpaces(Kernel, FAM);
  for (Instruction &I : make_early_inc_range(instructions(Kernel))) {
    Changed |= stateAlignment(I, Layout);
    if (auto *Copy = dyn_cast<MemCpyInst>(&I); Copy && isWideCopy(*Copy)) {
      copyWidely(*Copy);
      Changed = true;
    }
  }
  return Changed;
}

} // namespace regdem
