//===- RegisterPressureTest.cpp - registers that values take ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/RegisterPressure.h"
#include "GraphBuilder.h"
#include "PlanSimulator.h"
#include "RandomGraphs.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace regdem;
using namespace regdem::test;

namespace {

TEST(RegisterPressure, MaximumIsTakenByComponent) {
  EXPECT_EQ(max(RegisterPressure{3, 1}, RegisterPressure{2, 4}),
            (RegisterPressure{3, 4}));
}

TEST(RegisterPressure, SumIsTakenByComponent) {
  RegisterPressure P{3, 1};
  P += {2, 4};
  EXPECT_EQ(P, (RegisterPressure{5, 5}));
  EXPECT_FALSE(P == (RegisterPressure{5, 4}));
  EXPECT_FALSE(P == (RegisterPressure{4, 5}));
}

TEST(RegisterPressure, Print) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(OS, RegisterPressure{7, 2});
  EXPECT_EQ(Text, "7 words, 2 predicates");
}

TEST(RegisterPressure, WordsByWidthAndKind) {
  GraphBuilder Build;
  ValueId Wide = Build.value(4), Free = Build.value(2, ValueKind::Free),
          Bit = Build.value(0, ValueKind::Predicate),
          Branched = Build.value(1, ValueKind::Terminator);
  Build.block();
  KernelGraph G = Build.finish();
  EXPECT_EQ(regdem::pressureOf(G, Wide), (RegisterPressure{4, 0}));
  EXPECT_EQ(regdem::pressureOf(G, Free), (RegisterPressure{0, 0}));
  EXPECT_EQ(regdem::pressureOf(G, Bit), (RegisterPressure{0, 1}));
  EXPECT_EQ(regdem::pressureOf(G, Branched), (RegisterPressure{1, 0}));
}

TEST(RegisterPressure, ResultMayTakeTheRegisterOfADyingOperand) {
  GraphBuilder Build;
  ValueId A = Build.value(), B = Build.value();
  Build.block();
  Build.define(A);
  Build.inst(A, B);
  Build.read(B);
  EXPECT_EQ(maxPressure(Build.finish()).Words, 1u);
}

TEST(RegisterPressure, OperandReadAgainKeepsItsRegister) {
  GraphBuilder Build;
  ValueId A = Build.value(), B = Build.value();
  Build.block();
  Build.define(A);
  Build.inst(A, B);
  Build.inst({A, B});
  EXPECT_EQ(maxPressure(Build.finish()).Words, 2u);
}

TEST(RegisterPressure, ResultThatIsNeverReadTakesARegister) {
  GraphBuilder Build;
  ValueId A = Build.value(), B = Build.value(2);
  Build.block();
  Build.define(A);
  Build.inst({}, B);
  Build.read(A);
  EXPECT_EQ(maxPressure(Build.finish()).Words, 3u);
}

TEST(RegisterPressure, EndOfABlockHoldsWhatAnySuccessorReads) {
  GraphBuilder Build;
  ValueId A = Build.value(), B = Build.value(2);
  Build.block();
  Build.define({A, B});
  Build.block();
  Build.read(A);
  Build.block();
  Build.read(B);
  Build.edge(0, 1);
  Build.edge(0, 2);
  std::vector<RegisterPressure> ByBlock = blockPressures(Build.finish());
  ASSERT_EQ(ByBlock.size(), 3u);
  EXPECT_EQ(ByBlock[0].Words, 3u);
  EXPECT_EQ(ByBlock[1].Words, 1u);
  EXPECT_EQ(ByBlock[2].Words, 2u);
}

TEST(RegisterPressure, ValuesThatPassALoopCountInIt) {
  GraphBuilder Build;
  std::vector<ValueId> Passing = Build.values(5);
  ValueId Bit = Build.value(0, ValueKind::Predicate);
  Build.block();
  Build.define(Passing);
  Build.block();
  Build.inst({}, Bit);
  Build.branch(Bit);
  Build.block();
  Build.read(Passing);
  Build.edge(0, 1);
  Build.edge(1, 1);
  Build.edge(1, 2);
  EXPECT_EQ(blockPressures(Build.finish())[1], (RegisterPressure{5, 1}));
}

TEST(RegisterPressure, AgreesWithASecondCountOnRandomGraphs) {
  for (unsigned Form = 0; Form != NumShapes; ++Form)
    for (uint64_t Seed = 0; Seed != 300; ++Seed) {
      KernelGraph G =
          randomGraph(static_cast<Shape>(Form), Seed, Undefined::None);
      std::string Problem;
      PlannedCode Code = carryOut(G, {}, Problem);
      EXPECT_EQ(maxPressure(G).Words, test::pressureOf(G, Code))
          << "shape " << Form << ", seed " << Seed;
    }
}

} // namespace
