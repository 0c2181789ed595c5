//===- DemotionCheckerValueTest.cpp - wrong values in slots -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Faults in what slots hold when they are read. Faults in where slots are and
// in what became of the original code have files of their own.
//
//===----------------------------------------------------------------------===//

#include "DemotionCheckerRejects.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace regdem::test;

namespace {

const std::string Unwritten = "not written on every path";
const std::string Unset = "set since the last instruction of the original";

TEST(DemotionCheckerValue, SkippedStore) {
  rejectsLoop({{Store1, ""}}, "found a slot that is not written on every path");
}

TEST(DemotionCheckerValue, MessageThatNamesKernelBlockInstructionAndValue) {
  rejectsLoop({{Store1, ""}},
              "kernel 'after', bb.2: '%1:b32 = LD_i32 0, 0, 3, 3, 32, -1, "
              "%52, 512': value %1: expected %1 in the thread's word 1, found");
}

TEST(DemotionCheckerValue, StoreOnOnePredecessorOnly) {
  rejects(DiamondKernel, diamondResult(),
          {{Arm2 + store("%1", "%52", 0), Arm2}}, Unwritten);
}

TEST(DemotionCheckerValue, StoreAfterLoopOnly) {
  rejectsLoop({{Store1, ""}, before(Reload1, Store1)}, Unwritten);
}

TEST(DemotionCheckerValue, StoreBeforeDefinition) {
  rejectsLoop({{Def1 + Store1, Store1 + Def1}}, "a stale value: %1 is defined");
}

TEST(DemotionCheckerValue, StaleSlotAroundLoop) {
  // Right only for the first iteration.
  rejects(LoopKernel, withPrologue(LoopKernel),
          {after(LoopEntry, store("%2", "%52", 0)),
           before(LoopBody, load("%2", "%52", 0))},
          "value %2: expected %2 in the thread's word 0, found a stale value");
}

TEST(DemotionCheckerValue, StaleSlotAfterRedefinition) {
  rejects(LoopKernel, withPrologue(LoopKernel),
          {after(LoopEntry, store("%2", "%52", 0)),
           after(LoopBody, load("%2", "%52", 0))},
          "a stale value");
}

TEST(DemotionCheckerValue, AnotherValueInSlot) {
  rejectsLoop({{Store1, store("%0", "%52", 512)}},
              "found byte 0 of %0 where byte 0 of %1 has to be");
}

TEST(DemotionCheckerValue, SlotSharedByOverlappingStretches) {
  rejectsLoop({after(Store1, store("%0", "%52", 512))},
              "found byte 0 of %0 where byte 0 of %1 has to be");
}

TEST(DemotionCheckerValue, SlotOverwrittenOnOnePath) {
  rejectsLoop({after(LoopEntry, store("%0", "%52", 512))},
              "where byte 0 of %1 has to be");
  rejects(DiamondKernel, diamondResult(),
          {{Arm2 + store("%1", "%52", 0), Arm2 + store("%0", "%52", 0)}},
          "different values on different paths");
}

TEST(DemotionCheckerValue, SwappedSlots) {
  rejects(LoopKernel,
          edited(loopResult(), {after(Store1, store("%0", "%52", 0)),
                                before(Use1, load("%0", "%52", 0))}),
          {{load("%0", "%52", 0), load("%0", "%52", 512)}},
          "found byte 0 of %1 where byte 0 of %0 has to be");
}

TEST(DemotionCheckerValue, WrongReloadOffset) {
  rejectsLoop({{Reload1, load("%1", "%52", 1024) + Use1}}, Unwritten);
}

TEST(DemotionCheckerValue, WrongReloadWidth) {
  Launch L;
  L.Change = [](llvm::MachineFunction &MF) {
    llvm::MachineInstr &Parameter = *std::next(MF.front().begin(), 10);
    llvm::MachineInstr &Reload = MF.back().front();
    Reload.setDesc(Parameter.getDesc());
    Reload.getOperand(5).setImm(32);
  };
  std::string Result = edited(withPrologue(LoopKernel, WidePrologue),
                              {after(Def10, store("%10", "%52", 2048, 64)),
                               before(Use1, load("%10", "%52", 2048, 64))});
  rejectsLaunch(LoopKernel, Result, {}, L,
                "expected 4 bytes, found %10 of 8 bytes");
}

TEST(DemotionCheckerValue, WrongStoreWidth) {
  rejectsLoop({{Store1, store("%1", "%52", 512, 16)}},
              "expected a store of the 4 bytes of %1, found 2 bytes");
}

TEST(DemotionCheckerValue, OnlyHalfOfWideSlotWritten) {
  rejects(LoopKernel, wordsResult(), {{store("%48", "%52", 1024), ""}},
          Unwritten);
}

TEST(DemotionCheckerValue, SwappedHalvesOnStore) {
  rejects(
      LoopKernel, wordsResult(),
      {{store("%47", "%52", 0), store("%48", "%52", 0)}},
      "expected bytes 0-3 of %10 in the thread's word 0, found byte 4 of %10 "
      "where byte 0 of %10 has to be");
}

TEST(DemotionCheckerValue, SwappedHalvesOnJoin) {
  rejects(LoopKernel, wordsResult(),
          {{"V2I32toI64 %47, %48", "V2I32toI64 %48, %47"}},
          "found byte 0 of %10 where byte 4 of %10 has to be");
}

TEST(DemotionCheckerValue, SwappedHalvesOf128Bits) {
  rejects(LoopKernel, quadResult(),
          {{"V2I64toI128 %57, %58", "V2I64toI128 %58, %57"}}, "has to be");
}

TEST(DemotionCheckerValue, SameHalfTwice) {
  rejects(LoopKernel, wordsResult(),
          {{"V2I32toI64 %47, %48", "V2I32toI64 %47, %47"}},
          "a loaded part is used a second time");
}

TEST(DemotionCheckerValue, HalfStoredAfterItsValueChanged) {
  rejects(LoopKernel, wordsResult(),
          {{"    %47:b32, %48:b32 = I64toV2I32 %10\n", ""},
           before(Def10, "    %47:b32, %48:b32 = I64toV2I32 %10\n")},
          Unset);
}

TEST(DemotionCheckerValue, HalfFromAnotherBlock) {
  rejects(
      LoopKernel, wordsResult(),
      {{load("%47", "%52", 0), ""}, after(LoopEntry, load("%47", "%52", 0))},
      Unset);
}

TEST(DemotionCheckerValue, JoinAfterRedefinition) {
  // The loads are right, but the join comes after the next definition.
  std::string Original =
      edited(LoopKernel, {after(Use10, "    %10:b64 = ADD64rr %11, %11\n")});
  std::string Right =
      edited(wordsResult(), {after(Use10, "    %10:b64 = ADD64rr %11, %11\n")});
  std::string Join = "    %10:b64 = V2I32toI64 %47, %48\n";
  rejects(Original, Right,
          {{Join, ""}, after("    %10:b64 = ADD64rr %11, %11\n", Join)}, Unset);
}

TEST(DemotionCheckerValue, ReloadOneBlockTooLate) {
  // The split edge's reload is right on that edge only if the store is before
  // the branch.
  rejects(LoopKernel, splitEdgeResult(),
          {{Def1 + store("%1", "%52", 0), Def1},
           before(LoopBody, store("%1", "%52", 0))},
          Unwritten);
}

TEST(DemotionCheckerValue, SixteenBitSlotReadAsWord) {
  rejects(LoopKernel,
          edited(withPrologue(LoopKernel),
                 {after(Def20, store("%20", "%52", 0, 16)),
                  before(Use20, load("%20", "%52", 0, 16))}),
          {{load("%20", "%52", 0, 16), load("%1", "%52", 0)}}, "has to be");
}

} // namespace
