//===- KernelHashTest.cpp - what a kernel's hash depends on ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/KernelHash.h"

#include "IRText.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

constexpr StringLiteral Kernel = R"(
define ptx_kernel void @kernel(ptr %out, float %x) #0 {
  %y = call float @helper(float %x)
  %s = load float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), align 4
  %z = fadd float %y, %s
  store float %z, ptr %out, align 4, !tbaa !0
  call void asm sideeffect "// here", ""(), !srcloc !3
  call void @print(ptr @text)
  ret void
}
define internal float @helper(float %x) {
  %y = fmul float %x, 3.0
  ret float %y
}
@tile = internal addrspace(3) global [32 x float] undef, align 4
@text = private unnamed_addr constant [6 x i8] c"/a/b\0A\00"
declare void @print(ptr)
attributes #0 = { "nvvm.maxntid"="128" "target-cpu"="sm_90" }
!0 = !{!1, !1, i64 0}
!1 = !{!"float", !2, i64 0}
!2 = !{!"root"}
!3 = !{i64 172}
)";

/// The hash of @kernel in IR.
std::string hashOf(StringRef IR) {
  LLVMContext Context;
  std::unique_ptr<Module> M = parseModule(IR, Context);
  return M ? KernelHasher(*M).hash(*M->getFunction("kernel")) : "";
}

/// The hash of Kernel with From replaced by To wherever it stands.
std::string hashWith(StringRef From, StringRef To) {
  std::string Text = Kernel.str();
  size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos) << From.str();
  for (; At != std::string::npos; At = Text.find(From, At + To.size()))
    Text.replace(At, From.size(), To);
  return hashOf(Text);
}

TEST(KernelHashTest, Is32HexadecimalDigits) {
  std::string Hash = hashOf(Kernel);
  EXPECT_EQ(Hash.size(), 32u);
  EXPECT_EQ(Hash.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(KernelHashTest, NamesDoNotCount) {
  std::string Hash = hashOf(Kernel);
  EXPECT_EQ(hashWith("%y", "%renamed"), Hash);
  EXPECT_EQ(hashWith("@helper", "@helper.2"), Hash);
  EXPECT_EQ(hashWith("@tile", "@_ZZ6kernelE4tile"), Hash);
}

TEST(KernelHashTest, PlacesDoNotCount) {
  std::string Hash = hashOf(Kernel);
  EXPECT_EQ(hashWith("i64 172", "i64 9000"), Hash);
  EXPECT_EQ(hashWith("[6 x i8] c\"/a/b\\0A\\00\"", "[4 x i8] c\"/c\\0A\\00\""),
            Hash);
  EXPECT_EQ(hashOf(("source_filename = \"/elsewhere/k.cu\"\n" + Kernel).str()),
            Hash);
}

TEST(KernelHashTest, TargetAndOwnNotesDoNotCount) {
  std::string Hash = hashOf(Kernel);
  EXPECT_EQ(hashWith("sm_90", "sm_80"), Hash);
  EXPECT_EQ(
      hashWith("\"target-cpu\"", "\"regdem-settled\"=\"4\" \"target-cpu\""),
      Hash);
}

TEST(KernelHashTest, OtherCodeOfTheModuleDoesNotCount) {
  std::string Others = R"(
@first = internal addrspace(3) global [7 x float] undef
define ptx_kernel void @other(ptr %p) {
  %y = call float @helper(float 1.0)
  %z = load float, ptr addrspacecast (ptr addrspace(3) @first to ptr), !tbaa !8
  %q = load float, ptr addrspacecast (ptr addrspace(3) @tile to ptr)
  store float %y, ptr %p
  ret void
}
@llvm.compiler.used = appending global [2 x ptr] [ptr @other, ptr @kernel]
!llvm.ident = !{!7}
!7 = !{!"some compiler"}
!8 = !{!9, !9, i64 0}
!9 = !{!"other", !2, i64 0}
)";
  EXPECT_EQ(hashOf((Others + Kernel).str()), hashOf(Kernel));
  EXPECT_EQ(hashOf((Kernel + Others).str()), hashOf(Kernel));
}

TEST(KernelHashTest, CodeCounts) {
  std::string Hash = hashOf(Kernel);
  EXPECT_NE(hashWith("fadd", "fsub"), Hash);
  EXPECT_NE(hashWith("fadd float", "fadd contract float"), Hash);
  EXPECT_NE(hashWith("// here", "// there"), Hash);
  EXPECT_NE(hashWith("store float", "store volatile float"), Hash);
}

TEST(KernelHashTest, WhatIsCalledAndUsedCounts) {
  std::string Hash = hashOf(Kernel);
  EXPECT_NE(hashWith("3.0", "5.0"), Hash);
  EXPECT_NE(hashWith("[32 x float]", "[64 x float]"), Hash);
}

TEST(KernelHashTest, WhatShapesCodeGenerationCounts) {
  std::string Hash = hashOf(Kernel);
  EXPECT_NE(hashWith("\"128\"", "\"256\""), Hash);
  EXPECT_NE(hashWith("@tile to ptr), align 4", "@tile to ptr), align 16"),
            Hash);
  EXPECT_NE(hashWith(", !tbaa !0", ""), Hash);
}

TEST(KernelHashTest, FollowsTablesAliasesAndRecursion) {
  constexpr StringLiteral Text = R"(
module asm "// of the module"
$shared = comdat any
@table = internal constant [2 x ptr] [ptr @leaf, ptr @again]
@other = internal constant [1 x ptr] [ptr @unused]
@nickname = internal alias float (float), ptr @again
define ptx_kernel void @kernel(ptr %p, i32 %n) comdat($shared) {
  %slot = getelementptr [2 x ptr], ptr @table, i32 0, i32 %n
  %f = load ptr, ptr %slot
  %x = call float %f(float 1.0)
  %y = call float @nickname(float %x)
  store float %y, ptr %p
  store ptr blockaddress(@again, %last), ptr %p
  ret void
}
define internal float @again(float %x) {
  br label %last
last:
  %y = call float @again(float %x)
  ret float %y
}
define internal float @leaf(float %x) {
  ret float %x
}
define internal float @unused(float %x) {
  %f = load ptr, ptr @other
  %y = call float %f(float %x)
  ret float %y
}
!of.the.module = !{!0}
!0 = !{ptr @unused, ptr @kernel}
)";
  std::string Hash = hashOf(Text);
  auto With = [&](StringRef From, StringRef To) {
    std::string Changed = Text.str();
    size_t At = Changed.find(From);
    EXPECT_NE(At, std::string::npos);
    return hashOf(Changed.replace(At, From.size(), To));
  };
  EXPECT_EQ(With("load ptr, ptr @other", "load volatile ptr, ptr @other"),
            Hash);
  EXPECT_EQ(With("// of the module", "// of another"), Hash);
  EXPECT_NE(With("ret float %x", "ret float 2.0"), Hash);
  EXPECT_NE(With("ret float %y", "ret float 2.0"), Hash);
  EXPECT_NE(With("ptr @leaf, ptr @again", "ptr @again, ptr @leaf"), Hash);
}

