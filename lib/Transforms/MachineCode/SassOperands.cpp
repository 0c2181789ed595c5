//===- SassOperands.cpp - the operands of one instruction -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only reader of operands in nvdisasm's syntax. It loses nothing: what it
// has no field for goes to SassOperand::Text.
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SassInstruction.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include <optional>

using namespace llvm;

namespace regdem {

using Kind = SassOperand::Kind;

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
    return O.What == Kind::Constant && O.Bank == Bank &&
           O.Register.isConstant() && Offset <= O.Number && O.Number < End;
  });
}

/// Name ("R12", "UP0", "RZ") as a register; none where it is something else.
static std::optional<SassRegister> readRegister(StringRef Name) {
  static constexpr std::pair<StringLiteral, SassFile> Files[] = {
      {"UR", SassFile::Uniform},
      {"R", SassFile::General},
      {"UP", SassFile::UniformPredicate},
      {"P", SassFile::Predicate}};
  for (auto [Letters, File] : Files) {
    StringRef Number = Name;
    if (!Number.consume_front(Letters))
      continue;
    SassRegister R{File, SassRegister::Zero};
    if (R.isPredicate())
      R.Index = SassRegister::True;
    bool IsConstant = Number == (R.isPredicate() ? "T" : "Z");
    if (!IsConstant && Number.getAsInteger(10, R.Index))
      return std::nullopt;
    return R;
  }
  return std::nullopt;
}

/// "0x8" or "-0x8"; floating-point numbers and decimal ones are none.
static std::optional<int64_t> readInteger(StringRef Text) {
  bool IsNegative = Text.consume_front("-");
  uint64_t Value = 0;
  if (!Text.starts_with("0x") || Text.getAsInteger(0, Value))
    return std::nullopt;
  return static_cast<int64_t>(IsNegative ? -Value : Value);
}

/// Adds Term, of the sum in brackets, to O.
static void addTerm(StringRef Term, SassOperand &O) {
  if (std::optional<int64_t> Number = readInteger(Term)) {
    O.Number += *Number;
    return;
  }
  auto [Name, Rest] = Term.split('.');
  std::optional<SassRegister> R = readRegister(Name);
  if (!R || R->isPredicate()) {
    O.Text += ("+" + Term).str();
    return;
  }
  bool IsFirst = O.Register.isConstant();
  bool IsSecond = !IsFirst && R->isUniform() && O.Uniform == SassRegister::Zero;
  if (IsFirst && !R->isConstant())
    O.Register = *R;
  else if (IsSecond)
    O.Uniform = R->Index;
  else if (!R->isConstant())
    O.Text += ("+" + Term).str();
  if (Rest == "64" && IsFirst)
    O.IsWide = true;
  else if (!Rest.empty())
    O.Text += ("." + Rest).str();
}

/// "desc[UR4][R2.64+0x8]", "c[0x0][0x160]", "-c[0x3][UR4]", "tmem[UR8]".
static SassOperand readBrackets(StringRef Printed) {
  SassOperand O;
  O.What = Kind::Address;
  auto [Head, Rest] = Printed.split('[');
  auto [First, Behind] = Rest.split(']');
  StringRef Sum = First, Letters = Head.ltrim("-|~");
  Behind = Behind.ltrim();
  bool HasTwo = Behind.consume_front("[");
  if (HasTwo)
    std::tie(Sum, Behind) = Behind.split(']');
  if (Letters == "c" || Letters == "cx")
    O.What = Kind::Constant;
  if (Letters == "c")
    O.Bank = static_cast<uint8_t>(readInteger(First).value_or(255));
  bool IsDescriptor = HasTwo || Letters == "gdesc";
  if (Letters != "c" && IsDescriptor)
    if (auto R = readRegister(First); R && R->isUniform())
      O.Descriptor = R->Index;
  // What stands around the brackets and is not the usual.
  O.Text = Head.str();
  if (is_contained({"c", "desc"}, Letters))
    O.Text.resize(Head.size() - Letters.size());
  O.Text += Behind;
  if (!IsDescriptor || HasTwo)
    for (StringRef Term : split(Sum, '+'))
      addTerm(Term, O);
  return O;
}

