//===- SpillRegion.cpp - the shared variable of the slots -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/SpillRegion.h"

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regdem {

static std::string regionName(const Function &Kernel) {
  return ("__regdem_slots_" + Kernel.getName()).str();
}

GlobalVariable &createSpillRegion(Function &Kernel, uint64_t Bytes) {
  Module &M = *Kernel.getParent();
  auto *Type = ArrayType::get(Type::getInt32Ty(M.getContext()), Bytes / 4);
  auto *Region = new GlobalVariable(
      M, Type, /*isConstant=*/false,
      Bytes ? GlobalValue::InternalLinkage : GlobalValue::ExternalLinkage,
      Bytes ? UndefValue::get(Type) : nullptr, regionName(Kernel),
      /*InsertBefore=*/nullptr, GlobalValue::NotThreadLocal,
      static_cast<unsigned>(AddressSpace::Shared));
  Region->setAlignment(Align(Bytes ? 8 : 16));
  return *Region;
}

const GlobalVariable *findSpillRegion(const Function &Kernel) {
  return Kernel.getParent()->getGlobalVariable(regionName(Kernel),
                                               /*AllowInternal=*/true);
}

} // namespace regdem
