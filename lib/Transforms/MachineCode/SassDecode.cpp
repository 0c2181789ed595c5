//===- SassDecode.cpp - what one instruction does -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What opcode, operands and guard of one instruction say, of those that
// SassForms.h has. Nothing here knows of other instructions.
//
// Names of opcodes: "CUDA Binary Utilities", section "Instruction Set
// Reference", of the CUDA toolkit's documentation.
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SassInstruction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include <iterator>
#include <utility>

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

SmallVector<SassRegister, 3> SassOperand::registers() const {
  SmallVector<SassRegister, 3> All;
  if (Descriptor != SassRegister::Zero)
    All.push_back({SassFile::Uniform, Descriptor});
  if (!Register.isConstant())
    All.push_back(Register);
  if (Uniform != SassRegister::Zero)
    All.push_back({SassFile::Uniform, Uniform});
  return All;
}

bool SassOperand::operator==(const SassOperand &O) const {
  return What == O.What && Register == O.Register && Uniform == O.Uniform &&
         Descriptor == O.Descriptor && Bank == O.Bank &&
         IsNegated == O.IsNegated && IsWide == O.IsWide && IsKept == O.IsKept &&
         Number == O.Number && Text == O.Text;
}

const SassOperand *SassInstruction::address() const {
  for (const SassOperand &O : reverse(Operands))
    if (O.isAddress())
      return &O;
  return nullptr;
}

bool SassInstruction::readsConstant(unsigned Bank, int64_t Offset,
                                    int64_t End) const {
  return any_of(Operands, [&](const SassOperand &O) {
    return O.What == SassOperand::Kind::Constant && O.Bank == Bank &&
           O.Register.isConstant() && Offset <= O.Number && O.Number < End;
  });
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
      .Cases({"LD", "LDG"}, C::GlobalLoad)
      .Cases({"ST", "STG"}, C::GlobalStore)
      .Cases({"LDC", "LDCU", "ULDC"}, C::ConstantLoad)
      .Case("LDGSTS", C::AsyncCopy)
      .Cases({"REDUX", "CREDUX", "SHFL", "VOTE", "VOTEU", "MATCH", "ELECT"},
             C::Shuffle)
      .Cases({"TEX", "TLD", "TLD4", "TXD", "SULD", "SUST"}, C::Texture)
      .Cases({"BRA", "BRX", "BRXU", "CALL", "RET", "EXIT"}, C::Branch)
      .Cases({"BSSY", "BSYNC", "BREAK", "BMOV", "BPT", "WARPSYNC", "YIELD"},
             C::Branch)
      .Cases({"BAR", "B2R", "MEMBAR", "ERRBAR", "DEPBAR", "LDGDEPBAR"},
             C::Barrier)
      .Cases({"SYNCS", "FENCE", "ARRIVES", "UCGABAR_ARV", "UCGABAR_WAIT"},
             C::Barrier)
      .Case("ACQBULK", C::Barrier)
      .Cases({"MOV", "UMOV"}, C::Move)
      .Cases({"S2R", "S2UR", "CS2R", "CS2UR"}, C::SystemRegister)
      .Case("MUFU", C::Special)
      .Cases({"DADD", "DMUL", "DFMA", "DSETP"}, C::FP64)
      .Cases({"HMMA", "IMMA", "DMMA", "BMMA"}, C::Tensor)
      .Cases({"FADD", "FADD2", "FMUL", "FMUL2", "FFMA", "FFMA2"}, C::FP32)
      .Cases({"FSETP", "FSET", "FSEL", "FMNMX", "FMNMX3", "FCHK"}, C::FP32)
      .Cases({"HADD2", "HMUL2", "HFMA2", "HSET2", "HSETP2", "HMNMX2"}, C::Half)
      .Cases({"F2F", "F2I", "I2F", "FRND", "F2FP", "I2FP"}, C::Conversion)
      .Cases({"IADD", "IADD3", "IMAD", "IABS", "IMNMX", "VIMNMX", "VIMNMX3"},
             C::Integer)
      .Cases({"VIADD", "VIADDMNMX", "VABSDIFF", "VABSDIFF4", "IDP", "ISETP"},
             C::Integer)
      .Cases({"LEA", "LOP3", "PLOP3", "SHF", "SGXT", "BMSK", "BREV", "FLO"},
             C::Integer)
      .Cases({"POPC", "PRMT", "SEL", "P2R", "R2P"}, C::Integer)
      .Case("R2UR", C::Uniform)
      .StartsWith("ATOM", C::Atomic)
      .StartsWith("RED", C::Atomic)
      .StartsWith("U", C::Uniform)
      .Default(C::Other);
}

