//===- ProfileTest.cpp - reading profiles ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Profile.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// A profile of one entry with these fields after kernel, arch and hash.
std::string withEntry(StringRef Fields) {
  return (R"({"version": 1, "entries": [{"kernel": "solve", "arch": "sm_90", )"
          R"("hash": "0a", )" +
          Fields + "}]}")
      .str();
}

Outcome settled(StringRef Fields) {
  Expected<Profile> P = Profile::parse(withEntry(Fields));
  EXPECT_TRUE(!!P) << (P ? "" : toString(P.takeError()));
  if (!P)
    return {};
  const ProfileEntry *Entry = P->find("solve", "sm_90", "0a");
  EXPECT_NE(Entry, nullptr);
  return Entry ? Entry->settled() : Outcome();
}

std::string problem(StringRef Text) {
  Expected<Profile> P = Profile::parse(Text);
  return P ? "" : toString(P.takeError());
}

std::string entryProblem(StringRef Fields) {
  return problem(withEntry(Fields));
}

TEST(ProfileTest, StockIsLeftAlone) {
  Outcome S = settled(R"("decision": "stock")");
  EXPECT_TRUE(S.FromProfile);
  EXPECT_TRUE(S.LeaveAlone);
  EXPECT_EQ(S.Target, 0u);
}

TEST(ProfileTest, CapHasNoTarget) {
  Outcome S = settled(R"("decision": "cap", "max_regs": 40, "target": 36)");
  EXPECT_TRUE(S.FromProfile);
  EXPECT_FALSE(S.LeaveAlone);
  EXPECT_EQ(S.MaxRegs, 40u);
  EXPECT_EQ(S.MinBlocks, 0u);
  EXPECT_EQ(S.Target, 0u);
}

TEST(ProfileTest, DemotionHasAllItsParameters) {
  Outcome S = settled(R"("decision": "demote", "max_regs": 64, )"
                      R"("min_blocks": 4, "target": 60, )"
                      R"("strategy": "resident")");
  EXPECT_FALSE(S.LeaveAlone);
  EXPECT_EQ(S.MaxRegs, 64u);
  EXPECT_EQ(S.MinBlocks, 4u);
  EXPECT_EQ(S.Target, 60u);
  EXPECT_EQ(S.How, Strategy::Resident);
}

TEST(ProfileTest, PragmaSpillsToSharedMemory) {
  Outcome S = settled(R"("decision": "pragma", "max_regs": 40)");
  EXPECT_TRUE(S.SmemSpilling);
  EXPECT_EQ(S.Target, 0u);
  EXPECT_FALSE(settled(R"("decision": "cap", "max_regs": 40)").SmemSpilling);
  EXPECT_TRUE(settled(R"("decision": "pragma")").SmemSpilling);
}

TEST(ProfileTest, DemotionMaySpillTheRestToSharedMemory) {
  EXPECT_TRUE(settled(R"("decision": "demote", "max_regs": 64, "target": 60, )"
                      R"("strategy": "resident", "smem_spilling": true)")
                  .SmemSpilling);
}

TEST(ProfileTest, PassesMayBeLeftOut) {
  Outcome S =
      settled(R"("decision": "rewrite", "rewrites": "skip-machine-sink")");
  EXPECT_FALSE(S.LeaveAlone);
  EXPECT_EQ(S.Rewrites, Rewrite::SkipMachineSink);
  EXPECT_EQ(S.MaxRegs, 0u);
  EXPECT_EQ(settled(R"("decision": "cap", "max_regs": 40, )"
                    R"("rewrites": "skip-loop-reduce")")
                .Rewrites,
            Rewrite::SkipLoopReduce);
  EXPECT_EQ(settled(R"("decision": "stock", "rewrites": "skip-loop-reduce")")
                .Rewrites,
            Rewrite::None);
}

TEST(ProfileTest, OnlyKnownRewritesCanBeNamed) {
  EXPECT_EQ(entryProblem(R"("decision": "rewrite")"),
            "entries[0]: rewrites are not stated");
  EXPECT_NE(entryProblem(R"("decision": "rewrite", "rewrites": "licm")")
                .find("'rewrites=licm' is not rewrites= and some of"),
            std::string::npos);
}

TEST(ProfileTest, UnknownFieldsAreIgnored) {
  EXPECT_EQ(problem(R"({"version": 1, "made_by": "hand", "entries": []})"), "");
  EXPECT_EQ(entryProblem(R"("decision": "stock", "time": {"stock": [1, 2]})"),
            "");
}

TEST(ProfileTest, FindsByKernelArchAndHash) {
  Expected<Profile> P =
      Profile::parse(withEntry(R"("decision": "cap", "max_regs": 40)"));
  ASSERT_TRUE(!!P);
  EXPECT_EQ(P->find("solve", "sm_90", "0b"), nullptr);
  EXPECT_EQ(P->find("solve", "sm_80", "0a"), nullptr);
  EXPECT_EQ(P->find("resolve", "sm_90", "0a"), nullptr);
  EXPECT_TRUE(P->mentions("solve", "sm_90"));
  EXPECT_FALSE(P->mentions("solve", "sm_80"));
  EXPECT_FALSE(P->mentions("resolve", "sm_90"));
}

