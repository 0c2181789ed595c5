//===- DecisionEntryTest.cpp - decisions as entries of the cache ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace regdem;

namespace {

class DecisionEntryTest : public testing::Test {
protected:
  LLVMContext Context;
  Module M{"module", Context};

  Function &newKernel() {
    Function *F = Function::Create(
        FunctionType::get(Type::getVoidTy(Context), false),
        GlobalValue::ExternalLinkage, "kernel" + Twine(M.size()), M);
    return *F;
  }

  /// The entry of a kernel of which two builds were compared.
  std::string entry() {
    Build Stock, Demoted;
    Stock.Regs = 64;
    Stock.StaticShared = 1024;
    Stock.BlocksPerSM = 4;
    Stock.CodeBytes = 4096;
    Stock.Cycles = 1234.5678901234567;
    Demoted = Stock;
    Demoted.What = Decision::Demote;
    Demoted.MaxRegs = 40;
    Demoted.Target = 36;
    Demoted.How = Strategy::Resident;
    Demoted.Rewrites = Rewrite::SkipSLSR;
    Demoted.Order = InstOrder::Deep;
    Demoted.Regs = 40;
    Demoted.SpillStoreBytes = 8;
    Demoted.BlocksPerSM = 6;
    Demoted.Cycles = 1000.1;
    Demoted.LoneCycles = 1.0 / 3;
    Outcome S = settledOn({Stock, Demoted}, 1);
    S.IsFree = true;
    S.Why = Reason::PredictedFaster;
    S.Predicted = Prediction{0.19, 0.03, 1};
    S.Unbounded = UnboundedBuild{72, 3, 0.125};
    Function &Kernel = newKernel();
    writeSettled(Kernel, S);
    setRoundings(Kernel, "sums:.fs");
    setFusesOtherwise(Kernel);
    return encodeDecision(Kernel);
  }

  bool isTaken(StringRef Text) {
    Function &Kernel = newKernel();
    if (decodeDecision(Kernel, Text))
      return true;
    EXPECT_FALSE(Kernel.getAttributes().hasFnAttrs()) << Text.str();
    return false;
  }