/// "-|R6|.reuse.H0_H0", "!P0", "0x8", "SR_TID.X".
static SassOperand readOperand(StringRef Printed) {
  StringRef Label = Printed;
  if (Label.consume_front("`(") && Label.consume_back(")"))
    return SassOperand::label(Label);
  if (Printed.contains('['))
    return readBrackets(Printed);
  if (std::optional<int64_t> Number = readInteger(Printed))
    return SassOperand::number(*Number);
  StringRef Name = Printed;
  StringRef Signs = Name.take_until(isAlnum);
  Name = Name.drop_front(Signs.size()).take_while(isAlnum);
  StringRef Rest = Printed.drop_front(Signs.size() + Name.size());
  std::optional<SassRegister> R = readRegister(Name);
  if (!R || !(Rest.empty() || Rest.starts_with(".") || Rest.starts_with("|")))
    return SassOperand::name(Printed);
  SassOperand O = SassOperand::reg(R->File, R->Index);
  O.IsNegated = R->isPredicate() && Signs.consume_front("!");
  O.Text = Signs.str();
  for (StringRef Part : split(Rest, '.')) {
    if (Part == "reuse")
      O.IsKept = true;
    else if (Part == "64")
      O.IsWide = true;
    else if (Part == "|")
      O.Text += Part;
    else if (!Part.empty())
      O.Text += ("." + Part).str();
  }
  return O;
}

/// The bits of High and Low, two halves; none where they are something else.
static std::optional<uint32_t> readHalves(StringRef High, StringRef Low,
                                          const fltSemantics &Format) {
  uint32_t Bits = 0;
  for (StringRef Text : {High, Low}) {
    APFloat Value(Format);
    if (Text.empty() || !StringRef("+-.0123456789").contains(Text.front()) ||
        !expectedToOptional(
            Value.convertFromString(Text, APFloat::rmNearestTiesToEven)))
      return std::nullopt;
    Bits = Bits << 16 |
           static_cast<uint32_t>(Value.bitcastToAPInt().getZExtValue());
  }
  return Bits;
}

/// Operands are parted by commas, and by blanks where a register, an offset and
/// a label tell a target together; neither within brackets.
static SmallVector<StringRef, 8> splitOperands(StringRef Printed) {
  SmallVector<StringRef, 8> Parts;
  size_t Start = 0;
  int Depth = 0;
  auto End = [&](size_t At) {
    if (StringRef Part = Printed.slice(Start, At).trim(); !Part.empty())
      Parts.push_back(Part);
    Start = At + 1;
  };
  for (size_t I = 0; I != Printed.size(); ++I) {
    char C = Printed[I];
    Depth += C == '[' || C == '{' || C == '(';
    Depth -= C == ']' || C == '}' || C == ')';
    bool IsEnd = C == ',' ||
                 (C == ' ' && I + 1 != Printed.size() && Printed[I + 1] != '[');
    if (IsEnd && Depth == 0)
      End(I);
  }
  End(Printed.size());
  return Parts;
}

SassOperands readOperands(StringRef Opcode, StringRef Printed) {
  SmallVector<StringRef, 8> Parts = splitOperands(Printed);
  // Half-precision constants stand two by two.
  std::optional<uint32_t> Halves;
  size_t Count = Parts.size(), First = 2;
  if (Opcode.starts_with("H"))
    for (; First + 1 < Count && !Halves; ++First)
      Halves = readHalves(Parts[First], Parts[First + 1],
                          Opcode.contains(".BF16") ? APFloat::BFloat()
                                                   : APFloat::IEEEhalf());
  SassOperands Operands;
  Operands.reserve(Count);
  for (size_t N = 0; N != Count; ++N) {
    bool IsPair = Halves && N + 1 == First;
    Operands.push_back(IsPair ? SassOperand::number(*Halves)
                              : readOperand(Parts[N]));
    N += IsPair;
  }
  return Operands;
}

} // namespace regdem
