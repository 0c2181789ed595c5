//===- SassEncodingTest.cpp - machine code as it is decoded -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SassListing.h"

#include "MachineCode/SassEncoding.h"
#include "SassTexts.h"
#include "regdem/MachineCode/RawCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <cstdlib>
#include <set>

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

/// O, numbers of 32 bits without a sign.
std::string show(const SassOperand &O) {
  bool IsWide = O.Number != static_cast<int32_t>(O.Number) &&
                O.Number != static_cast<uint32_t>(O.Number);
  std::string Text;
  raw_string_ostream OS(Text);
  OS << " (" << unsigned(O.What) << " " << names(O.registers()) << " "
     << unsigned(O.Bank) << O.IsNegated << O.IsWide << O.IsKept << " "
     << (IsWide ? O.Number : static_cast<uint32_t>(O.Number)) << ")";
  return Text;
}

/// The operands of I but for predicates that always hold, which nvdisasm leaves
/// out of some instructions. Of what I or Other, the same instruction, knows by
/// name only (floating-point numbers, labels) no more than that it is there.
std::string showOperands(const SassInstruction &I,
                         const SassInstruction &Other) {
  auto IsNamed = [](ArrayRef<SassOperand> Operands, size_t N) {
    return N < Operands.size() && (Operands[N].isLabel() ||
                                   Operands[N].What == SassOperand::Kind::Name);
  };
  SassOperands Its = shown(I.Operands), Others = shown(Other.Operands);
  std::string Text;
  // Where several stand together (labels of a table, two halves) as one.
  for (size_t N = 0; N != Its.size(); ++N)
    if (!IsNamed(Its, N) && !IsNamed(Others, N))
      Text += show(Its[N]);
    else if (!StringRef(Text).ends_with(" name"))
      Text += " name";
  return Text;
}

/// Whether all of I matters: what addresses in the frame are made of and
/// compared by, and where threads wait and meet (Finish/Checker).
bool isReadInFull(const SassInstruction &I) {
  return is_contained({"IADD3", "UIADD3", "VIADD", "IMAD", "UIMAD", "LEA",
                       "ULEA",  "MOV",    "UMOV",  "SEL",  "USEL",  "R2UR",
                       "ISETP", "LDL",    "STL",   "LD",   "ST",    "LDC",
                       "ULDC",  "CALL",   "DEPBAR"},
                      I.base());
}

/// The opcode and the operands of I as they are.
std::string showInFull(const SassInstruction &I) {
  std::string Text = I.base().str();
  // Of products nvdisasm names some that show in their operands, and types that
  // matter in upper halves only.
  for (StringRef M : drop_begin(split(I.Opcode, '.')))
    if (I.Class == SassClass::Integer || I.Class == SassClass::Uniform)
      if (!is_contained({"IADD", "MOV", "SHL", "U32"}, M))
        Text += ("." + M).str();
  for (const SassOperand &O : I.Operands)
    if (O.isLabel())
      Text += StringRef(O.Text).starts_with(".L_") ? " label" : " " + O.Text;
    else if (StringRef(O.Text).starts_with("{") || O.Text == "?")
      break; // Scoreboards that are waited for besides.
    else if (!O.isTrue() || I.base() == "SEL") // It may not be printed.
      Text += show(O) + O.Text;
  return Text;
}