/// SassInstruction::Bytes of I, whose class is known.
static unsigned accessBytes(const SassInstruction &I) {
  using C = SassClass;
  constexpr C Accesses[] = {C::LocalLoad,    C::LocalStore, C::SharedLoad,
                            C::SharedStore,  C::GlobalLoad, C::GlobalStore,
                            C::ConstantLoad, C::Atomic,     C::AsyncCopy};
  StringRef Base = I.base();
  if (!is_contained(Accesses, I.Class))
    return 0;
  // Matrices of 8 by 8 halves: one register a matrix.
  if (Base == "LDSM" || Base == "STSM")
    return I.has("4") ? 16 : I.has("2") ? 8 : 4;
  unsigned Bytes = 4;
  for (StringRef Modifier : drop_begin(split(I.Opcode, '.')))
    Bytes = StringSwitch<unsigned>(Modifier)
                .Cases({"U8", "S8"}, 1)
                .Cases({"U16", "S16"}, 2)
                .Cases({"64", "F64", "U64", "S64"}, 8)
                .Cases({"F32x2", "F16x4", "BF16x4"}, 8)
                .Cases({"128", "F32x4", "F16x8", "BF16x8"}, 16)
                .Cases({"256", "ENL2"}, 32)
                .Default(Bytes);
  return Bytes;
}

