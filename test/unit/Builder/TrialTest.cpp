//===- TrialTest.cpp - what passes find out of a trial --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder/CandidateText.h"
#include "IRText.h"
#include "MachineText.h"
#include "regdem/Passes/Pass.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

/// The text of a file of Transform's tests.
std::string textOf(StringRef File) {
  auto Text = MemoryBuffer::getFile(
      (REGDEM_UNIT_INPUTS "/../../Transform/" + File).str());
  EXPECT_TRUE(!!Text) << File.str();
  return Text ? (*Text)->getBuffer().str() : "";
}

/// The rewrites that would change Kernel of IR, by a trial with Wanted.
Rewrite changesOf(StringRef IR, StringRef Kernel, Rewrite Wanted = {}) {
  RegisterTargetPassConfigCallback Callback(
      [](TargetMachine &TM, legacy::PassManagerBase &PM,
         TargetPassConfig *Config) { addPasses(TM, PM, *Config); });
  auto TM = createNVPTXMachine(CodeGenOptLevel::Aggressive);
  LLVMContext Context;
  std::unique_ptr<Module> M = parseModule(IR, Context);
  if (!M)
    return {};
  M->setDataLayout(TM->createDataLayout());
  CandidateSource Source;
  raw_svector_ostream OS(Source.Image.Bitcode);
  WriteBitcodeToFile(*M, OS);
  Source.KernelName = Kernel.str();
  BuildRecipe R;
  R.Rewrites = Wanted;
  CompiledTexts Parted, Whole;
  auto InParts = Parted.compile(Source, *TM, R, 0, /*InOneGo=*/false),
       InOneGo = Whole.compile(Source, *TM, R, 0, /*InOneGo=*/true);
  if (!InParts || !InOneGo) {
    ADD_FAILURE() << toString(InParts.takeError())
                  << toString(InOneGo.takeError());
    return {};
  }
  EXPECT_EQ(InParts->PTX, InOneGo->PTX);
  EXPECT_EQ(InParts->Idle, InOneGo->Idle);
  return ~InOneGo->Idle;
}

TEST(TrialTest, PassesThatHaveSomethingToDoAreKnown) {
  std::string Body = textOf("Inputs/rewrites-body.txt");
  EXPECT_EQ(changesOf("define ptx_kernel void @k(ptr addrspace(1) %in, ptr "
                      "addrspace(1) %out, i32 %n, i32 %pitch) {\n" +
                          Body + "}\n",
                      "k"),
            Rewrite::SkipLoopReduce | Rewrite::SkipMachineSink |
                Rewrite::SkipSLSR | Rewrite::UnrollLoops);
  EXPECT_EQ(changesOf("define ptx_kernel void @k(ptr addrspace(1) %p) {\n"
                      "  %a = load i32, ptr addrspace(1) %p\n"
                      "  store i32 7, ptr addrspace(1) %p\n"
                      "  ret void\n}\n",
                      "k"),
            Rewrite::None);
}

TEST(TrialTest, ProductsOfWordsAreKnown) {
  std::string IR = textOf("wide-products.ll");
  EXPECT_TRUE(has(changesOf(IR, "words"), Rewrite::WideProducts));
  EXPECT_FALSE(has(changesOf(IR, "others"), Rewrite::WideProducts));
}

TEST(TrialTest, NarrowAccessesAreKnown) {
  std::string IR = textOf("wide-accesses.ll");
  for (StringRef Kernel : {"copies", "rows", "matrices"})
    EXPECT_TRUE(has(changesOf(IR, Kernel), Rewrite::CheaperAccesses))
        << Kernel.str();
  for (StringRef Kernel : {"no_copies", "with_callee"})
    EXPECT_FALSE(has(changesOf(IR, Kernel), Rewrite::CheaperAccesses))
        << Kernel.str();
}

TEST(TrialTest, LoopsToUnrollAreKnown) {
  std::string IR = textOf("unrolled-loops.ll");
  IR.replace(IR.rfind("WITHOUT"), StringRef("WITHOUT").size(), "");
  // Whether results stay the same is asked later.
  for (StringRef Kernel : {"filter", "summed_here_and_later", "summed_later",
                           "meets", "reads_texture", "begun", "branches"})
    EXPECT_TRUE(has(changesOf(IR, Kernel), Rewrite::UnrollLoops))
        << Kernel.str();
  for (StringRef Kernel : {"short", "kept_by_source", "computes"})
    EXPECT_FALSE(has(changesOf(IR, Kernel), Rewrite::UnrollLoops))
        << Kernel.str();
}

TEST(TrialTest, ArraysAreLookedAtInStocksCodeOnly) {
  std::string IR = textOf("array-checker-refuses.ll");
  EXPECT_TRUE(has(changesOf(IR, "differs"), Rewrite::LowerArrays));
  EXPECT_FALSE(has(changesOf(IR, "differs", Rewrite::UnrollLoops),
                   Rewrite::LowerArrays));
}

} // namespace
