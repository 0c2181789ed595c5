//===- DemotionCheckerAddressTest.cpp - wrong slot addresses ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DemotionCheckerRejects.h"

using namespace regdem::test;

namespace {

const std::string NoStep = "expected a step from thread coordinates";

/// %1 at offset 512, %0 at offset 0.
std::string twoSlots() {
  return edited(loopResult(), {after(Store1, store("%0", "%52", 0)),
                               before(Use1, load("%0", "%52", 0))});
}

TEST(DemotionCheckerAddress, AccessBeyondRegion) {
  rejectsLaunch(LoopKernel, loopResult(), {128, {}, 1024}, {128, {}, 1020},
                "expected an access to what is the thread's alone, found 4 "
                "bytes at offset 512 where 1020 bytes hold rows of 4 bytes for "
                "each of 128 threads");
}

TEST(DemotionCheckerAddress, AccessBeforeRegion) {
  rejectsLoop({{Store1, edited(Store1, {{"512", "-4"}})}},
              "found 4 bytes at offset -4 ");
}

TEST(DemotionCheckerAddress, MoreThreadsThanSlotsAreFor) {
  rejectsLaunch(LoopKernel, twoSlots(), {128}, {129},
                "found 4 bytes at offset 512 ");
}

TEST(DemotionCheckerAddress, OverlapBetweenLanes) {
  rejects(LoopKernel, twoSlots(), {{Store1, store("%1", "%52", 4)}},
          "found 4 bytes at offset 4 ");
}

TEST(DemotionCheckerAddress, StrideTooWideForLayout) {
  rejects(LoopKernel, twoSlots(),
          {{"MUL_WIDEu32_ri %46, 4", "MUL_WIDEu32_ri %46, 16"}},
          "rows of 16 bytes for each of 128 threads");
}

TEST(DemotionCheckerAddress, StrideNarrowerThanAccess) {
  rejectsLoop({{"MUL_WIDEu32_ri %46, 4", "MUL_WIDEu32_ri %46, 2"}},
              "rows of 2 bytes for each of 128 threads");
}

TEST(DemotionCheckerAddress, NoStride) {
  rejectsLoop({{"    %52:b64 = ADD64rr %51, %50\n",
                "    %52:b64 = MOV_B64_sym @region\n"}},
              NoStep);
  rejectsLoop({{"MUL_WIDEu32_ri %46, 4", "MUL_WIDEu32_ri %46, 0"}}, NoStep);
}

TEST(DemotionCheckerAddress, MisalignedOffset) {
  rejects(LoopKernel, withPrologue(LoopKernel, WidePrologue),
          {after(Def1, store("%1", "%52", 1026))},
          "expected an access aligned to its 4 bytes, found offset 1026");
}

TEST(DemotionCheckerAddress, HalfAWordInTheSecondHalf) {
  rejects(LoopKernel, withPrologue(LoopKernel),
          {after(Def20, store("%20", "%52", 2, 16))},
          "expected an access aligned to its 2 bytes, found offset 2");
}

TEST(DemotionCheckerAddress, StrideThatIsNoMultipleOfAccess) {
  rejects(LoopKernel, withPrologue(LoopKernel),
          {{"MUL_WIDEu32_ri %46, 4", "MUL_WIDEu32_ri %46, 6"},
           after(Def1, store("%1", "%52", 0))},
          "found offset 0 in rows of 6 bytes for each thread");
}

TEST(DemotionCheckerAddress, WideAccessWithStrideOfWords) {
  rejects(LoopKernel,
          edited(withPrologue(LoopKernel, WidePrologue),
                 {after(Def10, store("%10", "%52", 0, 64))}),
          {{"%46, 8", "%46, 4"}}, "found 8 bytes at offset 0 ");
}

TEST(DemotionCheckerAddress, RegionAlignedTooLittle) {
  std::string Prologue4 = edited(WidePrologue, {{"@region", "@narrow"}});
  std::string Words = edited(withPrologue(LoopKernel, Prologue4),
                             {after(Def1, store("%1", "%52", 0))});
  Launch Narrow;
  Narrow.Region = "narrow";
  rejects(LoopKernel, Words, {after(Def10, store("%10", "%52", 2048, 64))},
          "in a region aligned to 4 bytes", Narrow);
}

TEST(DemotionCheckerAddress, AnotherVariable) {
  rejectsLoop({{"@region", "@other"}}, NoStep);
}

TEST(DemotionCheckerAddress, OffsetInSymbol) {
  rejectsLoop({{"@region", "@region + 512"}}, NoStep);
}

TEST(DemotionCheckerAddress, RegionNotShared) {
  Launch Global;
  Global.Region = "global";
  rejectsLaunch(LoopKernel, loopResult(), {}, Global,
                "expected a region in shared memory");
}

TEST(DemotionCheckerAddress, NoThreads) {
  rejectsLaunch(LoopKernel, loopResult(), {}, {0}, "at least one thread");
}

TEST(DemotionCheckerAddress, DimensionLeftOut) {
  rejectsLoop({{"MAD_LO_S32rrr %45, %43, %40", "MAD_LO_S32rrr %41, %43, %40"}},
              NoStep);
}

TEST(DemotionCheckerAddress, DimensionsExchanged) {
  rejectsLoop(
      {{"%44:b32 = INT_PTX_SREG_NTID_y", "%44:b32 = INT_PTX_SREG_NTID_x"},
       {"%43:b32 = INT_PTX_SREG_NTID_x", "%43:b32 = INT_PTX_SREG_NTID_y"}},
      NoStep);
}

const std::string SolidText = "    %42:b32 = INT_PTX_SREG_TID_z\n"
                              "    %44:b32 = INT_PTX_SREG_NTID_y\n"
                              "    %45:b32 = MAD_LO_S32rrr %42, %44, %41\n"
                              "    %43:b32 = INT_PTX_SREG_NTID_x\n"
                              "    %46:b32 = MAD_LO_S32rrr %45, %43, %40\n";

/// loopResult() for blocks of 16 x 4 x 2 threads.
std::string foldedResult() {
  return edited(loopResult(),
                {{SolidText, "    %42:b32 = INT_PTX_SREG_TID_z\n"
                             "    %45:b32 = MAD_LO_S32rir %42, 4, %41\n"
                             "    %46:b32 = MAD_LO_S32rir %45, 16, %40\n"}});
}
const Launch Folded{128, {16, 4, 2}};

TEST(DemotionCheckerAddress, ExtentsBeyondThreads) {
  rejectsLaunch(LoopKernel, foldedResult(), Folded, {127, {16, 4, 2}},
                "for 127 threads in blocks of 16 x 4 x 2");
}

TEST(DemotionCheckerAddress, WrongFoldedExtent) {
  rejects(LoopKernel, foldedResult(), {{"%45, 16, %40", "%45, 32, %40"}},
          NoStep, Folded);
  rejects(LoopKernel, foldedResult(), {{"%42, 4, %41", "%42, 8, %41"}}, NoStep,
          Folded);
}

TEST(DemotionCheckerAddress, FoldedExtentThatIsNotKnown) {
  rejectsLaunch(LoopKernel, foldedResult(), Folded, {128, {16, 0, 0}}, NoStep);
  rejectsLaunch(LoopKernel, foldedResult(), Folded, {128}, NoStep);
}

TEST(DemotionCheckerAddress, LeftOutDimensionThatIsNotFlat) {
  std::string Flat =
      edited(loopResult(),
             {{SolidText, "    %46:b32 = MAD_LO_S32rir %41, 16, %40\n"}});
  rejectsLaunch(LoopKernel, Flat, {128, {16, 8, 1}}, Folded, NoStep);
}

TEST(DemotionCheckerAddress, ProductThatWraps) {
  rejectsLoop({{"    %50:b64 = MUL_WIDEu32_ri %46, 4\n",
                "    %47:b32 = MAD_LO_S32rir %46, 67108864, %46\n"
                "    %50:b64 = MUL_WIDEu32_ri %47, 4\n"}},
              NoStep);
}

TEST(DemotionCheckerAddress, ProductThatIsNoMultipleOfIndex) {
  rejectsLoop({{"MUL_WIDEu32_ri %46, 4", "MUL_WIDEu32_ri %40, 4"}}, NoStep);
}

TEST(DemotionCheckerAddress, RegisterSetTwiceOnTheWay) {
  rejectsLoop(
      {{"%44:b32 = INT_PTX_SREG_NTID_y", "%42:b32 = INT_PTX_SREG_NTID_y"},
       {"%42, %44, %41", "%42, %42, %41"}},
      NoStep);
}

TEST(DemotionCheckerAddress, OriginalRegisterSetOnTheWay) {
  rejectsLoop(
      {{"%44:b32 = INT_PTX_SREG_NTID_y", "%1:b32 = INT_PTX_SREG_NTID_y"},
       {"%42, %44, %41", "%42, %1, %41"}},
      NoStep);
}

TEST(DemotionCheckerAddress, AddressRegisterDefinedTwice) {
  std::string Step = "    %52:b64 = ADD64rr %51, %50\n";
  rejectsLoop({after(Step, Step)}, " of the original, found this instruction");
  rejects(LoopKernel, withPrologue(LoopKernel, WidePrologue),
          {before(Use1, load("%52", "%52", 2048, 64))},
          "address register %52 is defined a second time");
}

TEST(DemotionCheckerAddress, AddressComputedBelowOriginalCode) {
  std::string Step = "    %52:b64 = ADD64rr %51, %50\n";
  rejectsLoop({{Step, ""}, after(Def1, Step)}, NoStep);
}

TEST(DemotionCheckerAddress, BaseThatIsNoAddress) {
  rejectsLoop({{Store1, store("%1", "%50", 512)}},
              "expected an address in the region in %50");
  rejectsLoop({{Store1, store("%1", "%59", 512)}},
              "expected an address in the region in %59");
}

TEST(DemotionCheckerAddress, AnotherAddressSpace) {
  rejectsLoop({{Store1, edited(Store1, {{"0, 0, 3, 32", "0, 0, 1, 32"}})}},
              "expected 3 as operand 3");
}

TEST(DemotionCheckerAddress, AtomicOrVolatileOrdering) {
  for (const char *Found : {"2, 0, 3, 32", "8, 0, 3, 32"})
    rejectsLoop({{Store1, edited(Store1, {{"0, 0, 3, 32", Found}})}},
                "expected 0 as operand 1");
}

TEST(DemotionCheckerAddress, ReloadOfFewerBits) {
  rejectsLoop({{Reload1, edited(Reload1, {{"3, 3, 32", "3, 3, 8"}})}},
              "expected 32 as operand 5");
}

TEST(DemotionCheckerAddress, ReloadMarkedInvariant) {
  rejectsLoop({{Reload1, edited(Reload1, {{"%52, 512",
                                           "%52, 512 :: (invariant load (s32), "
                                           "addrspace 3)"}})}},
              "expected a plain memory operand");
}

} // namespace
