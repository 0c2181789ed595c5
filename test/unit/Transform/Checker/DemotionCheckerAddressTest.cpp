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
  rejectsLaunch(LoopKernel, loopResult(), {128, 0, 0, 1024}, {128, 0, 0, 1020},
                "expected an access inside the region's 1020 bytes, found 4 "
                "bytes at offset 512 with stride 4 for 128 threads");
}

TEST(DemotionCheckerAddress, AccessBeforeRegion) {
  rejectsLoop({{Store1, edited(Store1, {{"512", "-4"}})}},
              "offset 4 before it");
}

TEST(DemotionCheckerAddress, MoreThreadsThanSlotsAreFor) {
  rejectsLaunch(LoopKernel, twoSlots(), {128}, {129},
                "expected bytes of thread 0 alone at offset 512 (stride 4, "
                "slot at 512), found bytes of thread 128 (stride 4, slot at 0)"
                " too");
}

TEST(DemotionCheckerAddress, OverlapBetweenLanes) {
  rejects(LoopKernel, twoSlots(), {{Store1, store("%1", "%52", 4)}},
          "found bytes of thread 1 (stride 4, slot at 0) too");
}

TEST(DemotionCheckerAddress, StrideTooWideForLayout) {
  rejects(LoopKernel, twoSlots(),
          {{"MUL_WIDEu32_ri %46, 4", "MUL_WIDEu32_ri %46, 16"}},
          "found bytes of thread 32 (stride 16, slot at 0) too");
}

TEST(DemotionCheckerAddress, StrideNarrowerThanAccess) {
  rejectsLoop({{"MUL_WIDEu32_ri %46, 4", "MUL_WIDEu32_ri %46, 2"}},
              "expected an access aligned to its 4 bytes, found offset 512, "
              "stride 2");
}

TEST(DemotionCheckerAddress, NoStride) {
  rejectsLoop({{"    %52:b64 = ADD64rr %51, %50\n",
                "    %52:b64 = MOV_B64_sym @region\n"}},
              "expected bytes of thread 1 alone at offset 512 (stride 0, slot "
              "at 512)");
}

TEST(DemotionCheckerAddress, WideSlotsOverWords) {
  rejects(LoopKernel, quadResult(),
          {{store("%55", "%54", 2048, 64), store("%55", "%54", 1016, 64)}},
          "slot at 512) too");
}

TEST(DemotionCheckerAddress, WideSlotsAfterMisplacedWords) {
  rejects(LoopKernel, quadResult(),
          {{store("%48", "%52", 512), store("%48", "%52", 2048)}},
          "found bytes of thread 0 (stride 4, slot at 2048) too");
}

TEST(DemotionCheckerAddress, MisalignedOffset) {
  rejectsLoop({{Store1, store("%1", "%52", 514)}},
              "expected an access aligned to its 4 bytes, found offset 514");
}

TEST(DemotionCheckerAddress, WideAccessWithStrideOfWords) {
  rejects(
      LoopKernel,
      edited(withPrologue(LoopKernel),
             {after(Def10, store("%10", "%54", 0, 64))}),
      {{store("%10", "%54", 0, 64), store("%10", "%52", 0, 64)}},
      "expected an access aligned to its 8 bytes, found offset 0, stride 4");
}

TEST(DemotionCheckerAddress, RegionAlignedTooLittle) {
  std::string Prologue4 = edited(Prologue, {{"@region", "@narrow"}});
  std::string Words = edited(withPrologue(LoopKernel, Prologue4),
                             {after(Def1, store("%1", "%52", 0))});
  Launch Narrow;
  Narrow.Region = "narrow";
  rejects(LoopKernel, Words, {after(Def10, store("%10", "%54", 2048, 64))},
          "in a region aligned to 4 bytes", Narrow);
}

TEST(DemotionCheckerAddress, AnotherVariable) {
  rejectsLoop({{"@region", "@other"}}, NoStep);
}

TEST(DemotionCheckerAddress, OffsetInSymbolIsCounted) {
  rejectsLaunch(
      LoopKernel, edited(loopResult(), {{"@region", "@region + 512"}}),
      {128, 0, 0, 1536}, {128, 0, 0, 1532}, "inside the region's 1532 bytes");
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

TEST(DemotionCheckerAddress, ExtentsBeyondThreads) {
  rejectsLaunch(LoopKernel, loopResult(), {128, 16, 8}, {128, 16, 9},
                "for 128 threads in blocks of 16 x 9");
}

TEST(DemotionCheckerAddress, DimensionLeftOut) {
  rejectsLoop({{"MAD_LO_S32rrr %45, %43, %40", "MAD_LO_S32rrr %41, %43, %40"}},
              NoStep);
}

TEST(DemotionCheckerAddress, DimensionsExchanged) {
  rejectsLoop({{"MAD_LO_S32rrr %44, %42, %41", "MAD_LO_S32rrr %43, %42, %41"},
               {"MAD_LO_S32rrr %45, %43, %40", "MAD_LO_S32rrr %45, %44, %40"}},
              NoStep);
}

const std::string IndexText = "    %45:b32 = MAD_LO_S32rrr %44, %42, %41\n"
                              "    %46:b32 = MAD_LO_S32rrr %45, %43, %40\n";
const std::string FoldedText = "    %45:b32 = MAD_LO_S32rir %42, 4, %41\n"
                               "    %46:b32 = MAD_LO_S32rir %45, 16, %40\n";

TEST(DemotionCheckerAddress, WrongFoldedExtent) {
  std::string Folded = edited(loopResult(), {{IndexText, FoldedText}});
  Launch Known{128, 16, 4};
  rejects(LoopKernel, Folded, {{"%45, 16, %40", "%45, 32, %40"}}, NoStep,
          Known);
  rejects(LoopKernel, Folded, {{"%42, 4, %41", "%42, 8, %41"}}, NoStep, Known);
}

TEST(DemotionCheckerAddress, FoldedExtentThatIsNotKnown) {
  std::string Folded = edited(loopResult(), {{IndexText, FoldedText}});
  rejectsLaunch(LoopKernel, Folded, {128, 16, 4}, {128, 16, 0}, NoStep);
  rejectsLaunch(LoopKernel, Folded, {128, 16, 4}, {128, 0, 0}, NoStep);
}

TEST(DemotionCheckerAddress, LeftOutDimensionThatIsNotFlat) {
  std::string Flat =
      edited(loopResult(),
             {{IndexText, "    %46:b32 = MAD_LO_S32rir %41, 16, %40\n"}});
  rejectsLaunch(LoopKernel, Flat, {128, 16, 8}, {128, 16, 4}, NoStep);
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

TEST(DemotionCheckerAddress, AddressRegisterDefinedTwice) {
  rejectsLoop({after("    %54:b64 = ADD64rr %51, %53\n",
                     "    %52:b64 = ADD64rr %51, %53\n")},
              "address register %52 is defined a second time");
  rejectsLoop({before(Reload1, load("%52", "%54", 2048, 64))},
              "address register %52 is defined a second time");
}

TEST(DemotionCheckerAddress, AddressComputedBelowOriginalCode) {
  std::string Step = "    %54:b64 = ADD64rr %51, %53\n";
  rejectsLoop({{Step, ""}, after(Def1, Step)}, "at the top of the entry block");
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
