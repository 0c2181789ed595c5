//===- FaultTest.cpp - what users are told of a fault of RegDem -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/Remarks.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

TEST(Fault, NamesTheKernelAndTheWayAround) {
  LLVMContext Context;
  std::string Text;
  Context.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *Info, void *Out) {
        raw_string_ostream OS(*static_cast<std::string *>(Out));
        DiagnosticPrinterRawOStream Printer(OS);
        Info->print(Printer);
      },
      &Text);
  Module M("m", Context);
  Function *F =
      Function::Create(FunctionType::get(Type::getVoidTy(Context), false),
                       GlobalValue::ExternalLinkage, "_Z4stepPi", M);
  reportFault(*F, createStringError("a register is lost"));
  EXPECT_EQ(Text, "regdem: 'step(int*)': a register is lost; this is a fault "
                  "of RegDem: report it, and leave the kernel out with "
                  "__attribute__((annotate(\"regdem:mode=off\")))");
}
