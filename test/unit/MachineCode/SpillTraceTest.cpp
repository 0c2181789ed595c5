//===- SpillTraceTest.cpp - which values ptxas spills ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SpillTrace.h"

#include "SassReader.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

TEST(NumberedPTX, EachStatementGetsALine) {
  NumberedPTX N = numberStatements(".version 8.8\n"
                                   ".target sm_90, debug\n"
                                   ".address_size 64\n"
                                   ".visible .entry k(\n"
                                   "\t.param .u32 k_param_0\n"
                                   ")\n"
                                   "{\n"
                                   "\t.reg .b32 \t%r<3>;\n"
                                   "\t.loc\t1 7 3\t// a.cu:7:3\n"
                                   "$L__BB0_1: // %entry\n"
                                   "\tadd.s32 \t%r1, %r2, 1; // note\n"
                                   "\t{ // callseq 0\n"
                                   "\tcall.uni \n"
                                   "\tf,\n"
                                   "\t();\n"
                                   "\t} // callseq 0\n"
                                   "\t.loc\t2 0 0\n"
                                   "\tret;\n"
                                   "}\n"
                                   "\t.file\t1 \"/src/a.cu\"\n"
                                   "\t.section\t.debug_abbrev\n"
                                   "\t{\n"
                                   ".b8 1\n"
                                   "\t}\n");
  EXPECT_EQ(N.Text, ".version 8.8\n"
                    ".target sm_90\n"
                    ".address_size 64\n"
                    ".visible .entry k(\n"
                    "\t.param .u32 k_param_0\n"
                    ")\n"
                    "{\n"
                    "\t.reg .b32 \t%r<3>;\n"
                    "\t\t// a.cu:7:3\n"
                    "$L__BB0_1: // %entry\n"
                    "\t.loc 1 1 0\n"
                    "\tadd.s32 \t%r1, %r2, 1; // note\n"
                    "\t{ // callseq 0\n"
                    "\t.loc 1 2 0\n"
                    "\tcall.uni \n"
                    "\tf,\n"
                    "\t();\n"
                    "\t} // callseq 0\n"
                    "\t\n"
                    "\t.loc 1 3 0\n"
                    "\tret;\n"
                    "}\n"
                    "\t\n"
                    "\t\n"
                    "\n.file 1 \"ptx\"\n");
  ASSERT_EQ(N.Statements.size(), 3u);
  EXPECT_EQ(N.Statements[0].Text, "add.s32 %r1, %r2, 1;");
  EXPECT_EQ(N.Statements[0].Source, "a.cu:7");
  EXPECT_EQ(N.Statements[1].Text, "call.uni f, ();");
  EXPECT_EQ(N.Statements[2].Source, "");
}

TEST(NumberedPTX, StatementsAreFoundWhereverTheyStand) {
  NumberedPTX N =
      numberStatements(".version 8.8\r\n"
                       ".target sm_90, texmode_independent, debug\r\n"
                       ".file 1 \"/src//a.cu\", 1700000000, 512\n"
                       ".visible .entry k()\n"
                       "{\n"
                       ".local .align 4 .b8 words[64];\n"
                       ".pragma \"nounroll\";\n"
                       ".loc 1 7 3, function_name $L__info0, inlined_at 1 9 1\n"
                       "@!%p1 ld.local.u32 %r1, [words]; {\n"
                       ".reg .f16 %h1,\n"
                       "%h2;\n"
                       ".loc 1 8 3 {add.f16 %h1, %h1, %h2;}\n"
                       "}\n"
                       "ret; }\n");
  EXPECT_EQ(N.Text, ".version 8.8\r\n"
                    ".target sm_90, texmode_independent\r\n"
                    "\n"
                    ".visible .entry k()\n"
                    "{\n"
                    ".local .align 4 .b8 words[64];\n"
                    ".loc 1 1 0\n\t.pragma \"nounroll\";\n"
                    "\n"
                    "@!%p1 ld.local.u32 %r1, [words]; {\n"
                    ".reg .f16 %h1,\n"
                    "%h2;\n"
                    " {.loc 1 2 0\n\tadd.f16 %h1, %h1, %h2;}\n"
                    "}\n"
                    ".loc 1 3 0\n\tret; }\n"
                    "\n.file 1 \"ptx\"\n");
  ASSERT_EQ(N.Statements.size(), 3u);
  EXPECT_EQ(N.Statements[0].Text, "@!%p1 ld.local.u32 %r1, [words];");
  EXPECT_EQ(N.Statements[0].Source, "a.cu:7");
  EXPECT_EQ(N.Statements[1].Text, "add.f16 %h1, %h1, %h2;");
  EXPECT_EQ(N.Statements[1].Source, "a.cu:8");
}