/// What the cost model knows of I.
std::string show(const SassInstruction &I) {
  std::string Text;
  raw_string_ostream OS(Text);
  auto List = [&OS](StringRef What, ArrayRef<SassRegister> Registers) {
    OS << " " << What << " " << names(Registers);
  };
  List("guard", I.Guard.Predicate);
  OS << I.Guard.IsNegated << " " << I.base() << " " << toString(I.Class) << " "
     << I.Bytes << " " << I.Equalities;
  if (I.base() == "MEMBAR")
    OS << " fence" << I.has("GPU") << I.has("SYS");
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

/// Expects I to be Text.
void expectIs(const SassInstruction &I, StringRef Text) {
  auto [Opcode, Operands] = Text.split(' ');
  EXPECT_EQ(I.Opcode, Opcode);
  EXPECT_EQ(I.Operands, readOperands(Opcode, Operands)) << Text.str();
}

/// The kernel of Code, decoded.
std::optional<SassKernel> kernelOf(const RawCode &Code) {
  auto Listing = expectedToOptional(decodeListing(Code));
  return Listing ? expectedToOptional(readKernel(*Listing, Code.Kernel))
                 : std::nullopt;
}

void compareForms(StringRef File, unsigned Capability) {
  std::string Listing = recordedSass(File);
  SassListing Printed = cantFail(readListing(Listing));
  std::string Code = codeOf(Listing);
  ASSERT_EQ(Code.size(), 16 * Printed.Code.size());
  ASSERT_GT(Printed.Code.size(), 300u);
  for (const SassInstruction &I : Printed.Code) {
    auto Decoded = decodeListing({"k",
                                  StringRef(Code).substr(I.Address, 16),
                                  {},
                                  Capability,
                                  {},
                                  {},
                                  {}});
    ASSERT_TRUE(bool(Decoded)) << I.Opcode << " at " << I.Address;
    const SassInstruction &D = Decoded->Code.front();
    EXPECT_EQ(show(D), show(I)) << I.Opcode << " at " << I.Address;
    EXPECT_EQ(showOperands(D, I), showOperands(I, D))
        << I.Opcode << " at " << I.Address;
  }
}

// One of each kind that ptxas has made of the benchmarks and of a few kernels
// for what these lack.
TEST(SassEncoding, EachFormIsThatOfTheDisassembler) {
  compareForms("forms-sm_75.sass", 75);
  compareForms("forms-sm_80.sass", 80);
  compareForms("forms-sm_90.sass", 90);
  compareForms("forms-sm_120.sass", 120);
}

/// Flow of all of L; targets in order, each once, as nvdisasm prints tables.
std::string showFlow(const SassListing &L) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (unsigned N = 0; N != L.Code.size(); ++N) {
    auto Flow = expectedToOptional(flowAfter(L, N));
    OS << N << ": " << (Flow ? int(Flow->What) : -1);
    for (unsigned T :
         Flow ? std::set<unsigned>(Flow->Targets.begin(), Flow->Targets.end())
              : std::set<unsigned>())
      OS << " " << T;
    OS << (Flow && Flow->FallsThrough ? " on" : "");
    if (L.Code[N].base() == "BSSY")
      OS << " meets " << L.target(L.Code[N].Operands.back()).value_or(~0u)
         << " " << L.Code[N].Operands.front().Text;
    if (L.Code[N].base() == "BSYNC")
      OS << " at " << L.Code[N].Operands.back().Text;
    OS << "\n";
  }
  return Text;
}

/// Prints what of Code is not decoded, as nvdisasm has Printed it.
void printUnknown(const RawCode &Code, const SassListing &Printed) {
  for (const SassInstruction &P : Printed.Code)
    if (!decodeInstruction(Code, P.Address))
      std::printf("not decoded: %s at %#llx of %s\n", P.Opcode.c_str(),
                  static_cast<unsigned long long>(P.Address),
                  Code.Kernel.str().c_str());
}

