//===- PtxTextTest.cpp - functions and directives of PTX ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/PtxText.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

std::string programWith(const std::string &Directives) {
  return ".version 8.8\n.func helper()\n{\n\tret;\n}\n"
         ".visible .entry wide(\n\t.param .u64 .ptr .align 1 "
         "wide_param_0\n)\n" +
         Directives + "{\n\t.reg .b32 %r<2>;\n\tret;\n}\n";
}

std::string changed(const std::string &Text, PtxChange Change) {
  return PtxFile(Text).changed({{"wide", Change}});
}

TEST(PtxText, CapIsAdded) {
  EXPECT_EQ(changed(programWith(".maxntid 256\n"), {40, 0, false, 0, {}}),
            programWith(".maxntid 256\n.maxnreg 40\n"));
}

TEST(PtxText, BlocksAreAdded) {
  EXPECT_EQ(changed(programWith(".maxntid 256\n"), {0, 1, false, 0, {}}),
            programWith(".maxntid 256\n.minnctapersm 1\n"));
}

TEST(PtxText, OldValueIsReplaced) {
  EXPECT_EQ(changed(programWith(".maxnreg 80\n.maxntid 256\n"),
                    {40, 0, false, 0, {}}),
            programWith(".maxntid 256\n.maxnreg 40\n"));
}

TEST(PtxText, OtherDirectivesStay) {
  std::string PTX = programWith(".maxntid 256\n.minnctapersm 2\n");
  EXPECT_EQ(changed(PTX, {40, 0, false, 0, {}}),
            programWith(".maxntid 256\n.minnctapersm 2\n.maxnreg 40\n"));
  EXPECT_EQ(changed(PTX, {}), PTX);
}

TEST(PtxText, PragmaIsTheFirstStatement) {
  EXPECT_EQ(changed(".entry wide(){ ret; }", {0, 0, true, 0, {}}),
            ".entry wide(){\n.pragma \"enable_smem_spilling\";\n ret; }");
}

TEST(PtxText, WordsDoNotRunTogether) {
  EXPECT_EQ(changed(".entry wide() .maxntid 64{ ret; }", {40, 0, false, 0, {}}),
            ".entry wide() .maxntid 64\n.maxnreg 40\n{ ret; }");
}

TEST(PtxText, ProductsAreRounded) {
  PtxChange Change;
  std::string Text = ".entry wide() { mul.ftz.f32 %f1, %f2, %f3; ret; }";
  Change.Body = {PtxFile(Text).rounded(Text.find("mul"))};
  EXPECT_EQ(changed(Text, Change),
            ".entry wide() { mul.rn.ftz.f32 %f1, %f2, %f3; ret; }");
}

TEST(PtxText, HeaderMayStandInAnyLines) {
  PtxFile File(".visible\n .entry\n wide\n (.param .u64 a,\n .param .u32 b)\n"
               ".maxntid\t128,\n 2 , 1 .minnctapersm 3\n{ ret; }");
  const PtxFunction *F = File.find("wide");
  ASSERT_TRUE(F);
  EXPECT_TRUE(F->IsEntry);
  EXPECT_EQ(F->Begin, 0u);
  EXPECT_EQ(F->numberOf(".maxntid"), 128u);
  EXPECT_EQ(F->find(".maxntid")->Numbers.size(), 3u);
  EXPECT_EQ(F->numberOf(".minnctapersm"), 3u);
  EXPECT_EQ(F->numberOf(".maxnreg"), 0u);
}

TEST(PtxText, CommentsAndStringsAreNoCode) {
  std::string Text = "// .entry no() {\n/* .entry nor() { */\n"
                     ".entry wide() /* .maxnreg 8 { */\n.maxntid 32 // {\n"
                     "{ .pragma \"} .entry neither() {\"; ret; /* } */ }\n"
                     ".entry last() { ret; }\n";
  PtxFile File(Text);
  ASSERT_EQ(File.functions().size(), 2u);
  EXPECT_EQ(File.functions()[0].Name, "wide");
  EXPECT_EQ(File.functions()[0].numberOf(".maxnreg"), 0u);
  EXPECT_EQ(File.functions()[1].Name, "last");
  EXPECT_EQ(File.text(), Text);
  EXPECT_EQ(changed(Text, {24, 0, false, 0, {}}),
            "// .entry no() {\n/* .entry nor() { */\n"
            ".entry wide() /* .maxnreg 8 { */\n.maxntid 32 // {\n"
            ".maxnreg 24\n"
            "{ .pragma \"} .entry neither() {\"; ret; /* } */ }\n"
            ".entry last() { ret; }\n");
}

