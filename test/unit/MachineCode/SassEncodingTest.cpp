//===- SassEncodingTest.cpp - code that is read without a disassembler ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineCode/SassEncoding.h"

#include "MachineCode/SassDecode.h"
#include "SassTexts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// The encodings that a listing of nvdisasm shows.
std::string codeOf(StringRef Listing) {
  std::string Code;
  while (!Listing.empty()) {
    StringRef Line;
    std::tie(Line, Listing) = Listing.split('\n');
    uint64_t Bits = 0;
    if (Line.rsplit("/* 0x").second.split(' ').first.getAsInteger(16, Bits))
      continue;
    char Bytes[8];
    support::endian::write64le(Bytes, Bits);
    Code.append(Bytes, sizeof(Bytes));
  }
  return Code;
}

/// What the cost model knows of I.
std::string show(const SassInstruction &I) {
  std::string Text;
  raw_string_ostream OS(Text);
  auto List = [&OS](StringRef What, ArrayRef<SassRegister> Registers) {
    OS << " " << What;
    for (const SassRegister &R : Registers)
      OS << " " << unsigned(R.File) << ":" << unsigned(R.Index);
  };
  OS << I.Guard << " " << baseOpcode(I.Opcode) << " " << toString(I.Class)
     << " " << I.Bytes << " " << I.Equalities;
  List("writes", I.Writes);
  List("reads", I.Reads);
  List("keeps", I.Kept);
  OS << " control " << unsigned(I.Stall) << I.Yield << " "
     << unsigned(I.WriteBarrier) << unsigned(I.ReadBarrier) << " "
     << unsigned(I.WaitMask);
  return Text;
}

std::string show(const SassKernel &K) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const SassBlock &B : K.Blocks) {
    OS << "block " << B.Frequency << " " << B.Equalities << " to";
    for (unsigned S : B.Successors)
      OS << " " << S;
    OS << "\n";
    for (const SassInstruction &I : B.Instructions)
      OS << show(I) << "\n";
  }
  for (const SassLoop &L : K.Loops)
    OS << "loop " << L.Trips << L.TripsKnown << "\n";
  return Text;
}

/// Opcode and operands of one instruction; empty where it is not known.
std::string decodeOne(uint64_t Low, uint64_t High, unsigned Capability = 90) {
  char Bytes[16];
  support::endian::write64le(Bytes, Low);
  support::endian::write64le(Bytes + 8, High);
  auto Decoded =
      decodeEncoding(StringRef(Bytes, sizeof(Bytes)), "k", Capability);
  if (!Decoded)
    return "";
  const SassLine &Line = Decoded->Text.Lines.front();
  return (Line.Opcode + " " + Line.Operands).str();
}

void compareForms(StringRef File, unsigned Capability) {
  std::string Listing = recordedSass(File);
  Expected<SassText> Printed = splitSassText(Listing);
  ASSERT_TRUE(bool(Printed));
  std::string Code = codeOf(Listing);
  ASSERT_EQ(Code.size(), 16 * Printed->Lines.size());
  ASSERT_GT(Printed->Lines.size(), 300u);
  for (const SassLine &Line : Printed->Lines) {
    auto Decoded = decodeEncoding(StringRef(Code).substr(Line.Address, 16), "k",
                                  Capability);
    ASSERT_TRUE(Decoded) << Line.Opcode.str() << " " << Line.Operands.str();
    EXPECT_EQ(show(decodeSass(Decoded->Text.Lines.front())),
              show(decodeSass(Line)))
        << Line.Opcode.str() << " " << Line.Operands.str();
  }
}

// One of each kind that ptxas has made of the benchmarks and of a few kernels
// for what these lack.
TEST(SassEncoding, EachFormIsThatOfTheDisassembler) {
  compareForms("forms-sm_80.sass", 80);
  compareForms("forms-sm_90.sass", 90);
  compareForms("forms-sm_120.sass", 120);
}

TEST(SassEncoding, KernelsAreThoseOfTheDisassembler) {
  std::string Listing = recordedSass("loops-sm_90.sass");
  auto K = decodeSass({"loops", codeOf(Listing), {}}, "sm_90");
  ASSERT_TRUE(K);
  EXPECT_EQ(show(*K), show(mustParse(Listing)));
  EXPECT_EQ(K->Name, "loops");
}

TEST(SassEncoding, WhatLoopsAreCountedBy) {
  EXPECT_EQ(decodeOne(0x0000000104047836, 0x000fca0000000000),
            "VIADD R4, R4, 0x1");
  EXPECT_EQ(decodeOne(0x0000001b0400780c, 0x000fda0003f25070),
            "ISETP.NE.U32.AND P1, PT, R4, 0x1b, PT");
  EXPECT_EQ(decodeOne(0x000000ffff047224, 0x000fe200078e00ff),
            "IMAD.MOV R4, RZ, RZ, RZ");
  EXPECT_EQ(decodeOne(0x00000003ff0a7435, 0x000fc600000001ff),
            "HFMA2 R10, -RZ, RZ, 0, 1.7881E-7");
}

TEST(SassEncoding, UnknownInstructionsAreLeftToTheDisassembler) {
  // TEX, LDG with a register that is added, LDG with a predicate.
  EXPECT_EQ(decodeOne(0x2000041310107f60, 0x002f6200099e0f12), "");
  EXPECT_EQ(decodeOne(0x0000000402027981, 0x000ea2000c1e0900), "");
  EXPECT_EQ(decodeOne(0x0000000402027981, 0x000ea2000c161900), "");
  // BRA.DIV, HMMA.SP.
  EXPECT_EQ(decodeOne(0x0000000000147947, 0x000fec000b800000), "");
  EXPECT_EQ(decodeOne(0x00000610080c723c, 0x000ff00000005a0c), "");
  // A branch to where there is no code.
  EXPECT_EQ(decodeOne(0x0000000000147947, 0x000fec0003800000), "");
}

TEST(SassEncoding, TheSameBitsMeanOtherThingsElsewhere) {
  EXPECT_EQ(decodeOne(0x0000000402027981, 0x000ea2000c1e1900, 80),
            "LDG R2, [R2.64]");
  EXPECT_EQ(decodeOne(0x0000000402027981, 0x000ea2000c1e1900, 90),
            "LDG R2, desc[UR4][R2.64]");
  EXPECT_EQ(decodeOne(0x0000002010107835, 0x001fe400078e0200, 120),
            "IADD.64 R16, R16, 0x20");
  EXPECT_EQ(decodeOne(0xf3fca213ea0c7402, 0x001fde00003e928a, 120),
            "MOV.64 R12, 0x3e928af3fca213ea");
  EXPECT_EQ(decodeOne(0x000000ff00217202, 0x000fe20000010f00, 90),
            "MOV R33, RZ");
}

TEST(SassEncoding, OtherArchitecturesAreLeftToTheDisassembler) {
  std::string Code = codeOf(recordedSass("loops-sm_90.sass"));
  EXPECT_TRUE(decodeSass({"loops", Code, {}}, "sm_90a"));
  EXPECT_FALSE(decodeSass({"loops", Code, {}}, "sm_75"));
  EXPECT_FALSE(decodeSass({"loops", Code, {}}, "sm_130"));
  EXPECT_FALSE(decodeSass({"loops", Code, {}}, "native"));
}

} // namespace