TEST(ProfileTest, OneKernelMayHaveEntriesForSeveralHashes) {
  Expected<Profile> P = Profile::parse(
      R"({"version": 1, "entries": [
        {"kernel": "k", "arch": "sm_90", "hash": "a", "decision": "stock"},
        {"kernel": "k", "arch": "sm_90", "hash": "b", "decision": "cap",
         "max_regs": 32}]})");
  ASSERT_TRUE(!!P);
  ASSERT_NE(P->find("k", "sm_90", "b"), nullptr);
  EXPECT_EQ(P->find("k", "sm_90", "b")->MaxRegs, 32u);
  EXPECT_EQ(P->find("k", "sm_90", "a")->What, Decision::Stock);
}

TEST(ProfileTest, NamesOfInternalSymbolsMatchAcrossFiles) {
  Expected<Profile> P = Profile::parse(
      R"({"version": 1, "entries": [
        {"kernel": "_ZL1kv__intern__0123456789abcdef", "arch": "sm_90",
         "hash": "a", "decision": "stock"}]})");
  ASSERT_TRUE(!!P);
  EXPECT_NE(P->find("_ZL1kv__intern__fedcba9876543210", "sm_90", "a"), nullptr);
  EXPECT_NE(P->find("_ZL1kv", "sm_90", "a"), nullptr);
}

TEST(ProfileTest, FaultsNameTheField) {
  EXPECT_EQ(problem("[]"), "expected object when parsing profile");
  EXPECT_EQ(problem("{}"), "missing value at profile.version");
  EXPECT_EQ(problem(R"({"version": "1", "entries": []})"),
            "expected integer at profile.version");
  EXPECT_EQ(problem(R"({"version": 3, "entries": []})"),
            "version 3 is not known, only 1");
  EXPECT_EQ(problem(R"({"version": 1, "entries": {}})"),
            "expected array at profile.entries");
  EXPECT_EQ(problem(R"({"version": 1, "entries": [{"kernel": 4}]})"),
            "expected string at profile.entries[0].kernel");
  EXPECT_EQ(entryProblem(R"("max_regs": 40)"),
            "missing value at profile.entries[0].decision");
  EXPECT_EQ(entryProblem(R"("decision": "demote", "max_regs": 40.5)"),
            "expected integer at profile.entries[0].max_regs");
  EXPECT_EQ(entryProblem(R"("decision": "demote", "strategy": 1)"),
            "expected string at profile.entries[0].strategy");
}

// As in any recipe (RecipeTest.cpp).
TEST(ProfileTest, ValuesMustBeInRange) {
  EXPECT_EQ(
      entryProblem(R"("decision": "fast")"),
      "entries[0]: decision 'fast' is none of stock, rewrite, cap, pragma, "
      "demote");
  EXPECT_EQ(entryProblem(R"("decision": "cap", "max_regs": 15)"),
            "entries[0]: 'cap=15' is not cap=N, a number from 16 to 255");
  EXPECT_EQ(
      entryProblem(R"("decision": "cap", "min_blocks": 33)"),
      "entries[0]: 'min-blocks=33' is not min-blocks=N, a number from 1 to 32");
  EXPECT_EQ(entryProblem(R"("decision": "cap")"),
            "entries[0]: neither max_regs nor min_blocks is stated");
  EXPECT_EQ(entryProblem(R"("decision": "demote", "max_regs": 40)"),
            "entries[0]: 'demote=:0' is not demote=belady:N or "
            "demote=resident:N, a number from 8 to 512");
  EXPECT_EQ(
      entryProblem(R"("decision": "demote", "max_regs": 40, "target": 36)"),
      "entries[0]: 'demote=:36' is not demote=belady:N or "
      "demote=resident:N, a number from 8 to 512");
}

TEST(ProfileTest, TwoEntriesForOneCodeAreAFault) {
  EXPECT_EQ(problem(
                R"({"version": 1, "entries": [
        {"kernel": "k", "arch": "sm_90", "hash": "a", "decision": "stock"},
        {"kernel": "k", "arch": "sm_80", "hash": "a", "decision": "stock"},
        {"kernel": "k", "arch": "sm_90", "hash": "a", "decision": "cap",
         "max_regs": 32}]})"),
            "entries[2]: the same kernel, arch and hash as entries[0]");
}

TEST(ProfileTest, MalformedTextIsOneLine) {
  for (StringRef Text : {"", "{", "{\"version\": 1,", "\x01", "nul", "[1,"}) {
    std::string Problem = problem(Text);
    EXPECT_NE(Problem, "") << Text.str();
    EXPECT_EQ(Problem.find('\n'), std::string::npos) << Problem;
  }
}

} // namespace
