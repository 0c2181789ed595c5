//===- KernelHash.cpp - has a kernel's code changed -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/KernelHash.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/TypeFinder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace regdem {

namespace {

/// In the order in which they are met, so that other code of the module has no
/// influence on it.
using SymbolList = SetVector<GlobalValue *>;

/// Adds the symbols that Root's operands name, through constants.
void collectOperands(const User &Root, SymbolList &Found) {
  SmallVector<const User *> Pending = {&Root};
  SmallPtrSet<const User *, 16> Seen;
  while (!Pending.empty()) {
    const User *U = Pending.pop_back_val();
    for (Value *Operand : U->operands()) {
      if (auto *Symbol = dyn_cast<GlobalValue>(Operand))
        Found.insert(Symbol);
      else if (auto *C = dyn_cast<Constant>(Operand);
               C && Seen.insert(C).second)
        Pending.push_back(C);
    }
  }
}

/// Loads the bodies of the functions that Kernel reaches, and no others.
SymbolList loadReachable(Function &Kernel) {
  SymbolList Found;
  Found.insert(&Kernel);
  for (unsigned I = 0; I != Found.size(); ++I) {
    // What has just been written can be read.
    cantFail(Found[I]->materialize());
    collectOperands(*Found[I], Found);
    if (const auto *F = dyn_cast<Function>(Found[I]))
      for (const Instruction &Inst : instructions(F))
        collectOperands(Inst, Found);
  }
  return Found;
}

/// Removes from M all symbols that are not in Kept.
void removeOthers(Module &M, const SymbolList &Kept) {
  SmallVector<GlobalValue *> Others;
  for (GlobalValue &Symbol : M.global_values())
    if (!Kept.contains(&Symbol))
      Others.push_back(&Symbol);
  for (GlobalValue *Symbol : Others) {
    if (auto *F = dyn_cast<Function>(Symbol))
      F->deleteBody();
    else
      cast<User>(Symbol)->dropAllReferences();
  }
  for (GlobalValue *Symbol : Others) {
    Symbol->replaceAllUsesWith(PoisonValue::get(Symbol->getType()));
    Symbol->eraseFromParent();
  }
}

/// Brings the symbols of M into the order of Kept.
void reorder(Module &M, const SymbolList &Kept) {
  for (GlobalValue *Symbol : Kept) {
    if (auto *F = dyn_cast<Function>(Symbol)) {
      F->removeFromParent();
      M.getFunctionList().push_back(F);
    } else if (auto *G = dyn_cast<GlobalVariable>(Symbol)) {
      G->removeFromParent();
      M.insertGlobalVariable(G);
    }
  }
}

bool isText(const GlobalVariable &G) {
  if (!G.hasLocalLinkage() || !G.isConstant() || !G.hasInitializer())
    return false;
  const auto *Data = dyn_cast<ConstantDataSequential>(G.getInitializer());
  return Data && Data->isCString();
}

/// Puts a byte in the place of a string, whose text and length may come from
/// a path (assert's does).
void blankText(GlobalVariable &Text) {
  Constant *Blank = ConstantInt::get(Type::getInt8Ty(Text.getContext()), 0);
  auto *Instead = new GlobalVariable(
      *Text.getParent(), Blank->getType(), true, GlobalValue::PrivateLinkage,
      Blank, "", &Text, GlobalValue::NotThreadLocal, Text.getAddressSpace());
  Text.replaceAllUsesWith(Instead);
  Text.eraseFromParent();
}

void normalizeFunction(Function &F) {
  AttributeMask Dropped;
  for (Attribute A : F.getAttributes().getFnAttrs())
    if (A.isStringAttribute()) {
      StringRef Kind = A.getKindAsString();
      // The architecture is a key of its own; RegDem's notes are no code.
      if (Kind.starts_with("target-") || Kind.starts_with("regdem-"))
        Dropped.addAttribute(Kind);
    }
  F.removeFnAttrs(Dropped);
  for (Instruction &Inst : instructions(F))
    Inst.setMetadata("srcloc", nullptr); // Where an asm statement stood.
}

/// Takes from M, which holds Kernel and what it reaches, all that does not
/// become code; strings and the module's flags too unless it is to be Exact.
void normalize(Module &M, Function &Kernel, bool Exact) {
  M.setModuleIdentifier("");
  M.setSourceFileName("");
  M.setModuleInlineAsm("");
  for (NamedMDNode &Node : make_early_inc_range(M.named_metadata()))
    if (!Exact || &Node != M.getModuleFlagsMetadata())
      M.eraseNamedMetadata(&Node);
  for (GlobalVariable &G : make_early_inc_range(M.globals()))
    if (!Exact && isText(G))
      blankText(G);
  for (GlobalObject &Object : M.global_objects())
    Object.setComdat(nullptr);
  for (GlobalValue &Symbol : M.global_values())
    Symbol.setName(Symbol.hasLocalLinkage() || &Symbol == &Kernel
                       ? ""
                       : stableName(Symbol.getName()).str());
  for (Function &F : M)
    normalizeFunction(F);
  TypeFinder Types;
  Types.run(M, /*onlyNamed=*/true);
  for (StructType *Type : Types)
    Type->setName("");
}

/// A kernel with what it reaches, normalised.
struct IsolatedKernel {
  LLVMContext Context;
  std::unique_ptr<Module> M;

  IsolatedKernel(ArrayRef<char> Bitcode, StringRef Kernel, bool Exact) {
    Context.setDiscardValueNames(true);
    M = cantFail(getLazyBitcodeModule(
        MemoryBufferRef(StringRef(Bitcode.data(), Bitcode.size()), "kernel"),
        Context));
    Function &Copy = *M->getFunction(Kernel);
    SymbolList Kept = loadReachable(Copy);
    StripDebugInfo(*M);
    removeOthers(*M, Kept);
    reorder(*M, Kept);
    normalize(*M, Copy, Exact);
  }
};

} // namespace

std::string digest(StringRef Text) {
  XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(Text));
  return utohexstr(Hash.high64, /*LowerCase=*/true, 16) +
         utohexstr(Hash.low64, /*LowerCase=*/true, 16);
}

StringRef stableName(StringRef Name) {
  constexpr size_t MostDigits = 16; // clang prints no leading zeros.
  StringRef Front = Name.rtrim("0123456789abcdefABCDEF");
  size_t Digits = Name.size() - Front.size();
  if (!Digits || Digits > MostDigits)
    return Name;
  if (Front.consume_back("__intern__") || Front.consume_back("__static__"))
    return Front.empty() ? Name : Front;
  return Name;
}

KernelHasher::KernelHasher(const Module &M) {
  raw_svector_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS);
}

std::string KernelHasher::hash(const Function &Kernel) const {
  IsolatedKernel K(Bitcode, Kernel.getName(), /*Exact=*/false);
  std::string Text;
  raw_string_ostream OS(Text);
  K.M->print(OS, /*AAW=*/nullptr);
  return digest(Text);
}

std::string KernelHasher::exactHash(const Function &Kernel) const {
  IsolatedKernel K(Bitcode, Kernel.getName(), /*Exact=*/true);
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  WriteBitcodeToFile(*K.M, OS); // A fifth of the work of printing.
  return digest(Text);
}

} // namespace regdem
