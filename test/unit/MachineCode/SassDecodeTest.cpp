//===- SassDecodeTest.cpp - single instructions ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassTexts.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// Text, an instruction, as the parser reads it.
SassInstruction decode(StringRef Text) {
  return mustParse(writeSass({Text, "EXIT"})).Blocks[0].Instructions[0];
}

struct Access {
  const char *Text;
  SassClass Class;
  unsigned Bytes;
};

TEST(SassDecode, ClassAndWidth) {
  using C = SassClass;
  const Access Cases[] = {
      {"LDL.LU.64 R4, [R1+0x8]", C::LocalLoad, 8},
      {"STL.128 [R1], R4", C::LocalStore, 16},
      {"LDS.U.64 R4, [R2]", C::SharedLoad, 8},
      {"LDSM.16.M88.4 R4, [R2]", C::SharedLoad, 16},
      {"STS.U8 [R2+0x4], R7", C::SharedStore, 1},
      {"LDG.E.S16.CONSTANT R4, desc[UR4][R2.64]", C::GlobalLoad, 2},
      {"LDG.E.LTC128B R4, desc[UR4][R2.64]", C::GlobalLoad, 4},
      {"LDG.E.ENL2.256 R4, R8, desc[UR4][R2.64]", C::GlobalLoad, 32},
      {"LD.E.64 R4, [R2.64]", C::GlobalLoad, 8},
      {"ST.E [R2.64], R4", C::GlobalStore, 4},
      {"LDC.U16 R4, c[0x0][0x210]", C::ConstantLoad, 2},
      {"ULDC.64 UR4, c[0x0][0x208]", C::ConstantLoad, 8},
      {"LDCU.128 UR4, c[0x0][0x380]", C::ConstantLoad, 16},
      {"LDGSTS.E.BYPASS.128 [R9], desc[UR8][R2.64]", C::AsyncCopy, 16},
      {"ATOMS.ADD RZ, [R4], R5", C::Atomic, 4},
      {"ATOMG.E.CAS.64.STRONG.GPU PT, R4, [R2], R6, R8", C::Atomic, 8},
      {"REDG.E.ADD.F64.RN.STRONG.GPU desc[UR8][R10.64], R6", C::Atomic, 8},
      {"REDUX.SUM.S32 UR4, R2", C::Shuffle, 0},
      {"TEX.SCR.LL R4, R6, R8, R2, 0x0, 0x58, 2D", C::Texture, 0},
      {"HMMA.16816.F32 R4, R8, R12, RZ", C::Tensor, 0},
      {"FSEL R4, R5, R6, P0", C::FP32, 0},
      {"DSETP.GEU.AND P0, PT, R4, R6, PT", C::FP64, 0},
      {"HFMA2.MMA R4, R5, R6, R7", C::Half, 0},
      {"LOP3.LUT R4, R5, 0xff, RZ, 0xc0, !PT", C::Integer, 0},
      {"F2F.F64.F32 R4, R6", C::Conversion, 0},
      {"MUFU.RCP64H R5, R7", C::Special, 0},
      {"UIADD3 UR4, UR5, 0x1, URZ", C::Uniform, 0},
      {"VOTEU.ANY UR4, UPT, PT", C::Shuffle, 0},
      {"BSSY B0, `(k)", C::Branch, 0},
      {"BAR.SYNC.DEFER_BLOCKING 0x0", C::Barrier, 0},
      {"SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R4], R5", C::Barrier, 0},
      {"IMAD.MOV.U32 R4, RZ, RZ, 0x3", C::Move, 0},
      {"IMAD.U32 R4, RZ, RZ, UR4", C::Integer, 0},
      {"S2R R4, SR_TID.X", C::SystemRegister, 0},
      {"NANOSLEEP 0x64", C::Other, 0},
      {"@!PT LDS RZ, [RZ]", C::Other, 0},
      {"NEWOP.X R4, R5", C::Other, 0},
  };
  for (const Access &A : Cases) {
    SassInstruction I = decode(A.Text);
    EXPECT_EQ(I.Class, A.Class) << A.Text << ": " << toString(I.Class).str();
    EXPECT_EQ(I.Bytes, A.Bytes) << A.Text;
  }
}

TEST(SassDecode, ClassNamesDiffer) {
  std::vector<StringRef> Names;
  for (unsigned C = 0; C != NumSassClasses; ++C) {
    StringRef Name = toString(static_cast<SassClass>(C));
    EXPECT_FALSE(Name.empty());
    for (StringRef Other : Names)
      EXPECT_NE(Name, Other);
    Names.push_back(Name);
  }
}