TEST(PtxText, EachKernelHasItsOwnChange) {
  std::string Text = ".entry a() { ret; }\n.entry b() { ret; }\n";
  EXPECT_EQ(PtxFile(Text).changed({{"b", {32, 0, false, 0, {}}}}),
            ".entry a() { ret; }\n.entry b() .maxnreg 32\n{ ret; }\n");
}

TEST(PtxText, IsolatedKernelKeepsFunctionsAndVariables) {
  std::string Text =
      ".visible .entry a();\n.visible .entry b();\n"
      ".global .f32 g;\n.func (.param .b32 r) f(.param .b32 x) { ret; }\n"
      ".visible .entry a() { ret; }\n.weak .entry b() { ret; }\n";
  EXPECT_EQ(PtxFile(Text).isolated("b", {0, 1, false, 0, {}}),
            "\n.visible .entry b();\n"
            ".global .f32 g;\n.func (.param .b32 r) f(.param .b32 x) { ret; }\n"
            "\n.weak .entry b() .minnctapersm 1\n{ ret; }\n");
}

TEST(PtxText, NamedKernelsStayBesideAnIsolatedOne) {
  std::string Text = ".entry a();\n.entry c();\n.global .u64 t[1] = { a };\n"
                     ".func f() { mov.b64 %rd1, d; }\n";
  EXPECT_EQ(PtxFile(Text +
                    ".entry a() .maxntid 32 { exit; }\n.entry b() { ret; }\n"
                    ".entry c() { mov.b64 %rd1, e; }\n.entry d() { ret; }\n"
                    ".entry e() { exit; }\n")
                .isolated("b", {}),
            ".entry a();\n\n.global .u64 t[1] = { a };\n"
            ".func f() { mov.b64 %rd1, d; }\n"
            ".entry a() .maxntid 32 { ret; }\n.entry b() { ret; }\n"
            "\n.entry d() { ret; }\n\n");
}

TEST(PtxText, DeclarationsAreNoFunctions) {
  PtxFile File(".extern .func (.param .b32 r) vprintf(.param .b64 a);\n"
               ".extern .entry wide();\n.func helper() { ret; }\n");
  ASSERT_EQ(File.functions().size(), 1u);
  EXPECT_EQ(File.functions()[0].Name, "helper");
  EXPECT_FALSE(File.functions()[0].IsEntry);
}

TEST(PtxText, PragmasMayStandAheadOfABody) {
  PtxFile File(".entry k() .maxntid 64 .pragma \"nounroll\";\n{ ret; }\n");
  ASSERT_EQ(File.functions().size(), 1u);
  EXPECT_EQ(File.functions()[0].numberOf(".maxntid"), 64u);
}

TEST(PtxText, AttributesOfFunctionsAreSkipped) {
  PtxFile File(".func .attribute(.unified(1,2)) (.param .b32 r) f() .noreturn "
               "{ ret; }\n");
  ASSERT_EQ(File.functions().size(), 1u);
  EXPECT_EQ(File.functions()[0].Name, "f");
}

TEST(PtxText, BoundsAreReadAsPtxasDoes) {
  auto BoundOf = [](StringRef Directives) {
    PtxFile File((".entry k() " + Directives + " { ret; }").str());
    return File.functions().front();
  };
  PtxFunction Suffixed = BoundOf(".maxntid 32U, 8, 1");
  EXPECT_EQ(Suffixed.find(".maxntid")->Numbers.size(), 3u);
  EXPECT_EQ(Suffixed.numberOf(".maxntid"), 32u);
  EXPECT_EQ(BoundOf(".maxntid 32 .maxntid 256").numberOf(".maxntid"), 256u);
  EXPECT_TRUE(BoundOf(".maxntid (32)").IsUnclear);
  EXPECT_FALSE(BoundOf(".maxclusterrank (8) .maxnreg 32").IsUnclear);
}

TEST(PtxText, AllDynamicVariablesAreNamed) {
  PtxFile File(".extern .shared .align 16 .b8 first[], second[];\n"
               ".extern .shared .f32 third[];");
  EXPECT_EQ(File.dynamicVariables(),
            ArrayRef<std::string>({"first", "second", "third"}));
}

TEST(PtxText, VersionIsRead) {
  EXPECT_EQ(PtxFile("// .version 1.0\n.version 9.1\n").version(), 91u);
  EXPECT_EQ(PtxFile("").version(), 0u);
}

TEST(PtxText, WhatIsCutOffHasNoFunctions) {
  for (const char *Text :
       {"", ".entry cut(", ".entry cut() { ret;", ".func (", ".entry",
        "\x7f"
        "ELF .entry {{{",
        "\"", "/*"})
    EXPECT_TRUE(PtxFile(Text).functions().empty()) << Text;
}

} // namespace
