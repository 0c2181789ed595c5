//===- RawCodeTest.cpp - several kernels in one listing -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/RawCode.h"

#include "regdem/MachineCode/Sass.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

/// An instruction as nvdisasm prints it at Address of plain machine code.
std::string line(unsigned Address, const std::string &Text) {
  char Number[8];
  snprintf(Number, sizeof(Number), "%04x", Address);
  return std::string("        /*") + Number + "*/                   " + Text +
         " ;    /* 0x0000000000007919 */\n"
         "                        /* 0x000fe20000000800 */\n";
}

const std::string Head = "\t.headerflags\t@\"EF_CUDA_SM90\"\n";

/// A loop of two instructions, 64 bytes, at Start.
std::string loop(unsigned Start) {
  char Target[16];
  snprintf(Target, sizeof(Target), "0x%x", Start + 16);
  return line(Start, "S2R R0, SR_TID.X") +
         line(Start + 16, "IADD3 R0, R0, 0x1, RZ") +
         line(Start + 32, std::string("@P0 BRA ") + Target) +
         line(Start + 48, "EXIT");
}

std::vector<RawCode> codes(size_t Bytes, unsigned Count) {
  static const std::string Zeros(1024, '\0');
  std::vector<RawCode> Result;
  for (unsigned I = 0; I != Count; ++I)
    Result.push_back(
        {I ? "second" : "first", llvm::StringRef(Zeros).take_front(Bytes), {}});
  return Result;
}

SassKernel parsed(const std::string &Text) {
  llvm::Expected<SassKernel> K = parseSass(Text);
  EXPECT_TRUE(bool(K)) << Text;
  if (!K) {
    consumeError(K.takeError());
    return SassKernel();
  }
  return *K;
}

TEST(RawCode, EachKernelGetsItsOwnAddressesAndLoops) {
  auto Texts = splitRawListing(Head + loop(0) + loop(64), codes(64, 2));
  ASSERT_TRUE(Texts);
  ASSERT_EQ(Texts->size(), 2u);
  for (size_t I : {0, 1}) {
    SassKernel K = parsed((*Texts)[I]);
    EXPECT_EQ(K.Name, I ? "second" : "first");
    ASSERT_EQ(K.Blocks.size(), 3u);
    EXPECT_EQ(K.Blocks[0].Instructions.front().Address, 0u);
    ASSERT_EQ(K.Loops.size(), 1u);
    EXPECT_EQ(K.Loops[0].Header, 1u);
  }
}

TEST(RawCode, CallWithinTheCodeIsFollowed) {
  std::string Listing = Head + line(0, "CALL.REL.NOINC 0x20") +
                        line(16, "EXIT") + line(32, "RET.REL.NODEC R4 0x0") +
                        line(48, "NOP");
  auto Texts = splitRawListing(Listing, codes(64, 1));
  ASSERT_TRUE(Texts);
  SassKernel K = parsed(Texts->front());
  EXPECT_EQ(K.Functions.size(), 2u);
  EXPECT_FALSE(K.HasUnknownCallees);
}

TEST(RawCode, CodeThatNeedsSymbolsHasNoText) {
  for (const char *Text : {"BRX R2 -0x40", "CALL.REL.NOINC R4 0x20",
                           "CALL.ABS.NOINC 0x400", "BRA 0x80", "JMP 0x10"}) {
    std::string Listing = Head + line(0, Text) + line(16, "EXIT") +
                          line(32, "NOP") + line(48, "NOP");
    auto Texts = splitRawListing(Listing + loop(64), codes(64, 2));
    ASSERT_TRUE(Texts) << Text;
    EXPECT_EQ(Texts->front(), "") << Text;
    EXPECT_EQ(parsed(Texts->back()).Loops.size(), 1u) << Text;
  }
}

TEST(RawCode, ListingThatEndsEarlyIsRefused) {
  EXPECT_FALSE(splitRawListing(Head + loop(0), codes(64, 2)));
  EXPECT_FALSE(splitRawListing("", codes(64, 1)));
}

TEST(RawCode, WhatIsNoCubinHasNoCode) {
  EXPECT_FALSE(rawCodeOf(""));
  EXPECT_FALSE(rawCodeOf("\177ELF, or so"));
}

} // namespace