struct Operation {
  const char *Text, *Writes, *Reads;
};

TEST(SassDecode, Registers) {
  const Operation Cases[] = {
      {"FFMA R4, R5.reuse, -|R6|, R4", "R4", "R5 R6 R4"},
      {"@!P2 MOV R4, R5", "R4", "P2 R5"},
      {"@UP1 UMOV UR4, 0x4", "UR4", "UP1"},
      {"FADD R4, RZ, c[0x0][0x210]", "R4", ""},
      {"LDG.E.64 R4, desc[UR6][R2.64+0x8]", "R4 R5", "UR6 UR7 R2 R3"},
      {"STG.E.128 desc[UR6][R2.64], R8", "", "UR6 UR7 R2 R3 R8 R9 R10 R11"},
      {"STS [R2+UR4+0x10], R8", "", "R2 UR4 R8"},
      {"LDC.64 R8, c[0x2][R6]", "R8 R9", "R6"},
      {"REDG.E.ADD.F64.RN.STRONG.GPU desc[UR8][R10.64], R6", "",
       "UR8 UR9 R10 R11 R6 R7"},
      {"ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR4][R2.64], R7", "R4",
       "UR4 UR5 R2 R3 R7"},
      {"SHFL.BFLY PT, R4, R5, 0x1, 0x1f", "R4", "R5"},
      {"ISETP.GE.AND P0, PT, R4, UR6, P1", "P0", "R4 UR6 P1"},
      {"PLOP3.LUT P0, P2, P1, PT, PT, 0x8, 0x0", "P0 P2", "P1"},
      {"IADD3 R4, P0, P1, R5, R6, R7", "R4 P0 P1", "R5 R6 R7"},
      {"IADD3.X R4, PT, PT, R5, R6, RZ, P0, !PT", "R4", "R5 R6 P0"},
      {"LEA R4, P0, R5, UR6, 0x2", "R4 P0", "R5 UR6"},
      {"LOP3.LUT P0, RZ, R4, 0x3, RZ, 0xc0, !PT", "P0", "R4"},
      {"SEL R4, R5, R6, !P0", "R4", "R5 R6 P0"},
      {"VOTE.ANY R4, PT, P3", "R4", "P3"},
      {"IMAD.WIDE.U32 R4, R6, 0x4, R8", "R4 R5", "R6 R8 R9"},
      {"DFMA R4, R6, c[0x0][0x210], R8", "R4 R5", "R6 R7 R8 R9"},
      {"DSETP.GT.AND P0, PT, |R4|, R6, PT", "P0", "R4 R5 R6 R7"},
      {"F2F.F64.F32 R4, R6", "R4 R5", "R6"},
      {"F2F.F32.F64 R4, R6", "R4", "R6 R7"},
      {"I2F.F64.S64 R4, R6", "R4 R5", "R6 R7"},
      {"F2I.U64.TRUNC R4, R6", "R4 R5", "R6"},
      {"CS2R R4, SRZ", "R4 R5", ""},
      {"CS2R.32 R4, SR_CLOCKLO", "R4", ""},
      {"SUST.D.BA.2D.128.STRONG.SM.TRAP [R12], R4, UR6, 0x0", "",
       "R12 R4 R5 R6 R7 UR6"},
      {"SUST.P.2D.STRONG.SM.TRAP [R12], R4, UR6, 0x0", "",
       "R12 R4 R5 R6 R7 UR6"},
      {"MATCH.ANY.U64 R6, R8", "R6", "R8 R9"},
      {"REDG.E.ADD.F32x2.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R10", "",
       "UR4 UR5 R6 R7 R10 R11"},
      {"REDG.E.ADD.F16x8.RN.STRONG.GPU desc[UR6][R14.64], R8", "",
       "UR6 UR7 R14 R15 R8 R9 R10 R11"},
      {"DMMA.16x8x8 R16, R24, R32, R40", "R16 R17 R18 R19 R20 R21 R22 R23",
       "R24 R25 R26 R27 R28 R29 R30 R31 R32 R33 R34 R35 R40 R41 R42 R43 R44 "
       "R45 R46 R47"},
      {"DMMA.8x8x4 R4, R4, R6, R4", "R4 R5 R6 R7", "R4 R5 R6 R7"},
      {"SYNCS.ARRIVE.TRANS64.A1T0 R8, [UR4], RZ", "R8 R9", "UR4"},
      {"SYNCS.PHASECHK.TRANS64 P0, [R4], R5", "P0", "R4 R5"},
      {"HMMA.16816.F32 R4, R8, R12, RZ", "R4 R5 R6 R7",
       "R8 R9 R10 R11 R12 R13"},
      {"R2P PR, R4, 0x7", "P0 P1 P2 P3 P4 P5 P6", "R4"},
      {"R2UR UR4, R5", "UR4", "R5"},
      {"BAR.SYNC.DEFER_BLOCKING R4, R5", "", "R4 R5"},
      {"FFMA R253, R254, R255, R999", "R253", "R254"},
      {"LDG.E.128 R254, [R2]", "R254", "R2"},
      {"LDG.E.ENL2.256 R8, R12, desc[UR4][R2.64]",
       "R8 R9 R10 R11 R12 R13 R14 R15", "UR4 UR5 R2 R3"},
      {"STG.E.ENL2.256 desc[UR4][R2.64], R12, R8", "",
       "UR4 UR5 R2 R3 R12 R13 R14 R15 R8 R9 R10 R11"},
      {"TEX.LZ RZ, R7, R2, UR4, 0x0, 2D, 0x1", "R7", "R2 R3 UR4"},
      {"TEX.LL R9, R6, R2, R5, UR4, 0x0, ARRAY_2D, 0x7", "R9 R6 R7",
       "R2 R3 R4 R5 UR4"},
      {"TLD.LZ R8, R6, R2, UR4, 0x0, 1D", "R8 R9 R6 R7", "R2 UR4"},
      {"TLD4.R R8, R6, R2, UR4, 0x0, 2D", "R8 R9 R6 R7", "R2 R3 UR4"},
      {"TEX.SCR.LL RZ, R6, R2, R4, 0x0, 0x58, 3D, 0x3", "R6 R7", "R2 R3 R4 R5"},
      {"TEX.SCR.B.LZ RZ, R6, R2, R4, 2D, 0x1", "R6", "R2 R3 R4"},
      {"TXD R8, R6, R2, R4, UR4, 0x0, 2D", "R8 R9 R6 R7",
       "R2 R3 R4 R5 R6 R7 UR4"},
  };
  for (const Operation &O : Cases) {
    SassInstruction I = decode(O.Text);
    EXPECT_EQ(names(I.Writes), O.Writes) << O.Text;
    EXPECT_EQ(names(I.Reads), O.Reads) << O.Text;
  }
}

