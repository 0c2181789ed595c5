//===- SassRegisters.cpp - the registers of one instruction ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassDecode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace regdem {

std::optional<SassRegister> readRegister(StringRef Name) {
  SassRegister R;
  if (Name.consume_front("UR"))
    R.File = SassFile::Uniform;
  else if (Name.consume_front("R"))
    R.File = SassFile::General;
  else if (Name.consume_front("UP"))
    R.File = SassFile::UniformPredicate;
  else if (Name.consume_front("P"))
    R.File = SassFile::Predicate;
  else
    return std::nullopt;
  if (Name.getAsInteger(10, R.Index) || R.Index == 255)
    return std::nullopt;
  return R;
}

namespace {

/// Registers that the operands of one instruction span.
struct Widths {
  unsigned Result = 1;
  unsigned Sources[3] = {1, 1, 1}; ///< Of the values, not of addresses.
};

/// Operands of mma by shape: PTX ISA, "Matrix Fragments for mma".
Widths tensorWidths(StringRef Opcode) {
  StringRef Base = baseOpcode(Opcode);
  auto Has = [&](StringRef M) { return hasModifier(Opcode, M); };
  if (Base == "DMMA")
    return {4, {2, 2, 4}};
  if (Base == "IMMA" && Has("8816"))
    return {2, {1, 1, 2}};
  if (Base == "IMMA" && Has("16816"))
    return {4, {2, 1, 4}};
  if (Base == "IMMA" || Base == "QMMA" || Base == "OMMA" || Base == "BMMA")
    return {4, {4, 2, 4}};
  if (Base != "HMMA")
    return {};
  unsigned Sum = Has("F32") ? 4 : 2;
  if (Has("16816") || (Has("1688") && Has("TF32")))
    return {Sum, {4, 2, Sum}};
  return {Sum, {2, 1, Sum}};
}

Widths conversionWidths(StringRef Opcode) {
  auto Has = [&](StringRef M) { return hasModifier(Opcode, M); };
  unsigned Long = Has("S64") || Has("U64") ? 2 : 1;
  unsigned Double = Has("F64") ? 2 : 1;
  StringRef Base = baseOpcode(Opcode);
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

Widths widthsOf(const SassInstruction &I) {
  StringRef Opcode = I.Opcode, Base = baseOpcode(Opcode);
  if (I.Bytes) {
    unsigned Words = std::max(I.Bytes / 4, 1u);
    return {Words, {Words, Words, 1}};
  }
  switch (I.Class) {
  case SassClass::FP64:
    return {2, {2, 2, 2}};
  case SassClass::Tensor:
    return tensorWidths(Opcode);
  case SassClass::Conversion:
    return conversionWidths(Opcode);
  default:
    break;
  }
  if (Base == "CS2R")
    return {hasModifier(Opcode, "32") ? 1u : 2u, {1, 1, 1}};
  if (Base.ends_with("IMAD") && hasModifier(Opcode, "WIDE"))
    return {2, {1, 1, 2}};
  if (hasModifier(Opcode, "64"))
    return {2, {2, 2, 2}};
  return {};
}

/// Adds R to a list without repeats.
template <class List> void addRegister(List &To, SassRegister R) {
  if (!is_contained(To, R))
    To.push_back(R);
}

bool isPredicateFile(SassFile File) {
  return File == SassFile::Predicate || File == SassFile::UniformPredicate;
}

/// Adds to To every register in Operand, each with the Width registers from it
/// on, or two where it is an address of 64 bits or a descriptor.
template <class List>
void addOperand(List &To, StringRef Operand, unsigned Width) {
  // R2P and P2R name all predicates at once.
  if (Operand.trim() == "PR")
    for (uint8_t P = 0; P != 7; ++P)
      addRegister(To, {SassFile::Predicate, P});
  bool Descriptor = false;
  for (size_t I = 0; I < Operand.size();) {
    if (!isAlnum(Operand[I])) {
      ++I;
      continue;
    }
    StringRef Word = Operand.drop_front(I).take_while(
        [](char C) { return isAlnum(C) || C == '_'; });
    bool Modifier = I && Operand[I - 1] == '.';
    I += Word.size();
    if (Word == "desc" || Word == "gdesc" || Word == "tmem")
      Descriptor = Word != "tmem";
    if (Modifier)
      continue;
    std::optional<SassRegister> R = readRegister(Word);
    if (!R)
      continue;
    unsigned Count = isPredicateFile(R->File) ? 1 : Width;
    if (Operand.drop_front(I).starts_with(".64") || Descriptor)
      Count = 2;
    Descriptor = false;
    for (unsigned N = 0; N != Count && R->Index + N < 255; ++N)
      addRegister(To, {R->File, static_cast<uint8_t>(R->Index + N)});
  }
}

/// What an operand is when only its first letters are looked at.
enum class Shape { Predicate, Register, Other };

Shape shapeOf(StringRef Operand) {
  if (Operand == "RZ" || Operand == "URZ")
    return Shape::Register;
  if (isTrue(Operand) || Operand == "PR")
    return Shape::Predicate;
  std::optional<SassRegister> R = readRegister(Operand.split('.').first);
  if (!R)
    return Shape::Other;
  return isPredicateFile(R->File) ? Shape::Predicate : Shape::Register;
}

/// Whether I has no result, whatever its first operand is.
bool hasNoResult(const SassInstruction &I) {
  StringRef Base = baseOpcode(I.Opcode);
  switch (I.Class) {
  case SassClass::LocalStore:
  case SassClass::SharedStore:
  case SassClass::GlobalStore:
  case SassClass::AsyncCopy:
    return true;
  case SassClass::Atomic:
    return Base.starts_with("RED");
  case SassClass::Texture:
    return Base == "SUST" || Base == "SURED";
  case SassClass::Branch:
    return Base != "BMOV";
  case SassClass::Barrier:
    return Base != "B2R" && Base != "SYNCS";
  case SassClass::Other:
    return Base == "NANOSLEEP" || Base.starts_with("CCTL") || Base == "NOP";
  default:
    return false;
  }
}

/// How many operands at the front are results.
size_t countResults(const SassInstruction &I, ArrayRef<StringRef> Operands) {
  if (hasNoResult(I))
    return 0;
  auto At = [&](size_t N) {
    return N < Operands.size() ? shapeOf(Operands[N]) : Shape::Other;
  };
  StringRef Base = baseOpcode(I.Opcode);
  if (At(0) == Shape::Predicate) {
    // Comparisons have up to two predicates as results. With the others, which
    // go across threads or through memory, a register follows the predicate.
    bool Compares = Base.ends_with("SETP") || Base.ends_with("SETP2") ||
                    Base.ends_with("PLOP3");
    if (Compares)
      return At(1) == Shape::Predicate ? 2 : 1;
    bool Pair = I.Class == SassClass::Shuffle || I.Class == SassClass::Atomic ||
                I.Class == SassClass::GlobalLoad || Base == "R2UR" ||
                Base.ends_with("LOP3");
    return Pair && At(1) == Shape::Register ? 2 : 1;
  }
  if (At(0) != Shape::Register)
    return 0;
  // Carries out of an addition stand after the sum, as does the result of a
  // vote; SEL and the like have their condition at the end.
  size_t Most = StringSwitch<size_t>(Base)
                    .Cases({"IADD3", "UIADD3"}, 2)
                    .Cases({"LEA", "ULEA", "IMAD", "UIMAD", "IADD"}, 1)
                    .Cases({"UIADD", "VOTE", "VOTEU", "MATCH"}, 1)
                    .Default(0);
  size_t Count = 1;
  while (Count <= Most && At(Count) == Shape::Predicate)
    ++Count;
  return Count;
}

} // namespace

void decodeRegisters(SassInstruction &I) {
  SmallVector<StringRef, 6> Operands = splitOperands(I.Operands);
  size_t Results = countResults(I, Operands);
  Widths Wide = widthsOf(I);
  addOperand(I.Reads, I.Guard, 1);
  size_t Source = 0;
  for (size_t N = 0; N != Operands.size(); ++N) {
    StringRef Operand = Operands[N];
    if (Operand.starts_with("`")) // A label, whatever its name looks like.
      continue;
    if (N < Results) {
      addOperand(I.Writes, Operand, Wide.Result);
      continue;
    }
    bool Address = Operand.starts_with("[") || Operand.starts_with("desc") ||
                   Operand.starts_with("gdesc");
    bool Constant = !Address && Operand.contains('[');
    bool Predicate = shapeOf(Operand.ltrim("!")) == Shape::Predicate;
    unsigned Width = Address || Constant || Predicate || Source >= 3
                         ? 1
                         : Wide.Sources[Source];
    Source += !Address && !Predicate;
    addOperand(I.Reads, Operand, Width);
    if (Operand.contains(".reuse"))
      addOperand(I.Kept, Operand, Width);
  }
}

} // namespace regdem
