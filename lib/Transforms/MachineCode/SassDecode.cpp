//===- SassDecode.cpp - what one instruction does -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of opcodes: "CUDA Binary Utilities", section "Instruction Set
// Reference", of the CUDA toolkit's documentation.
//
//===----------------------------------------------------------------------===//

#include "SassDecode.h"

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

StringRef baseOpcode(StringRef Opcode) { return Opcode.split('.').first; }

bool isGenericAccess(const SassInstruction &I) {
  StringRef Base = baseOpcode(I.Opcode);
  return Base == "LD" || Base == "ST";
}

bool readsLocalWindow(const SassInstruction &I) {
  StringRef Operands = I.Operands;
  return Operands.contains("c[0x0][0x20]") || Operands.contains("c[0x0][0x24]");
}

/// What follows an opcode's first part: "E" and "64" of "LDG.E.64".
static auto modifiersOf(StringRef Opcode) {
  return drop_begin(split(Opcode, '.'));
}

bool hasModifier(StringRef Opcode, StringRef Modifier) {
  return is_contained(modifiersOf(Opcode), Modifier);
}

bool isTrue(StringRef Predicate) {
  return Predicate == "PT" || Predicate == "UPT";
}

bool isGuarded(const SassLine &Line) {
  return !Line.Guard.empty() && !isTrue(Line.Guard);
}

static SassClass classifyOpcode(StringRef Opcode) {
  using C = SassClass;
  StringRef Base = baseOpcode(Opcode);
  if (Base == "IMAD" && hasModifier(Opcode, "MOV"))
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

/// SassInstruction::Bytes for an opcode of that class.
static unsigned accessBytes(StringRef Opcode, SassClass Class) {
  StringRef Base = baseOpcode(Opcode);
  switch (Class) {
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
    return hasModifier(Opcode, "4") ? 16 : hasModifier(Opcode, "2") ? 8 : 4;
  unsigned Bytes = 4;
  for (StringRef Modifier : modifiersOf(Opcode))
    Bytes = StringSwitch<unsigned>(Modifier)
                .Cases({"U8", "S8"}, 1)
                .Cases({"U16", "S16"}, 2)
                .Cases({"64", "F64", "U64", "S64"}, 8)
                .Case("128", 16)
                .Cases({"256", "ENL2"}, 32)
                .Default(Bytes);
  return Bytes;
}

SmallVector<StringRef, 6> splitOperands(StringRef Operands) {
  SmallVector<StringRef, 6> Result;
  size_t Start = 0;
  int Depth = 0;
  for (size_t I = 0; I != Operands.size(); ++I) {
    char C = Operands[I];
    Depth += C == '[' || C == '{' || C == '(';
    Depth -= C == ']' || C == '}' || C == ')';
    if (C == ',' && Depth == 0) {
      Result.push_back(Operands.slice(Start, I).trim());
      Start = I + 1;
    }
  }
  if (StringRef Last = Operands.drop_front(Start).trim(); !Last.empty())
    Result.push_back(Last);
  return Result;
}

SassControl decodeControl(uint64_t High) {
  // Bits 105 to 121 of the encoding, least significant first: stall (4),
  // yield (1), write barrier (3), read barrier (3), wait mask (6).
  uint64_t Bits = High >> 41;
  SassControl Control;
  Control.Stall = Bits & 15;
  Control.Yield = !(Bits >> 4 & 1);
  Control.WriteBarrier = Bits >> 5 & 7;
  Control.ReadBarrier = Bits >> 8 & 7;
  Control.WaitMask = Bits >> 11 & 63;
  return Control;
}

SassInstruction decodeSass(const SassLine &Line) {
  SassInstruction I;
  I.Address = Line.Address;
  I.Opcode = Line.Opcode.str();
  I.Operands = Line.Operands.str();
  // ptxas fills gaps with loads that never run.
  bool Never = Line.Guard == "!PT" || Line.Guard == "!UPT";
  I.Class = Never ? SassClass::Other : classifyOpcode(Line.Opcode);
  I.Bytes = accessBytes(Line.Opcode, I.Class);
  I.Guard = Line.Guard.str();
  I.Predicated = isGuarded(Line);
  I.SourceLine = Line.SourceLine;
  I.IsSpill = Line.IsSpill;
  decodeRegisters(I);
  static_cast<SassControl &>(I) = decodeControl(Line.High);
  return I;
}

} // namespace regdem