/// The only operand that Text is.
SassOperand operand(StringRef Text) {
  SassOperands Operands = readOperands("OP", Text);
  EXPECT_EQ(Operands.size(), 1u) << Text.str();
  return Operands.empty() ? SassOperand() : Operands[0];
}

TEST(SassOperands, Registers) {
  EXPECT_EQ(operand("R12"), SassOperand::general(12));
  EXPECT_EQ(operand("URZ"), SassOperand::uniform(SassRegister::Zero));
  EXPECT_TRUE(operand("RZ").isZero());
  EXPECT_TRUE(operand("UPT").isTrue());
  EXPECT_FALSE(operand("!PT").isTrue());
  EXPECT_EQ(operand("!P3").condition(),
            (SassCondition{{SassFile::Predicate, 3}, true}));
  SassOperand O = operand("-|R6|.reuse.H0_H0");
  EXPECT_EQ(O.Register, (SassRegister{SassFile::General, 6}));
  EXPECT_TRUE(O.IsKept);
  EXPECT_FALSE(O.isPlain());
  EXPECT_NE(O, operand("-|R6|.reuse.H1_H1"));
  EXPECT_NE(O, operand("|R6|.reuse.H0_H0"));
  EXPECT_FALSE(operand("-RZ").isZero());
  EXPECT_FALSE(operand("R300").isRegister());
}

