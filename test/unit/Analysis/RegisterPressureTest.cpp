//===- RegisterPressureTest.cpp - registers that values take ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/RegisterPressure.h"
#include "GraphBuilder.h"
#include "PlanSimulator.h"
#include "RandomGraphs.h"
#include "gtest/gtest.h"

using namespace regdem;
using namespace regdem::test;

namespace {

TEST(RegisterPressure, WordsByWidthAndKind) {
  GraphBuilder Build;
  ValueId Wide = Build.value(4), Free = Build.value(2, ValueKind::Free),
          Bit = Build.value(0, ValueKind::Predicate),
          Branched = Build.value(1, ValueKind::Terminator);
  for (ValueId V : {Wide, Free, Bit, Branched}) {
    Build.block();
    Build.define(V);
  }
  for (BlockId B = 0; B != 3; ++B)
    Build.edge(B, B + 1);
  EXPECT_EQ(blockPressures(Build.finish()),
            (std::vector<unsigned>{4, 0, 0, 1}));
}

TEST(RegisterPressure, ResultMayTakeTheRegisterOfADyingOperand) {
  GraphBuilder Build;
  ValueId A = Build.value(), B = Build.value();
  Build.block();
  Build.define(A);
  Build.inst(A, B);
  Build.read(B);
  EXPECT_EQ(maxPressure(Build.finish()), 1u);
}

TEST(RegisterPressure, OperandReadAgainKeepsItsRegister) {
  GraphBuilder Build;
  ValueId A = Build.value(), B = Build.value();
  Build.block();
  Build.define(A);
  Build.inst(A, B);
  Build.inst({A, B});
  EXPECT_EQ(maxPressure(Build.finish()), 2u);
}

TEST(RegisterPressure, ResultThatIsNeverReadTakesARegister) {
  GraphBuilder Build;
  ValueId A = Build.value(), B = Build.value(2);
  Build.block();
  Build.define(A);
  Build.inst({}, B);
  Build.read(A);
  EXPECT_EQ(maxPressure(Build.finish()), 3u);
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
  EXPECT_EQ(blockPressures(Build.finish()), (std::vector<unsigned>{3, 1, 2}));
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
  EXPECT_EQ(blockPressures(Build.finish())[1], 5u);
}

TEST(RegisterPressure, AgreesWithASecondCountOnRandomGraphs) {
  for (unsigned Form = 0; Form != NumShapes; ++Form)
    for (uint64_t Seed = 0; Seed != 300; ++Seed) {
      KernelGraph G =
          randomGraph(static_cast<Shape>(Form), Seed, Undefined::None);
      std::string Problem;
      PlannedCode Code = carryOut(G, {}, Problem);
      EXPECT_EQ(maxPressure(G), test::pressureOf(G, Code))
          << "shape " << Form << ", seed " << Seed;
    }
}

} // namespace
