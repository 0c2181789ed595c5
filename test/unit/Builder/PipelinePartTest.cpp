//===- PipelinePartTest.cpp - parting code generation ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder/PipelinePart.h"

#include "MachineText.h"
#include "llvm/Pass.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// Names the passes that it gets, facts apart from the passes that run.
struct Lister : legacy::PassManagerBase {
  raw_null_ostream Out; ///< That the printer among the passes writes to.
  std::vector<std::unique_ptr<Pass>> Passes;
  std::vector<std::string> Facts, Runs;

  // As pass managers do: later passes refer to earlier ones.
  ~Lister() override {
    while (!Passes.empty())
      Passes.pop_back();
  }

  void add(Pass *P) override {
    Passes.emplace_back(P);
    (P->getAsImmutablePass() ? Facts : Runs).push_back(P->getPassName().str());
  }
};

/// Adds all of code generation to PM, which hands it on to To.
void addAll(TargetMachine &TM, legacy::PassManagerBase &PM, Lister &To) {
  ASSERT_FALSE(TM.addPassesToEmitFile(PM, To.Out, nullptr,
                                      CodeGenFileType::AssemblyFile));
}

TEST(PipelinePartTest, PartsMakeUpTheWhole) {
  auto TM = test::createNVPTXMachine(CodeGenOptLevel::Aggressive);
  Lister Whole, First, Second;
  addAll(*TM, Whole, Whole);
  PipelinePart OnIR(PipelinePart::OnIR, First),
      BehindIR(PipelinePart::BehindIR, Second);
  addAll(*TM, OnIR, First);
  addAll(*TM, BehindIR, Second);
  EXPECT_TRUE(OnIR.hasBorder());
  EXPECT_TRUE(BehindIR.hasBorder());
  ASSERT_FALSE(First.Runs.empty());
  ASSERT_FALSE(Second.Runs.empty());
  EXPECT_EQ(First.Runs.back(), "CodeGen Prepare");
  EXPECT_EQ(First.Facts, Whole.Facts);
  EXPECT_EQ(Second.Facts, Whole.Facts);
  std::vector<std::string> Runs = First.Runs;
  Runs.insert(Runs.end(), Second.Runs.begin(), Second.Runs.end());
  EXPECT_EQ(Runs, Whole.Runs);
}

TEST(PipelinePartTest, WithoutTheBorderAllIsOnIR) {
  auto TM = test::createNVPTXMachine(CodeGenOptLevel::None);
  Lister Whole, First;
  addAll(*TM, Whole, Whole);
  PipelinePart OnIR(PipelinePart::OnIR, First);
  addAll(*TM, OnIR, First);
  EXPECT_FALSE(OnIR.hasBorder());
  EXPECT_EQ(First.Runs, Whole.Runs);
}

} // namespace