  /// The entry with New in the place of Old, which it has.
  std::string with(StringRef Old, StringRef New) {
    std::string Text = entry();
    size_t At = Text.find(Old);
    EXPECT_NE(At, std::string::npos) << Old.str();
    return Text.replace(At, Old.size(), New);
  }
};

TEST_F(DecisionEntryTest, ComesBackAsItIs) {
  Function &Kernel = newKernel();
  ASSERT_TRUE(decodeDecision(Kernel, entry()));
  Outcome S = *readSettled(Kernel);
  EXPECT_TRUE(S.FromCache);
  S.FromCache = false;
  writeSettled(Kernel, S);
  EXPECT_EQ(encodeDecision(Kernel), entry());
}

TEST_F(DecisionEntryTest, BadValuesAreRefused) {
  using Edit = std::pair<StringRef, StringRef>;
  for (auto [Old, New] :
       {Edit{"cap=40", "cap=256"},
        Edit{"cap=40", "cap=0"},
        Edit{"cap=40", "cap=4294967336"},
        Edit{"demote=resident:36", "demote=resident:513"},
        Edit{"demote=resident:36", "demote=president:36"},
        Edit{"order=deep", "order=deeper"},
        Edit{R"(\"recipe\":\"stock\")", R"(\"recipe\":\"\")"},
        Edit{R"(\"recipe\":\"stock\")", R"(\"recipe\":4)"},
        Edit{R"(\"blocks_per_sm\":6)", R"(\"blocks_per_sm\":33)"},
        Edit{R"(\"smem\":1024)", R"(\"smem\":4294967295)"},
        Edit{R"(\"cycles\":1000.1)", R"(\"cycles\":-1000.5)"},
        Edit{R"(\"cycles\":1000.1)", R"(\"cycles\":1e999)"},
        Edit{R"(\"best\":1)", R"(\"best\":2)"},
        Edit{R"(\"chosen\":false)", R"(\"chosen\":true)"},
        Edit{R"(\"decision\":\"demote\")", R"(\"decision\":\"demotes\")"},
        Edit{R"(\"reason\":\"predicted-faster\")", R"(\"reason\":\"other\")"},
        Edit{"fused-otherwise", "fused-none"},
        Edit{"fused-otherwise", ""},
        Edit{R"("sums:.fs")", R"("sums:.fx")"},
        Edit{R"("sums:.fs")", R"("fixed")"},
        Edit{R"("regdem-code":)", R"("regdem-launch":)"}})
    EXPECT_FALSE(isTaken(with(Old, New))) << New.str();
}

TEST_F(DecisionEntryTest, DeepNestingIsRefused) {
  constexpr size_t Deep = 1 << 20;
  EXPECT_FALSE(isTaken(std::string(Deep, '[')));
  std::string Hidden; // Strings close no brackets.
  for (size_t I = 0; I != Deep; ++I)
    Hidden += "[\"]\",";
  EXPECT_FALSE(isTaken(Hidden));
  EXPECT_FALSE(
      isTaken("{\"regdem-settled\":\"" + std::string(Deep, '[') + "\"}"));
}

TEST_F(DecisionEntryTest, WhatIsSettledAheadIsRepeatedOnly) {
  std::string Text = entry();
  Text.insert(1, "\"regdem-launch\":\"128\",");
  EXPECT_FALSE(isTaken(Text));
  Function &Kernel = newKernel();
  setLaunchSize(Kernel, {256, std::nullopt});
  EXPECT_FALSE(decodeDecision(Kernel, Text));
  setLaunchSize(Kernel, {128, std::nullopt});
  EXPECT_TRUE(decodeDecision(Kernel, Text));
}

/// Changes Text somewhere, in a way that Random says.
void mutate(std::string &Text, std::minstd_rand &Random) {
  static constexpr StringLiteral Values[] = {
      "-1",    "0",    "1",  "255",  "256", "65536",    "4294967295",
      "1e308", "null", "{}", "true", "[]",  "\\\"\\\"", "99999999999999999999"};
  auto Below = [&](size_t N) { return N ? Random() % N : 0; };
  size_t At = Below(Text.size());
  switch (Below(4)) {
  case 0:
    Text[At] = static_cast<char>(Random());
    break;
  case 1:
    Text.erase(At, Below(20));
    break;
  case 2:
    Text.insert(At, Text.substr(Below(Text.size()), Below(60)));
    break;
  case 3: // Another value for a field.
    At = Text.find("\":", At);
    if (At != std::string::npos)
      Text.replace(At + 2, Text.find_first_of(",}", At) - At - 2,
                   Values[Below(std::size(Values))]);
  }
}

TEST_F(DecisionEntryTest, WhateverItSaysIsUsableOrRefused) {
  const std::string Entry = entry();
  std::minstd_rand Random(1);
  unsigned NumTaken = 0;
  for (unsigned N = 0; N != 20000; ++N) {
    std::string Text = Entry;
    for (unsigned Count = 1 + Random() % 3; Count; --Count)
      mutate(Text, Random);
    Function &Kernel = newKernel();
    if (decodeDecision(Kernel, Text)) {
      ++NumTaken;
      std::optional<Outcome> S = readSettled(Kernel);
      ASSERT_TRUE(S);
      EXPECT_LE(S->MaxRegs, MaxRegsRange.High) << Text;
      EXPECT_LE(S->Target, TargetRange.High) << Text;
      for (const Build &V : S->Builds) {
        EXPECT_LE(V.BlocksPerSM, MinBlocksRange.High) << Text;
        EXPECT_LE(V.StaticShared, 1u << 21) << Text;
        EXPECT_GE(V.Cycles, 0) << Text;
        EXPECT_FALSE(describeBuild(*S, V).empty());
      }
      EXPECT_FALSE(describeDecision(*S).empty());
    }
    Kernel.eraseFromParent();
  }
  EXPECT_GT(NumTaken, 100u); // Another number in its range, say.
}

} // namespace
