//===- NVPTXOpcodesTest.cpp - the tables of opcodes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

TEST(NVPTXOpcodes, AreLookedUpOnceForAllTargetMachines) {
  LLVMContext Context;
  Module M("test", Context);
  Function *F = Function::Create(
      FunctionType::get(Type::getVoidTy(Context), /*isVarArg=*/false),
      Function::ExternalLinkage, "f", M);
  auto One = createNVPTXMachine(), Other = createNVPTXMachine();
  const NVPTXOpcodes &First =
      cantFail(NVPTXOpcodes::of(*One->getSubtargetImpl(*F)));
  const TargetSubtargetInfo &Subtarget = *Other->getSubtargetImpl(*F);
  const NVPTXOpcodes &Second = cantFail(NVPTXOpcodes::of(Subtarget));
  EXPECT_EQ(&First, &Second);
  EXPECT_TRUE(is_contained(Subtarget.getRegisterInfo()->regclasses(),
                           Second.classOf(RegKind::B32)));
}
