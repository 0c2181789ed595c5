//===- OpcodeFlagsTest.cpp - what LLVM says of NVPTX's instructions -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions that LLVM describes as free of memory accesses, side effects and
// convergence may move anywhere. If its description of one were wrong, the
// reordering and its checker would be wrong together; so the PTX instruction
// that each stands for is looked at here.
//
//===----------------------------------------------------------------------===//

#include "MachineText.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem::test;

namespace {

/// Instructions of PTX that compute their results from their operands alone,
/// by the PTX ISA; of mbarrier, pending_count only. "{" opens code of several,
/// which take registers apart and put them together.
const StringSet<> &arithmetic() {
  static const StringSet<> Names = {
      "abs",      "add",      "and",
      "bfe",      "bfi",      "bfind",
      "bmsk",     "brev",     "clz",
      "cos",      "cvt",      "div",
      "copysign", "dp2a",     "dp4a",
      "ex2",      "fma",      "fns",
      "lg2",      "isspacep", "istypep",
      "mad",      "mapa",     "max",
      "min",      "mov",      "getctarank",
      "mul",      "mul24",    "neg",
      "not",      "or",       "popc",
      "prmt",     "rcp",      "rem",
      "rsqrt",    "sad",      "selp",
      "setp",     "shf",      "shl",
      "shr",      "sin",      "sqrt",
      "sub",      "suq",      "szext",
      "tanh",     "testp",    "txq",
      "xor",      "{",        "mbarrier.pending_count"};
  return Names;
}

bool mayMove(const MCInstrDesc &Desc) {
  return !Desc.mayLoad() && !Desc.mayStore() &&
         !Desc.hasUnmodeledSideEffects() && !Desc.isConvergent() &&
         !Desc.isCall() && !Desc.isTerminator();
}

class OpcodeFlags : public testing::Test {
protected:
  OpcodeFlags()
      : Code("---\nname: f\nbody: |\n  bb.0:\n    Return\n...\n"),
        TM(createNVPTXMachine()),
        TII(*Code.function("f").getSubtarget().getInstrInfo()),
        Printer(TM->getTarget().createMCInstPrinter(
            TM->getTargetTriple(), 0, *TM->getMCAsmInfo(),
            *TM->getMCInstrInfo(), *TM->getMCRegisterInfo())) {}

  /// The beginning of what is printed of an opcode: "mov.b32".
  StringRef mnemonic(unsigned Opcode) {
    MCInst I;
    I.setOpcode(Opcode);
    StringRef Text = Printer->getMnemonic(I).first;
    return Text.take_until([](char C) { return isSpace(C); });
  }

  MachineText Code;
  std::unique_ptr<TargetMachine> TM;
  const TargetInstrInfo &TII;
  std::unique_ptr<MCInstPrinter> Printer;
};

TEST_F(OpcodeFlags, WhatMayMoveIsArithmetic) {
  unsigned Seen = 0;
  for (unsigned Opcode = 0; Opcode != TII.getNumOpcodes(); ++Opcode) {
    if (TII.get(Opcode).isPseudo() || !mayMove(TII.get(Opcode)))
      continue;
    StringRef Name = mnemonic(Opcode);
    bool IsArithmetic = arithmetic().contains(Name.split('.').first) ||
                        any_of(arithmetic().keys(), [&](StringRef Known) {
                          return Known.contains('.') && Name.starts_with(Known);
                        });
    EXPECT_TRUE(IsArithmetic)
        << TII.getName(Opcode).str() << ": " << Name.str();
    ++Seen;
  }
  EXPECT_GT(Seen, 1000u);
}

TEST_F(OpcodeFlags, ClocksMayNotMove) {
  unsigned Seen = 0;
  for (unsigned Opcode = 0; Opcode != TII.getNumOpcodes(); ++Opcode) {
    StringRef Name = TII.getName(Opcode);
    if (!Name.contains("SREG_") ||
        !(Name.contains("CLOCK") || Name.contains("TIMER") ||
          Name.contains("SREG_PM")))
      continue;
    EXPECT_FALSE(mayMove(TII.get(Opcode))) << Name.str();
    ++Seen;
  }
  EXPECT_GE(Seen, 8u);
}

} // namespace
