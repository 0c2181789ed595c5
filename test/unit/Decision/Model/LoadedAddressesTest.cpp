//===- LoadedAddressesTest.cpp - loads whose addresses are data -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CodeSummary.h"

#include "SassTexts.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

using namespace regdem;
using llvm::StringRef;

namespace {

/// A letter for each step of Unit, in order: 's' where Flag is set, 'n' where
/// it is not.
std::string lettersOf(bool TraceStep::*Flag, TraceUnit Unit,
                      llvm::ArrayRef<StringRef> Lines) {
  std::string Result;
  for (const TraceStep &S : stepsOf(Unit, Lines))
    Result += S.*Flag ? 's' : 'n';
  return Result;
}

/// Of loads from global memory: 's' for a scattered one, 'n' for one of
/// neighbouring places as far as is known.
std::string loadsOf(llvm::ArrayRef<StringRef> Lines) {
  return lettersOf(&TraceStep::IsScattered, TraceUnit::GlobalLoad, Lines);
}

/// Of loads from global memory: 's' for one of the same place for all threads
/// of a block, 'n' for another.
std::string sharedOf(llvm::ArrayRef<StringRef> Lines) {
  return lettersOf(&TraceStep::IsShared, TraceUnit::GlobalLoad, Lines);
}

TEST(LoadedAddresses, LocalArraysThatDataIndex) {
  const std::vector<StringRef> Lines = {
      "LDG.E R4, [R2.64]",    "LEA R6, R4, R1, 0x2", "STL [R6], R9",
      "LDL R7, [R6+0x4]",     "STL [R1+0x8], R4",    "LDL R8, [R1+0x8]",
      "LEA R6, R10, R1, 0x2", "LDL R7, [R6]",        "EXIT"};
  // Data that is stored is no index.
  EXPECT_EQ(lettersOf(&TraceStep::IsScattered, TraceUnit::LocalStore, Lines),
            "sn");
  EXPECT_EQ(lettersOf(&TraceStep::IsScattered, TraceUnit::LocalLoad, Lines),
            "snn");
}

TEST(LoadedAddresses, StoresToLocalArraysThatDataIndexTakeSectors) {
  std::vector<unsigned> Sectors;
  for (const TraceStep &S :
       stepsOf(TraceUnit::LocalStore,
               {"LDG.E R4, [R2.64]", "LEA R6, R4, R1, 0x2", "STL [R6], R9",
                "STL.64 [R6+0x8], R8", "@P0 STL [R6], R9", "STL [R1+0x8], R4",
                "EXIT"}))
    Sectors.push_back(S.Sectors);
  // Of the third, nobody knows for how many threads.
  EXPECT_EQ(Sectors, (std::vector<unsigned>{20, 40, 0, 0}));
}

// A register holds data on one way and the top of a stack on the other.
TEST(LoadedAddresses, WaysOfABranchKnowNothingOfEachOther) {
  const std::vector<StringRef> Lines = {"MOV R12, R5",
                                        "@P0 BRA `(E)",
                                        "LDG.E R12, [R2.64]",
                                        "BRA `(M)",
                                        "E:",
                                        "MOV R5, R12",
                                        "M:",
                                        "LEA R6, R5, R1, 0x2",
                                        "STL [R6], R9",
                                        "@P1 BRA `(F)",
                                        "LEA R6, R12, R1, 0x2",
                                        "F:",
                                        "STL [R6+0x4], R9",
                                        "EXIT"};
  EXPECT_EQ(lettersOf(&TraceStep::IsScattered, TraceUnit::LocalStore, Lines),
            "nn");
  // In front of the branch it is data for both.
  std::vector<StringRef> Loaded = Lines;
  Loaded[0] = "LDG.E R12, [R4.64]";
  EXPECT_EQ(lettersOf(&TraceStep::IsScattered, TraceUnit::LocalStore, Loaded),
            "ss");
}

TEST(LoadedAddresses, AnIndexThatWasLoaded) {
  EXPECT_EQ(
      loadsOf({"LDG.E R4, [R2.64]", "IMAD.WIDE R6, R4, R5, R8",
               "LDG.E R7, [R6.64+0x10]", "LDG.E R9, [R2.64+0x4]", "EXIT"}),
      "nsn");
}

TEST(LoadedAddresses, TheUpperHalfCountsToo) {
  EXPECT_EQ(
      loadsOf({"LDG.E.64 R4, [R2.64]", "LDG.E R7, [R4.64]", "MOV R4, R8",
               "LDG.E R7, [R4.64]", "MOV R5, R8", "LDG.E R7, [R4.64]", "EXIT"}),
      "nssn");
}

// Mostly the register is reused where the guard holds, and the old value dead.
TEST(LoadedAddresses, GuardedWritesReplaceWhatWasThere) {
  EXPECT_EQ(loadsOf({"LDG.E R4, [R2.64]", "@P0 MOV R4, R8",
                     "IMAD.WIDE R6, R4, R5, R8", "LDG.E R7, [R6.64]", "EXIT"}),
            "nn");
}

TEST(LoadedAddresses, ThroughLocalMemoryAndSlots) {
  EXPECT_EQ(
      loadsOf({"LDG.E R4, [R2.64]", "STL [R1+0x8], R4", "STS [R10+0x400], R4",
               "MOV R4, RZ", "LDL R4, [R1+0x8]", "IMAD.WIDE R6, R4, R5, R8",
               "LDG.E R7, [R6.64]", "MOV R4, RZ", "LDS R4, [R11+0x400]",
               "IMAD.WIDE R6, R4, R5, R8", "LDG.E R7, [R6.64]",
               "LDS R4, [R11+0x800]", "IMAD.WIDE R6, R4, R5, R8",
               "LDG.E R7, [R6.64]", "EXIT"}),
      "nssn");
}

// A frame in shared memory, where the kernel has data of its own.
TEST(LoadedAddresses, WordsOfAMovedFrameAreNotTheKernels) {
  EXPECT_EQ(
      loadsOf({"LDG.E R4, [R2.64]", "STS [R10+0x8], R4", "STS [R1+0xc], R4",
               "LDS R4, [R1+0x8]", "IMAD.WIDE R6, R4, R5, R8",
               "LDG.E R7, [R6.64]", "LDS R4, [R1+0xc]",
               "IMAD.WIDE R6, R4, R5, R8", "LDG.E R7, [R6.64]", "EXIT"}),
      "nns");
}

TEST(LoadedAddresses, AWordThatIsStoredAgainIsForgotten) {
  EXPECT_EQ(loadsOf({"LDG.E R4, [R2.64]", "STL [R1+0x8], R4",
                     "STL [R1+0x8], R9", "LDL R4, [R1+0x8]",
                     "IMAD.WIDE R6, R4, R5, R8", "LDG.E R7, [R6.64]", "EXIT"}),
            "nn");
}

TEST(LoadedAddresses, OneForAllThreadsIsNotScattered) {
  EXPECT_EQ(loadsOf({"LDG.E R4, [R2.64]", "R2UR UR4, R4", "MOV R6, UR4",
                     "LDG.E R7, [R6.64]", "EXIT"}),
            "nn");
}

TEST(LoadedAddresses, WhatAllThreadsIndexAlikeIsShared) {
  // A table, what it leads to, and a row of the block's.
  EXPECT_EQ(
      sharedOf({"LDC.64 R2, c[0x0][0x210]", "LDG.E R4, [R2.64]",
                "IMAD.WIDE R6, R4, 0x4, R2", "LDG.E R5, [R6.64]",
                "S2UR UR4, SR_CTAID.X", "MOV R8, UR4",
                "IMAD.WIDE R6, R8, 0x4, R2", "LDG.E R9, [R6.64]", "EXIT"}),
      "sss");
}

TEST(LoadedAddresses, WhatEachThreadIndexesIsNotShared) {
  // By its number, by what that leads to, by what it reads from shared memory.
  EXPECT_EQ(sharedOf({"LDC.64 R2, c[0x0][0x210]", "S2R R0, SR_TID.X",
                      "IMAD.WIDE R6, R0, 0x4, R2", "LDG.E R4, [R6.64]",
                      "IMAD.WIDE R6, R4, 0x4, R2", "LDG.E R5, [R6.64]",
                      "LDS R8, [0x0]", "IMAD.WIDE R6, R8, 0x4, R2",
                      "LDG.E R5, [R6.64]", "EXIT"}),
            "nnn");
  // By a choice that depends on the number.
  EXPECT_EQ(
      sharedOf({"LDC.64 R2, c[0x0][0x210]", "S2R R0, SR_TID.X",
                "ISETP.GE.AND P0, PT, R0, 0x4, PT", "@P0 IADD3 R2, R2, 0x4, RZ",
                "LDG.E R4, [R2.64]", "EXIT"}),
      "n");
}

TEST(LoadedAddresses, LoopsCarryData) {
  EXPECT_EQ(loadsOf({"L1:", "LDG.E.64 R2, [R2.64]", "@P0 BRA `(L1)", "EXIT"})
                .substr(0, 3),
            "nss");
}

} // namespace