// Of whole programs, which test/Toolchain/decoder.test makes: what is decoded
// is what nvdisasm prints. Some kernels are not decoded.
TEST(SassEncoding, CorpusIsThatOfTheDisassembler) {
  const char *Folder = std::getenv("REGDEM_SASS_CORPUS");
  if (!Folder)
    GTEST_SKIP() << "REGDEM_SASS_CORPUS names no folder";
  size_t NumDecoded = 0, NumInstructions = 0;
  std::error_code Problem;
  for (sys::fs::directory_iterator I(Folder, Problem), End; I != End;
       I.increment(Problem)) {
    SmallString<128> Printed(I->path());
    if (sys::path::extension(Printed) != ".cubin")
      continue;
    sys::path::replace_extension(Printed, "sass");
    auto Cubin = MemoryBuffer::getFile(I->path());
    auto Text = MemoryBuffer::getFile(Printed);
    ASSERT_TRUE(Cubin && Text) << I->path();
    SassListing All = cantFail(readListing((*Text)->getBuffer()));
    for (const std::string &Kernel : All.Kernels) {
      auto Raw = rawCodeOf((*Cubin)->getBuffer(), Kernel);
      ASSERT_TRUE(bool(Raw)) << I->path() << " " << Kernel;
      auto Its = expectedToOptional(decodeListing(*Raw));
      if (!Its) {
        printUnknown(*Raw, cantFail(sectionOf(All, Kernel)));
        continue;
      }
      ++NumDecoded;
      SassListing Shown = cantFail(sectionOf(All, Kernel));
      EXPECT_EQ(showFlow(*Its), showFlow(Shown)) << I->path() << " " << Kernel;
      for (auto [D, P] : zip_equal(Its->Code, Shown.Code)) {
        ++NumInstructions;
        EXPECT_EQ(show(D), show(P)) << I->path() << " at " << P.Address;
        EXPECT_EQ(showOperands(D, P), showOperands(P, D))
            << I->path() << " " << P.Opcode << " at " << P.Address;
        if (isReadInFull(P)) {
          EXPECT_EQ(showInFull(D), showInFull(P))
              << I->path() << " " << P.Opcode << " at " << P.Address;
        }
      }
    }
  }
  EXPECT_GT(NumDecoded, 0u);
  std::printf("%zu kernels, %zu instructions\n", NumDecoded, NumInstructions);
}

TEST(SassEncoding, KernelsAreThoseOfTheDisassembler) {
  std::string Listing = recordedSass("loops-sm_90.sass");
  auto K = kernelOf({"loops", codeOf(Listing), {}, 90, {}, {}, {}});
  ASSERT_TRUE(K);
  EXPECT_EQ(show(*K), show(mustParse(Listing)));
  EXPECT_EQ(K->Name, "loops");
}

TEST(SassEncoding, JumpsByATableGoWhereTheCubinSays) {
  std::string Listing = recordedSass("branches-sm_90.sass");
  SassListing Printed = cantFail(readListing(Listing));
  std::string Bytes = codeOf(Listing);
  RawCode Code{"branches", Bytes, {}, 90, {}, {}, {}};
  for (unsigned N = 0; N != Printed.Code.size(); ++N)
    if (Printed.Code[N].base() == "BRX")
      for (unsigned Target : cantFail(flowAfter(Printed, N)).Targets)
        Code.JumpTargets[N * InstructionBytes].push_back(Target *
                                                         InstructionBytes);
  ASSERT_EQ(Code.JumpTargets.size(), 2u);
  auto K = kernelOf(Code);
  ASSERT_TRUE(K);
  EXPECT_EQ(show(*K), show(mustParse(Listing)));
  Code.JumpTargets.begin()->second.front() = Bytes.size();
  EXPECT_FALSE(kernelOf(Code));
  Code.JumpTargets.clear();
  EXPECT_FALSE(kernelOf(Code));
}

TEST(SassEncoding, WhereALoaderWritesNothingIsKnown) {
  auto Decoded = [](uint64_t Low, uint64_t High) {
    return decodeOne(Low, High, 90, /*Relocated=*/{{0, ""}});
  };
  // UMOV UR4, `(variable)
  SassInstruction Copy = Decoded(0x0000000000047882, 0x000fe20000000000);
  ASSERT_EQ(Copy.Opcode, "UMOV");
  EXPECT_EQ(Copy.Operands[1].What, SassOperand::Kind::Name);
  // ULDC UR6, c[`(variable)]
  SassInstruction Load = Decoded(0x00c0000000067ab9, 0x000fe20000000800);
  ASSERT_EQ(Load.Opcode, "ULDC");
  EXPECT_EQ(Load.Operands[1].Text, "?");
  // BRA back to itself, or to wherever.
  EXPECT_EQ(Decoded(0xfffffffc00fc7947, 0x000fc0000383ffff).Opcode, "");
}

