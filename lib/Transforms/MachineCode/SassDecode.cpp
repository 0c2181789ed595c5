//===- SassDecode.cpp - what one instruction does -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What opcode, operands and guard of one instruction say. Nothing here knows of
// other instructions.
//
// Names of opcodes: "CUDA Binary Utilities", section "Instruction Set
// Reference", of the CUDA toolkit's documentation.
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SassInstruction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <iterator>

using namespace llvm;

namespace regdem {

StringRef toString(SassClass Class) {
  static constexpr StringLiteral Names[] = {
      // In the order of SassClass.
      "local load",  "local store",  "shared load",     "shared store",
      "global load", "global store", "constant load",   "async copy",
      "atomic",      "texture",      "tensor",          "FP32",
      "FP64",        "half",         "integer",         "conversion",
      "special",     "uniform",      "shuffle",         "branch",
      "barrier",     "move",         "system register", "other"};
  static_assert(std::size(Names) == NumSassClasses);
  return Names[static_cast<unsigned>(Class)];
}

bool isGenericAccess(const SassInstruction &I) {
  return I.base() == "LD" || I.base() == "ST";
}

bool readsLocalWindow(const SassInstruction &I) {
  return I.readsConstant(0, 0x20, 0x28);
}

bool SassInstruction::has(StringRef Modifier) const {
  return is_contained(drop_begin(split(Opcode, '.')), Modifier);
}

static SassClass classOf(const SassInstruction &I) {
  using C = SassClass;
  StringRef Base = I.base();
  // ptxas fills gaps with loads that never run.
  if (I.Guard.isNever())
    return C::Other;
  if (Base == "IMAD" && I.has("MOV"))
    return C::Move;
  return StringSwitch<C>(Base)
      .Case("LDL", C::LocalLoad)
      .Case("STL", C::LocalStore)
      .Cases({"LDS", "LDSM"}, C::SharedLoad)
      .Cases({"STS", "STSM", "STAS"}, C::SharedStore)
      .Cases({"LDGSTS", "UBLKCP", "UBLKPF", "UBLKRED"}, C::AsyncCopy)
      .Cases({"LD", "LDG", "LDGMC"}, C::GlobalLoad)
      .Cases({"ST", "STG"}, C::GlobalStore)
      .Cases({"LDC", "LDCU", "ULDC"}, C::ConstantLoad)
      .Cases({"REDUX", "CREDUX", "SHFL", "VOTE", "VOTEU", "MATCH", "ELECT"},
             C::Shuffle)
      .Cases({"TEX", "TLD", "TLD4", "TMML", "TXD", "TXQ"}, C::Texture)
      .Cases({"SULD", "SUST", "SUATOM", "SURED", "SUQUERY"}, C::Texture)
      .Cases({"BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "CALL", "RET"},
             C::Branch)
      .Cases({"EXIT", "KILL", "BSSY", "BSYNC", "BREAK", "BMOV", "BPT", "RTT"},
             C::Branch)
      .Cases({"WARPSYNC", "YIELD"}, C::Branch)
      .Cases({"BAR", "B2R", "MEMBAR", "ERRBAR", "DEPBAR", "LDGDEPBAR"},
             C::Barrier)
      .Cases({"SYNCS", "FENCE", "WARPGROUP", "WARPGROUPSET", "ARRIVES"},
             C::Barrier)
      .Cases({"UCGABAR_ARV", "UCGABAR_WAIT", "ACQBULK", "UTMACMDFLUSH"},
             C::Barrier)
      .Cases({"MOV", "MOV32I", "UMOV"}, C::Move)
      .Cases({"S2R", "S2UR", "CS2R", "CS2UR"}, C::SystemRegister)
      .Case("MUFU", C::Special)
      .Cases({"DADD", "DMUL", "DFMA", "DSETP", "DMNMX"}, C::FP64)
      .Cases({"HMMA", "IMMA", "DMMA", "BMMA", "QMMA", "OMMA"}, C::Tensor)
      .Cases({"HGMMA", "IGMMA", "BGMMA", "QGMMA"}, C::Tensor)
      .Cases({"FADD", "FADD2", "FADD32I", "FMUL", "FMUL2", "FMUL32I"}, C::FP32)
      .Cases({"FFMA", "FFMA2", "FFMA32I", "FSETP", "FSET", "FSEL"}, C::FP32)
      .Cases({"FMNMX", "FMNMX3", "FCHK", "FSWZADD", "RRO"}, C::FP32)
      .Cases({"HADD2", "HMUL2", "HFMA2", "HADD2_32I"}, C::Half)
      .Cases({"HMUL2_32I", "HFMA2_32I", "HSET2", "HSETP2", "HMNMX2"}, C::Half)
      .Cases({"F2F", "F2I", "I2F", "I2I", "FRND", "F2FP", "I2FP", "F2IP"},
             C::Conversion)
      .Cases({"I2IP", "F2F2", "I2F2"}, C::Conversion)
      .Cases({"IADD", "IADD3", "IADD32I", "IMAD", "IMUL", "IABS"}, C::Integer)
      .Cases({"IMNMX", "VIMNMX", "VIMNMX3", "VIADD", "VIADDMNMX", "VABSDIFF"},
             C::Integer)
      .Cases({"VABSDIFF4", "IDP", "IDP4A", "ISCADD", "ISETP", "LEA"},
             C::Integer)
      .Cases({"LOP", "LOP3", "LOP32I", "PLOP3", "PSETP", "SHF"}, C::Integer)
      .Cases({"SHL", "SHR", "SGXT", "BMSK", "BREV", "FLO"}, C::Integer)
      .Cases({"POPC", "PRMT", "SEL", "P2R", "R2P", "VHMNMX"}, C::Integer)
      .Cases({"R2UR", "REDUXU"}, C::Uniform)
      .Cases({"NOP", "NANOSLEEP", "CCTL", "CCTLL", "CCTLT", "QSPC"}, C::Other)
      .Cases({"PMTRIG", "SETCTAID", "GETLMEMBASE", "SETLMEMBASE"}, C::Other)
      .Cases({"LEPC", "PREEXIT", "USETMAXREG", "UVIRTCOUNT", "UCCTL"}, C::Other)
      .StartsWith("ATOM", C::Atomic)
      .StartsWith("RED", C::Atomic)
      .StartsWith("UTMA", C::AsyncCopy)
      .StartsWith("UTC", C::Tensor)
      .StartsWith("U", C::Uniform)
      .Default(C::Other);
}

/// SassInstruction::Bytes of I, whose class is known.
static unsigned accessBytes(const SassInstruction &I) {
  StringRef Base = I.base();
  switch (I.Class) {
  case SassClass::LocalLoad:
  case SassClass::LocalStore:
  case SassClass::SharedLoad:
  case SassClass::SharedStore:
  case SassClass::GlobalLoad:
  case SassClass::GlobalStore:
  case SassClass::ConstantLoad:
  case SassClass::Atomic:
    break;
  case SassClass::AsyncCopy:
    if (Base == "LDGSTS") // The others copy a block for the whole group.
      break;
    return 0;
  default:
    return 0;
  }
  // Matrices of 8 by 8 halves: one register a matrix.
  if (Base == "LDSM" || Base == "STSM")
    return I.has("4") ? 16 : I.has("2") ? 8 : 4;
  unsigned Bytes = 4;
  for (StringRef Modifier : drop_begin(split(I.Opcode, '.')))
    Bytes = StringSwitch<unsigned>(Modifier)
                .Cases({"U8", "S8"}, 1)
                .Cases({"U16", "S16"}, 2)
                .Cases({"64", "F64", "U64", "S64"}, 8)
                .Case("128", 16)
                .Cases({"256", "ENL2"}, 32)
                .Default(Bytes);
  return Bytes;
}

void classify(SassInstruction &I) {
  I.Class = classOf(I);
  I.Bytes = accessBytes(I);
  decodeRegisters(I);
}

} // namespace regdem