TEST(SassOperands, Brackets) {
  SassOperand O = operand("desc[UR6][R2.64+-0x8]");
  EXPECT_TRUE(O.isAddress());
  EXPECT_TRUE(O.IsWide);
  EXPECT_EQ(O.Number, -8);
  EXPECT_EQ(names(O.registers()), "UR6 R2");
  EXPECT_FALSE(O.isPlainAddress());
  EXPECT_EQ(names(operand("[R2+UR4+0x10]").registers()), "R2 UR4");
  EXPECT_TRUE(operand("[UR4+0x10]").isPlainAddress());
  EXPECT_FALSE(operand("[R2.X4+0x10]").isPlainAddress());
  EXPECT_FALSE(operand("tmem[UR8]").isPlainAddress());
  EXPECT_EQ(operand("[0x10]").Number, 0x10);
  O = operand("-c[0x3] [R6+0xc00].H0_H0");
  EXPECT_EQ(O.What, SassOperand::Kind::Constant);
  EXPECT_EQ(O.Bank, 3);
  EXPECT_EQ(O.Number, 0xc00);
  EXPECT_EQ(names(O.registers()), "R6");
  EXPECT_NE(O, operand("c[0x3][R6+0xc00]"));
}

TEST(SassOperands, NumbersLabelsAndNames) {
  EXPECT_EQ(operand("-0x10"), SassOperand::number(-16));
  EXPECT_EQ(operand("0x3e928af3fca213ea").Number, 0x3e928af3fca213ea);
  EXPECT_EQ(operand("`(.L_x_1)"), SassOperand::label(".L_x_1"));
  for (StringRef Text : {"1.5", "1", "+INF", "B0", "SR_TID.X", "2D", "{0,1}"})
    EXPECT_EQ(operand(Text), SassOperand::name(Text));
  EXPECT_EQ(readOperands("HFMA2", "R5, -RZ, RZ, 0, 1.5")[3].Number, 0x3e00);
  EXPECT_EQ(readOperands("HADD2.BF16_V2", "R5, R6, 1, 1.5")[2].Number,
            0x3f803fc0);
  EXPECT_EQ(readOperands("BRX", "R2 -0x170").size(), 2u);
  EXPECT_EQ(readOperands("RET.REL.NODEC", "R4 `(k)")[1],
            SassOperand::label("k"));
}

TEST(SassDecode, ControlBits) {
  // Stall 2, no yield, write barrier 3, no read barrier, waits for 0 and 2.
  SassInstruction I =
      mustParse(".section .text.k\n"
                ".other k,@\"STO_CUDA_ENTRY STV_DEFAULT\"\nk:\n"
                "/*0000*/ @P0 LDG.E R4, [R2] ; /* 0x0 */\n"
                "/* 0x005ee40000000000 */\n"
                "/*0010*/ EXIT ; /* 0x0 */\n/* 0x001fcaff00ffffff "
                "*/\n")
          .Blocks[0]
          .Instructions[0];
  EXPECT_TRUE(I.isPredicated());
  EXPECT_EQ(I.Guard, (SassCondition{{SassFile::Predicate, 0}, false}));
  EXPECT_EQ(I.Stall, 2);
  EXPECT_FALSE(I.Yield);
  EXPECT_EQ(I.WriteBarrier, 3);
  EXPECT_EQ(I.ReadBarrier, SassInstruction::NoBarrier);
  EXPECT_EQ(I.WaitMask, 0b101);
}

TEST(SassDecode, SourceLinesAndSpillMarks) {
  SassKernel K = mustParse(
      "//## File \"ptx\", line 90\n"
      ".section .text.k\n"
      ".other k,@\"STO_CUDA_ENTRY STV_DEFAULT\"\nk:\n"
      "/*0000*/ MOV R4, RZ ; /* 0x0 */\n/* 0x0 */\n"
      "//## File \"ptx\", line 3\n"
      "/*0010*/ STL [R1], R4 (*\"SpillRefill\"*); /* 0x0 */\n/* 0x0 */\n"
      "/*0020*/ STL [R1], R4 ; /* 0x0 */\n/* 0x0 */\n"
      "/*0030*/ EXIT ; /* 0x0 */\n/* 0x0 */\n");
  const std::vector<SassInstruction> &Code = K.Blocks[0].Instructions;
  ASSERT_EQ(Code.size(), 4u);
  EXPECT_EQ(Code[0].SourceLine, 0u); // Of this section none is stated yet.
  EXPECT_EQ(Code[1].SourceLine, 3u);
  EXPECT_TRUE(Code[1].IsSpill);
  EXPECT_EQ(Code[1].Operands, readOperands("STL", "[R1], R4"));
  EXPECT_EQ(Code[2].SourceLine, 3u);
  EXPECT_FALSE(Code[2].IsSpill);
}

} // namespace
