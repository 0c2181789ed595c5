//===- ThreadMemoryTest.cpp - memory of a thread that is executed ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/ThreadMemory.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

// What is stored there would count as the thread's own.
TEST(ThreadMemory, NoVariableIsWhereAnArraysPartIs) {
  LLVMContext Context;
  Module M("m", Context);
  auto Variable = [&](const Twine &Name) {
    return new GlobalVariable(M, Type::getInt32Ty(Context),
                              /*isConstant=*/false,
                              GlobalValue::ExternalLinkage, nullptr, Name);
  };
  GlobalVariable *Parts[] = {Variable("array0"), Variable("array1")};
  ThreadMemory Memory(M.getDataLayout(), /*Run=*/0, {}, Parts, nullptr);
  uint64_t First = Memory.startOf(*Parts[0]), Next = Memory.startOf(*Parts[1]);
  EXPECT_NE(First, Next);
  for (unsigned N = 0; N != 50000; ++N) {
    uint64_t At = Memory.startOf(*Variable("v" + Twine(N)));
    ASSERT_NE(At, First);
    ASSERT_NE(At, Next);
  }
}

} // namespace
