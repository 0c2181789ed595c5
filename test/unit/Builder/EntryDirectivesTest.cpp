//===- EntryDirectivesTest.cpp - directives changed in PTX ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder/CandidateText.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

std::string program(const std::string &Directives) {
  return ".version 8.8\n.func helper()\n{\n\tret;\n}\n"
         ".visible .entry wide(\n\t.param .u64 .ptr .align 1 "
         "wide_param_0\n)\n" +
         Directives + "{\n\t.reg .b32 %r<2>;\n\tret;\n}\n";
}

TEST(EntryDirectives, CapIsAdded) {
  EXPECT_EQ(withEntryDirectives(program(".maxntid 256\n"), 40, 0),
            program(".maxntid 256\n.maxnreg 40\n"));
}

TEST(EntryDirectives, BlocksAreAdded) {
  EXPECT_EQ(withEntryDirectives(program(".maxntid 256\n"), 0, 1),
            program(".maxntid 256\n.minnctapersm 1\n"));
}

TEST(EntryDirectives, OldValueIsReplaced) {
  EXPECT_EQ(withEntryDirectives(program(".maxnreg 80\n.maxntid 256\n"), 40, 0),
            program(".maxntid 256\n.maxnreg 40\n"));
}

TEST(EntryDirectives, OtherDirectivesStay) {
  std::string PTX = program(".maxntid 256\n.minnctapersm 2\n");
  EXPECT_EQ(withEntryDirectives(PTX, 40, 0),
            program(".maxntid 256\n.minnctapersm 2\n.maxnreg 40\n"));
  EXPECT_EQ(withEntryDirectives(PTX, 0, 0), PTX);
}

TEST(EntryDirectives, ProgramMustHaveOneKernelWithABody) {
  EXPECT_FALSE(withEntryDirectives("", 40, 0));
  EXPECT_FALSE(withEntryDirectives(".func helper()\n{\n\tret;\n}\n", 40, 0));
  EXPECT_FALSE(
      withEntryDirectives(program("") + ".entry other()\n{\n}\n", 40, 0));
  EXPECT_FALSE(withEntryDirectives(
      ".extern .entry wide();\n.func helper()\n{\n\tret;\n}\n", 40, 0));
}

} // namespace