TEST(SassEncoding, WhatWarpsThatDivergedDo) {
  expectIs(decodeOne(0xfffffffc04fc7947, 0x000fea000b83ffff),
           "BRA.DIV UR4, `(.L_0)");
  expectIs(decodeOne(0xfffffffc00fc1947, 0x000fea000393ffff),
           "BRA.U.ANY `(.L_0)");
  expectIs(decodeOne(0xfffffffc04507958, 0x000fe4000b83ffff),
           "BRXU PT, UR4, ?");
  expectIs(decodeOne(0x0000000002007343, 0x000fea0003c00000), "CALL R2");
  expectIs(decodeOne(0xfffffffc0afc7344, 0x002fea0003c3ffff),
           "CALL R10, `(.L_0)");
  SassInstruction Next = decodeOne(0x000000001014794e, 0x001fce0000000000);
  EXPECT_EQ(Next.Opcode, "LEPC");
  EXPECT_EQ(names(Next.Writes),
            names(readOperands("LEPC", "R20")[0].registers()));
  expectIs(decodeOne(0x000000000000789c, 0x000fe20003f0e870),
           "UPLOP3 UP0, UPT, UPT, UPT, UPT, 0x40, ?");
}

TEST(SassEncoding, WhatLoopsAreCountedBy) {
  expectIs(decodeOne(0x0000000104047836, 0x000fca0000000000),
           "VIADD R4, R4, 0x1");
  expectIs(decodeOne(0x0000001b0400780c, 0x000fda0003f25070),
           "ISETP.NE.U32.AND P1, PT, R4, 0x1b, PT");
  expectIs(decodeOne(0x000000ffff047224, 0x000fe200078e00ff),
           "IMAD.MOV R4, RZ, RZ, RZ");
  expectIs(decodeOne(0x00000003ff0a7435, 0x000fc600000001ff),
           "HFMA2 R10, -RZ, RZ, 0, 1.7881E-7");
}

TEST(SassEncoding, WhatRecentArchitecturesHave) {
  SassInstruction Sum = decodeOne(0x0000001a0a0a724b, 0x000fc80000000000, 100);
  expectIs(Sum, "FADD2 R10, R10, R26");
  EXPECT_EQ(names(Sum.Writes), "R10 R11");
  EXPECT_EQ(names(Sum.Reads), "R10 R11 R26 R27");
  expectIs(decodeOne(0x000000081c1c7c4a, 0x000fe20008000000, 100),
           "FMUL2 R28, R28, UR8");
  expectIs(decodeOne(0x0000000a0e2c7c49, 0x000fe20008000022, 100),
           "FFMA2 R44, R14, UR10, R34");
  expectIs(decodeOne(0x000000021006784a, 0x001fe2000bfe0000, 120),
           "UVIMNMX UR6, UR16, 0x2, UPT");
  expectIs(decodeOne(0x398000000a0a7856, 0x000fd80008400000, 120),
           "UFMUL UR10, UR10, 0x39800000");
  expectIs(decodeOne(0x0000000008077254, 0x000fe20008000806, 120),
           "UFADD UR7, UR8, UR6");
  expectIs(decodeOne(0x00000007000a725b, 0x000fc80008200800, 120),
           "UF2F UR10, UR7");
  expectIs(decodeOne(0x00000012090f72a6, 0x000fe2000f8e0006, 120),
           "UIMAD.HI UR15, UR9, UR18, UR6");
  expectIs(decodeOne(0x800000767e7e7235, 0x000fc600018e0600, 120),
           "IADD.64.X R126, R126, ~R118, P3");
  expectIs(decodeOne(0x8000000e0a0a7235, 0x000fc800078e0200, 120),
           "IADD.64 R10, R10, -R14");
  expectIs(decodeOne(0xffffffff7c7c7407, 0x000fe40000000001, 120),
           "SEL.64 R124, R124, -0x1, P0");
}

