//===- PartialStoresTest.cpp - stores of parts of registers ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/PartialStores.h"

#include "MachineText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

/// How many copies stores get in code that has words in %0 and %2 and stores
/// to %1 as Stores says.
size_t copiesFor(const std::string &Stores) {
  MachineText Code("---\nname: f\ntracksRegLiveness: true\nregisters:\n" +
                   declaredRegisters(0, 1, "b32") +
                   declaredRegisters(1, 2, "b64") +
                   declaredRegisters(2, 3, "b32") +
                   "body: |\n  bb.0:\n    %0 = MOV_B32_i 7\n"
                   "    %1 = MOV_B64_i 64\n    %2 = MOV_B32_i 8\n" +
                   Stores + "    Return\n...\n");
  if (!Code)
    return 0;
  MachineFunction &MF = Code.function("f");
  bool Changed = copyPartlyStored(MF, nvptxOpcodes());
  EXPECT_TRUE(MF.verify(nullptr, "behind the copies", &errs(),
                        /*AbortOnError=*/false));
  size_t Copies =
      count_if(MF.front(), [](const MachineInstr &I) { return I.isCopy(); });
  EXPECT_EQ(Changed, Copies != 0);
  return Copies;
}

TEST(PartialStores, CopiesWhatIsStoredInPart) {
  EXPECT_EQ(copiesFor("    ST_i32 %0, 0, 0, 1, 8, %1, 0\n"), 1u);
  EXPECT_EQ(copiesFor("    ST_i32 %0, 0, 0, 1, 8, %1, 0\n"
                      "    ST_i32 killed %2, 0, 0, 1, 16, %1, 4\n"),
            2u);
}

TEST(PartialStores, LeavesWholeWords) {
  EXPECT_EQ(copiesFor("    ST_i32 %0, 0, 0, 1, 32, %1, 0\n"), 0u);
}

// A copy would read what nothing has written.
TEST(PartialStores, LeavesWhatHoldsNothing) {
  EXPECT_EQ(copiesFor("    ST_i32 undef %2, 0, 0, 1, 8, %1, 0\n"), 0u);
}

} // namespace