constexpr SassRegister Stack{SassFile::General, 1};

SassRegister general(uint8_t Index) { return {SassFile::General, Index}; }

SassInstruction writes(unsigned Line, uint8_t Index, bool Predicated = false) {
  SassInstruction I;
  I.SourceLine = Line;
  I.Opcode = "IADD3";
  if (Predicated)
    I.Guard.Predicate.Index = 0;
  I.Writes = {general(Index)};
  return I;
}

SassInstruction store(StringRef Place, uint8_t Index, bool IsSpill = true) {
  SassInstruction I;
  I.IsSpill = IsSpill;
  I.Opcode = "STL";
  I.Operands =
      readOperands("STL", (Place + ", R" + Twine(unsigned(Index))).str());
  I.Class = SassClass::LocalStore;
  I.Bytes = 4;
  I.Reads = {Stack, general(Index)};
  return I;
}

SassInstruction reload(StringRef Place, uint8_t Index) {
  SassInstruction I = writes(5, Index);
  I.IsSpill = true;
  I.Opcode = "LDL";
  I.Operands =
      readOperands("LDL", ("R" + Twine(unsigned(Index)) + ", " + Place).str());
  I.Class = SassClass::LocalLoad;
  I.Bytes = 4;
  I.Reads = {Stack};
  return I;
}

SassBlock block(std::vector<SassInstruction> Instructions,
                SmallVector<unsigned, 2> Successors, double Frequency) {
  SassBlock B;
  B.Instructions = std::move(Instructions);
  B.Successors = std::move(Successors);
  B.Frequency = Frequency;
  return B;
}

/// Two blocks that write R4 lead to a loop that stores and reloads it.
SassKernel sampleKernel() {
  SassKernel K;
  K.Name = "k";
  K.Blocks = {block({writes(3, 4)}, {1, 2}, 1), block({writes(5, 4)}, {2}, 0.5),
              block({store("[R1+0x8]", 4), reload("[R1+0x8]", 5), writes(9, 6),
                     store("[R1]", 6, /*IsSpill=*/false), store("[R7]", 6)},
                    {2}, 10)};
  return K;
}

TEST(SpillTrace, ValuesOfAllWaysToTheStore) {
  std::vector<SpillPlace> Places = findSpills(sampleKernel());
  // What is not marked is an array's, and a place that is not known is none.
  ASSERT_EQ(Places.size(), 1u);
  EXPECT_EQ(Places[0].Offset, 8u);
  EXPECT_EQ(Places[0].Bytes, 4u);
  EXPECT_EQ(Places[0].Lines, (std::set<unsigned>{3, 5}));
}

TEST(SpillTrace, AccessesAreCountedAndWeighed) {
  std::vector<SpillPlace> Places = findSpills(sampleKernel());
  ASSERT_EQ(Places.size(), 1u);
  EXPECT_EQ(Places[0].Stores, 1u);
  EXPECT_EQ(Places[0].Reloads, 1u);
  EXPECT_EQ(Places[0].StoreRuns, 10);
  EXPECT_EQ(Places[0].ReloadRuns, 10);
}

TEST(SpillTrace, LinesOfTheAccesses) {
  SassKernel K = sampleKernel();
  K.Blocks[2].Instructions[0].SourceLine = 7;
  K.Blocks[2].Instructions[1].SourceLine = 8;
  K.Blocks[1].Instructions.push_back(reload("[R1+0x8]", 6));
  std::vector<SpillPlace> Places = findSpills(K);
  ASSERT_EQ(Places.size(), 1u);
  EXPECT_EQ(Places[0].StoredAt, std::set<unsigned>{7});
  EXPECT_EQ(Places[0].ReloadedAt, (std::set<unsigned>{5, 8}));
}

TEST(SpillTrace, PredicatedWritesLeaveTheOneBefore) {
  SassKernel K;
  K.Name = "k";
  K.Blocks = {block(
      {writes(3, 4), writes(5, 4, /*Predicated=*/true), store("[R1+0x8]", 4)},
      {}, 1)};
  std::vector<SpillPlace> Places = findSpills(K);
  ASSERT_EQ(Places.size(), 1u);
  EXPECT_EQ(Places[0].Lines, (std::set<unsigned>{3, 5}));
}

TEST(SpillTrace, ValuesThatNothingWrites) {
  SassKernel K;
  K.Name = "k";
  K.Blocks = {block({store("[R1+0x8]", 4)}, {}, 1)};
  std::vector<SpillPlace> Places = findSpills(K);
  ASSERT_EQ(Places.size(), 1u);
  EXPECT_TRUE(Places[0].Lines.empty());
}

} // namespace