TEST(SassEncoding, UnknownInstructionsAreNotDecoded) {
  // LDG with a register that is added, LDG with a predicate.
  EXPECT_EQ(decodeOne(0x0000000402027981, 0x000ea2000c1e0900).Opcode, "");
  EXPECT_EQ(decodeOne(0x0000000402027981, 0x000ea2000c161900).Opcode, "");
  // A product with an unknown bit, and a copy of some lanes.
  EXPECT_EQ(decodeOne(0x0000000502027224, 0x000fe200078e0303).Opcode, "");
  EXPECT_EQ(decodeOne(0x0000000500027202, 0x000fe20000000700).Opcode, "");
  // HMMA.SP.
  EXPECT_EQ(decodeOne(0x00000610080c723c, 0x000ff00000005a0c).Opcode, "");
  // A branch to where there is no code.
  EXPECT_EQ(decodeOne(0x0000000000147947, 0x000fec0003800000).Opcode, "");
}

TEST(SassEncoding, TheSameBitsMeanOtherThingsElsewhere) {
  expectIs(decodeOne(0x0000000402027981, 0x000ea2000c1e1900, 80),
           "LDG R2, [R2.64]");
  expectIs(decodeOne(0x0000000402027981, 0x000ea2000c1e1900, 90),
           "LDG R2, desc[UR4][R2.64]");
  // Where an address is in two uniform registers and one or two others.
  expectIs(decodeOne(0x0000000402027981, 0x000ea2000c1ee900, 75),
           "LDG R2, [R2.64+UR4]");
  expectIs(decodeOne(0x0000000e06007986, 0x000fe2000810e904, 75),
           "STG [R6.U32+UR4], R14");
  expectIs(decodeOne(0x00000002040b79a8, 0x000fe200081f4144, 75),
           "ATOMG PT, R11, [R4.64+UR4], R2");
  expectIs(decodeOne(0x00000002040b79a8, 0x000fe200081f4104, 75),
           "ATOMG PT, R11, [R4.U32+UR4], R2");
  // Where 32 bits of offset stand.
  expectIs(decodeOne(0xfffffff801047980, 0x000fe2000010e900, 75),
           "LD R4, [R1+-0x8]");
  expectIs(decodeOne(0x0000100508007385, 0x000fe2000010e90a, 90),
           "ST [R8+0x1005], R10");
  expectIs(decodeOne(0x0000100508007386, 0x000fe2000010e90a, 90),
           "STG [R8+0x10], R5");
  expectIs(decodeOne(0x0000002010107835, 0x001fe400078e0200, 120),
           "IADD.64 R16, R16, 0x20");
  expectIs(decodeOne(0xf3fca213ea0c7402, 0x001fde00003e928a, 120),
           "MOV.64 R12, 0x3e928af3fca213ea");
  expectIs(decodeOne(0x000000ff00217202, 0x000fe20000010f00, 90),
           "MOV R33, RZ");
}

TEST(SassEncoding, CodeOfOtherArchitecturesIsNotDecoded) {
  std::string Code = codeOf(recordedSass("loops-sm_90.sass"));
  EXPECT_TRUE(kernelOf({"loops", Code, {}, 90, {}, {}, {}}));
  EXPECT_FALSE(kernelOf({"loops", Code, {}, 72, {}, {}, {}}));
  EXPECT_FALSE(kernelOf({"loops", Code, {}, 130, {}, {}, {}}));
}

TEST(SassEncoding, PredicatesThatAreResults) {
  auto Writes = [](uint64_t Low, uint64_t High, unsigned Capability = 90) {
    return names(decodeOne(Low, High, Capability).Writes);
  };
  // B2R.RESULT R9, P1; IMNMX.U64 P0, P1, R44, R30, R32, PT, !PT; P2R R4.
  EXPECT_EQ(Writes(0x000000000009731c, 0x001e280000024000), "R9 P1");
  EXPECT_EQ(Writes(0x000000201e2c7217, 0x0c4fe4000391e400, 120), "P0 P1 R44");
  EXPECT_EQ(Writes(0x0000007fff047803, 0x000fe20000000000), "R4");
}

} // namespace
