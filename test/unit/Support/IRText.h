//===- IRText.h - LLVM IR written in tests ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_IRTEXT_H
#define REGDEM_TEST_IRTEXT_H

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

namespace regdem::test {

/// The module of IR; null, with a failure, where LLVM cannot read it.
inline std::unique_ptr<llvm::Module> parseModule(llvm::StringRef IR,
                                                 llvm::LLVMContext &Context) {
  llvm::SMDiagnostic Problem;
  std::unique_ptr<llvm::Module> M =
      llvm::parseAssemblyString(IR, Problem, Context);
  EXPECT_NE(M, nullptr) << Problem.getMessage().str() << "\n" << IR.str();
  return M;
}

} // namespace regdem::test

#endif // REGDEM_TEST_IRTEXT_H