namespace {

/// Registers that the operands of one instruction span.
struct Widths {
  unsigned Result = 1;
  unsigned Sources[3] = {1, 1, 1}; ///< Of the values, not of addresses.
  unsigned UpperResult = 0;        ///< Of textures.
};

/// Not of surfaces.
bool readsTexture(const SassInstruction &I) {
  return I.Class == SassClass::Texture && I.Opcode.front() == 'T' &&
         I.Operands.size() > 2;
}

/// Registers of what a surface gets or gives: a size, or components, of which
/// formatted stores may have all.
unsigned surfaceWords(const SassInstruction &I) {
  if (I.base() == "SUST" && I.has("P"))
    return 4;
  auto HasAny = [&I](ArrayRef<StringRef> Modifiers) {
    return any_of(Modifiers, [&I](StringRef M) { return I.has(M); });
  };
  return HasAny({"128", "RGBA", "RGB"}) ? 4 : HasAny({"64", "RG"}) ? 2 : 1;
}

/// Operands of mma by shape: PTX ISA, "Matrix Fragments for mma".
Widths tensorWidths(const SassInstruction &I) {
  StringRef Base = I.base();
  auto Has = [&I](StringRef M) { return I.has(M); };
  if (Base == "DMMA" && Has("16x8x16"))
    return {8, {16, 8, 8}};
  if (Base == "DMMA" && Has("16x8x8"))
    return {8, {8, 4, 8}};
  if (Base == "DMMA" && Has("16x8x4"))
    return {8, {4, 2, 8}};
  if (Base == "DMMA")
    return {4, {2, 2, 4}};
  if (Base == "IMMA" && Has("8816"))
    return {2, {1, 1, 2}};
  if (Base == "IMMA" && Has("16816"))
    return {4, {2, 1, 4}};
  if (Base == "IMMA" || Base == "BMMA")
    return {4, {4, 2, 4}};
  if (Base != "HMMA")
    return {};
  unsigned Sum = Has("F32") ? 4 : 2;
  if (Has("16816") || (Has("1688") && Has("TF32")))
    return {Sum, {4, 2, Sum}};
  return {Sum, {2, 1, Sum}};
}

Widths conversionWidths(const SassInstruction &I) {
  auto Has = [&I](StringRef M) { return I.has(M); };
  unsigned Long = Has("S64") || Has("U64") ? 2 : 1;
  unsigned Double = Has("F64") ? 2 : 1;
  StringRef Opcode = I.Opcode, Base = I.base();
  if (Base == "F2I")
    return {Long, {Double, 1, 1}};
  if (Base == "I2F")
    return {Double, {Long, 1, 1}};
  if (Base == "FRND")
    return {Double, {Double, 1, 1}};
  // F2F names the result's format first.
  if (Base == "F2F" && Opcode.ends_with(".F64"))
    return {Opcode.contains(".F64.") ? 2u : 1u, {2, 1, 1}};
  return {Double, {1, 1, 1}};
}

/// Textures have two results, first the upper one, of up to two words each, by
/// the mask that is their last operand if it is not 0xf: "TEX.LZ R9, R6, R2,
/// UR4, 0x0, 2D, 0x7" writes R6, R7 and R9. Coordinates come first; what else
/// they ask with (level, sample, offsets, a handle) follows in a second
/// operand. In .SCR all of these fill two operands, the first of them first.
Widths textureWidths(const SassInstruction &I) {
  unsigned Words = 4, Dimensions = 1, Coordinates = 1;
  for (const SassOperand &O : I.Operands) {
    StringRef Shape = O.Text;
    if (O.What != SassOperand::Kind::Name || Shape.empty())
      continue;
    bool IsArray = Shape.consume_front("ARRAY_");
    Dimensions = StringSwitch<unsigned>(Shape)
                     .Case("1D", 1)
                     .Case("2D", 2)
                     .Cases({"3D", "CUBE"}, 3)
                     .Default(Dimensions);
    Coordinates = Dimensions + IsArray;
  }
  if (const SassOperand &Mask = I.Operands.back();
      Mask.What == SassOperand::Kind::Number)
    Words = popcount(static_cast<uint64_t>(Mask.Number) & 0xf);
  bool IsNamed = I.base() != "TLD4"; // Whose first letter is a component.
  unsigned More = count_if(split(I.Opcode, '.'), [&](StringRef Modifier) {
    if (Modifier.size() == 1 && !std::exchange(IsNamed, true))
      return false;
    return is_contained({"B", "LL", "LB", "MS", "AOFFI", "DC"}, Modifier);
  });
  Widths Wide;
  Wide.Result = std::min(Words, 2u);
  Wide.UpperResult = Words - Wide.Result;
  if (I.base() == "TXD")
    More += 2 * Dimensions;
  if (I.has("SCR")) {
    Wide.Sources[0] = Coordinates + More > 2 ? 2 : 1;
    Wide.Sources[1] = Coordinates + More > 3 ? 2 : 1;
  } else {
    Wide.Sources[0] = Coordinates;
    Wide.Sources[1] = std::max(More, 1u);
  }
  return Wide;
}

Widths widthsOf(const SassInstruction &I) {
  StringRef Base = I.base();
  if (readsTexture(I))
    return textureWidths(I);
  if (I.Bytes) {
    // 32 bytes are in two operands: "LDG.E.ENL2.256 R8, R12, desc[UR4][R2.64]".
    unsigned Words = std::clamp(I.Bytes / 4, 1u, 4u);
    return {Words, {Words, Words, 1}};
  }
  switch (I.Class) {
  case SassClass::FP64:
    return {2, {2, 2, 2}};
  case SassClass::FP32: // FADD2, FFMA2 and FMUL2 are of pairs.
    return Base.ends_with("2") ? Widths{2, {2, 2, 2}} : Widths();
  case SassClass::Tensor:
    return tensorWidths(I);
  case SassClass::Conversion:
    return conversionWidths(I);
  default:
    break;
  }
  if (Base == "CS2R")
    return {I.has("32") ? 1u : 2u, {1, 1, 1}};
  if (Base.ends_with("IMAD") && I.has("WIDE"))
    return {2, {1, 1, 2}};
  if (Base == "SUST" || Base == "SULD")
    return {surfaceWords(I), {surfaceWords(I), 1, 1}};
  if (Base == "MATCH" && I.has("U64"))
    return {1, {2, 1, 1}};
  if (Base == "SYNCS" && I.has("TRANS64")) // A barrier's state, if any.
    return {2, {1, 1, 1}};
  if (I.has("64"))
    return {2, {2, 2, 2}};
  return {};
}

/// Adds Count registers from R on to a list without repeats.
template <class List>
void addRegisters(List &To, SassRegister R, unsigned Count = 1) {
  for (; Count-- && !R.isConstant(); ++R.Index)
    if (!is_contained(To, R))
      To.push_back(R);
}

/// Adds to To all registers of O, each with the Width registers from it on, or
/// two where it is an address of 64 bits or a descriptor.
template <class List>
void addOperand(List &To, const SassOperand &O, unsigned Width) {
  if (O.Text == "PR") // R2P and P2R name all predicates at once.
    for (uint8_t P = 0; P != SassRegister::True; ++P)
      addRegisters(To, {SassFile::Predicate, P});
  addRegisters(To, {SassFile::Uniform, O.Descriptor}, 2);
  addRegisters(To, O.Register,
               O.Register.isPredicate() ? 1
               : O.IsWide               ? 2
                                        : Width);
  addRegisters(To, {SassFile::Uniform, O.Uniform});
}

} // namespace

/// Fills in I.Reads, I.Writes and I.Kept from its other fields.
static void decodeRegisters(SassInstruction &I, size_t Results) {
  Widths Wide = widthsOf(I);
  addRegisters(I.Reads, I.Guard.Predicate);
  size_t Source = 0;
  for (size_t N = 0; N != I.Operands.size(); ++N) {
    const SassOperand &O = I.Operands[N];
    if (N < Results) {
      bool IsUpper = N == 0 && readsTexture(I);
      addOperand(I.Writes, O, IsUpper ? Wide.UpperResult : Wide.Result);
      continue;
    }
    if (O.isLabel())
      continue;
    bool IsValue = !O.isAddress() && O.What != SassOperand::Kind::Constant;
    unsigned Width = IsValue && Source < 3 ? Wide.Sources[Source] : 1;
    Source += !O.isAddress() && !O.isPredicate();
    addOperand(I.Reads, O, Width);
    if (O.IsKept)
      addOperand(I.Kept, O, Width);
  }
}

void classify(SassInstruction &I, size_t Results) {
  I.Class = classOf(I);
  I.Bytes = accessBytes(I);
  decodeRegisters(I, Results);
}

} // namespace regdem