TEST(KernelHashTest, TextsAndFlagsCountWhereItIsToBeExact) {
  auto ExactOf = [](const std::string &IR) {
    LLVMContext Context;
    std::unique_ptr<Module> M = parseModule(IR, Context);
    return KernelHasher(*M).exactHash(*M->getFunction("kernel"));
  };
  std::string Text = Kernel.str(), Other = Text;
  Other.replace(Other.find("/a/b"), 4, "/c/d");
  EXPECT_EQ(hashOf(Other), hashOf(Text));
  EXPECT_NE(ExactOf(Other), ExactOf(Text));
  std::string Flagged = Text + "!llvm.module.flags = !{!4}\n"
                               "!4 = !{i32 4, !\"nvvm-reflect-ftz\", i32 1}\n";
  EXPECT_EQ(hashOf(Flagged), hashOf(Text));
  EXPECT_NE(ExactOf(Flagged), ExactOf(Text));
  EXPECT_EQ(ExactOf(Text), ExactOf(Text));
  Other = Text;
  Other.replace(Other.find("%y"), 2, "%renamed");
  Other.replace(Other.find("float %y, %s"), 8, "float %renamed");
  EXPECT_EQ(ExactOf(Other), ExactOf(Text));
  Other = Text;
  Other.replace(Other.find("3.0"), 3, "4.0");
  EXPECT_NE(ExactOf(Other), ExactOf(Text));
}

TEST(KernelHashTest, ReadsTheModuleOnly) {
  LLVMContext Context;
  std::unique_ptr<Module> M = parseModule(Kernel, Context);
  ASSERT_NE(M, nullptr);
  std::string Before, After;
  raw_string_ostream(Before) << *M;
  KernelHasher Hasher(*M);
  std::string First = Hasher.hash(*M->getFunction("kernel"));
  EXPECT_EQ(Hasher.hash(*M->getFunction("kernel")), First);
  raw_string_ostream(After) << *M;
  EXPECT_EQ(Before, After);
}

TEST(StableNameTest, DropsTheFileHashOfInternalSymbols) {
  EXPECT_EQ(stableName("_ZL1k__intern__0123456789abcdef"), "_ZL1k");
  EXPECT_EQ(stableName("_ZL1k__static__0123456789abcdef"), "_ZL1k");
  EXPECT_EQ(stableName("_ZL1k__intern__5c814d561aec2f4"), "_ZL1k");
  EXPECT_EQ(stableName("_ZL1k__intern__0123456789abcdeg"),
            "_ZL1k__intern__0123456789abcdeg");
  EXPECT_EQ(stableName("k0123456789abcdef"), "k0123456789abcdef");
  EXPECT_EQ(stableName("__intern__01"), "__intern__01");
}

} // namespace
