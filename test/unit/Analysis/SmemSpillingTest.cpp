//===- SmemSpillingTest.cpp - may ptxas spill to shared memory --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/SmemSpilling.h"

#include "IRText.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Options.h"

using namespace regdem;

namespace {

TEST(PtxVersion, IsThatOfTheFeature) {
  EXPECT_EQ(ptxVersion("+ptx88"), 88u);
  EXPECT_EQ(ptxVersion("+sm_90,+ptx90"), 90u);
}

TEST(PtxVersion, LowestOfSeveralIsCertain) {
  EXPECT_EQ(ptxVersion("+ptx88,+ptx86,+ptx90"), 86u);
}

TEST(PtxVersion, NoneWithoutAFeature) {
  EXPECT_EQ(ptxVersion(""), 0u);
  EXPECT_EQ(ptxVersion("-ptx88"), 0u);
  EXPECT_EQ(ptxVersion("+ptxas"), 0u);
}

class SmemSpilling : public testing::Test {
protected:
  KernelFacts Facts;
  Options O;
  llvm::LLVMContext Context;

  /// For a kernel whose module has debug information of EmissionKind, and More.
  bool allows(const char *EmissionKind = "NoDebug",
              const char *Features = "+ptx88", const char *More = "") {
    std::string Text =
        std::string(More) +
        "define ptx_kernel void @k() { ret void }\n"
        "!llvm.dbg.cu = !{!0}\n"
        "!llvm.module.flags = !{!2}\n"
        "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, "
        "file: !1, emissionKind: " +
        std::string(EmissionKind) +
        ")\n"
        "!1 = !DIFile(filename: \"k.cu\", directory: \"/\")\n"
        "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n";
    auto M = test::parseModule(Text, Context);
    return allowsSmemSpilling(*M->getFunction("k"), Facts, O, Features);
  }
};

TEST_F(SmemSpilling, IsAllowedFromPtx87On) {
  EXPECT_TRUE(allows("NoDebug", "+ptx87"));
  EXPECT_FALSE(allows("NoDebug", "+ptx86"));
  EXPECT_FALSE(allows("NoDebug", ""));
}

TEST_F(SmemSpilling, LineDirectivesAreAllowed) {
  EXPECT_TRUE(allows("DebugDirectivesOnly"));
  EXPECT_FALSE(allows("FullDebug"));
  EXPECT_FALSE(allows("LineTablesOnly"));
}

TEST_F(SmemSpilling, DynamicSharedMemoryIsNot) {
  O.DynamicSmem = 0;
  EXPECT_TRUE(allows());
  O.DynamicSmem = 1024;
  EXPECT_FALSE(allows());
  O.DynamicSmem.reset();
  Facts.UsesDynamicShared = true;
  EXPECT_FALSE(allows());
}

TEST_F(SmemSpilling, CallsAreAllowed) {
  Facts.HasCalls = true;
  EXPECT_TRUE(allows("NoDebug", "+ptx88", "define void @f() { ret void }\n"));
}

TEST_F(SmemSpilling, CallsThroughPointersAreNot) {
  Facts.HasCalls = Facts.HasIndirectCalls = true;
  EXPECT_FALSE(allows());
}

TEST_F(SmemSpilling, CallsAreNotWhereTheModuleLacksAFunction) {
  const char *Prints = "declare i32 @vprintf(ptr, ptr)\n"
                       "define void @f() {\n"
                       "  %n = call i32 @vprintf(ptr null, ptr null)\n"
                       "  ret void\n"
                       "}\n";
  EXPECT_TRUE(allows("NoDebug", "+ptx88", Prints));
  Facts.HasCalls = true;
  EXPECT_FALSE(allows("NoDebug", "+ptx88", Prints));
}

// A kernel beside this one may call f through the pointer.
TEST_F(SmemSpilling, CallsAreNotWhereSomethingHasAFunctionsAddress) {
  const char *Taken = "define void @f() { ret void }\n"
                      "@g = global ptr @f\n";
  EXPECT_TRUE(allows("NoDebug", "+ptx88", Taken));
  Facts.HasCalls = true;
  EXPECT_FALSE(allows("NoDebug", "+ptx88", Taken));
}

} // namespace
