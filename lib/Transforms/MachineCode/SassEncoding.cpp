//===- SassEncoding.cpp - one instruction from its bits -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fields of the 128-bit encoding are taken from what nvdisasm 13 prints of
// ptxas's code: an operand has the place at which its number stands in all
// instructions of a kind. Tests compare the two.
//
//   bits 0-8    operation        12-15  guard         16-23  result
//   bits 9-11   kind of operand: with the second operand at 32 and the third at
//               64 it is 1 (registers); else one of the two is an immediate (4:
//               second, 2: third), a constant (5, 3) or a uniform register (6,
//               7), which stands at 32, and the other is the register at 64
//   bits 24-31  first operand    81-83, 84-86  predicates that are results
//   bits 87-90, 77-80, 68-71     predicates that are read, with a sign
//   bits 105-121  control (MachineWord.h), 122-124  .reuse of the registers at
//               24, 32 and 64
//
//===----------------------------------------------------------------------===//

#include "SassEncoding.h"

#include "SassForms.h"
#include "regdem/MachineCode/MachineWord.h"
#include "regdem/MachineCode/RawCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

/// Bits that have a register kept for the next instruction.
enum class Slot : uint8_t { None, First = 122, Second, Third };

/// Operations whose operands depend on more than their form.
constexpr unsigned Vote = 0x006, Barrier = 0x11d, Meeting = 0x145,
                   Branch = 0x147, Space = 0x1aa, Scoreboards = 0x11a,
                   AbsoluteCall = 0x143;

/// One instruction.
class Decoder : MachineWord {
public:
  Decoder(MachineWord W, uint64_t Address, unsigned Capability)
      : MachineWord(W), Address(Address), Capability(Capability) {}

  const Form *form() const {
    const Form *F =
        lower_bound(Forms, operation(), [](const Form &F, unsigned Operation) {
          return F.Operation < Operation;
        });
    // Of what never runs, only what ptxas fills gaps with.
    if (field(12, 4) == 15 && (operation() & ~7u) != 0x180 &&
        operation() != 0x090)
      return nullptr;
    for (; F != std::end(Forms) && F->Operation == operation(); ++F)
      if (F->Kinds >> kind() & 1 && (field(64, 32) & F->Mask) == F->Bits &&
          F->From <= Capability && Capability < F->Below)
        return F;
    return nullptr;
  }

  SassCondition guard(const Form &F) const {
    // A vote has a uniform result only.
    SassOperand O = condition(12, isUniform(F) && F.Operation != 0x086);
    return O.isTrue() ? SassCondition() : O.condition();
  }
  std::string opcode(const Form &F) const;
  /// None where they have another form than those that are known.
  std::optional<SassOperands> operands(const Form &F);

  /// Of operands(): where control may go, in bytes from the start of the code,
  /// and how many are results, which come first.
  std::optional<uint64_t> Target;
  size_t Results = 0;

private:
  uint64_t Address;
  unsigned Capability;
  bool HasSigns = false; ///< Its operands may be negated.

  static bool isUniform(const Form &F) {
    return F.Opcode[0] == 'U' ||
           is_contained({0x086, 0x0cb, 0x1ac, 0x1b2, 0x1c3}, F.Operation);
  }
  unsigned kind() const { return field(9, 3); }

  /// O, which is negated if bit At is set; inverted in a sum with carries.
  SassOperand withSign(SassOperand O, unsigned At) const {
    bool IsShift = At == 75 && is_contained({0x011, 0x091}, operation());
    if (HasSigns && !IsShift && field(At, 1))
      O.Text = field(74, 1) ? "~" : "-";
    return O;
  }
  SassOperand general(unsigned At, Slot In = Slot::None) const;
  SassOperand uniform(unsigned At) const {
    unsigned Zero = Capability < 100 ? 63 : 255;
    unsigned R = field(At, Capability < 100 ? 6 : 8);
    return SassOperand::uniform(R == Zero ? SassRegister::Zero : R);
  }
  SassOperand predicate(unsigned At, bool IsUniform) const {
    return SassOperand::reg(IsUniform ? SassFile::UniformPredicate
                                      : SassFile::Predicate,
                            field(At, 3));
  }
  /// With a sign.
  SassOperand condition(unsigned At, bool IsUniform) const {
    SassOperand O = predicate(At, IsUniform);
    O.IsNegated = field(At + 3, 1);
    return O;
  }
  bool extendsSign(const Form &F) const { // The upper half is no operand then.
    return StringRef(F.Opcode).ends_with("LEA.HI") && field(73, 1);
  }
  std::optional<SassOperand> special(bool IsUniform,
                                     Slot In = Slot::Second) const;
  SassOperand constant(SassRegister Index) const;
  SassOperand address(bool IsWide) const;
  SassOperand codeAddress();
  std::optional<SassOperand> operand(char What, bool IsUniform);
};

} // namespace

SassOperand Decoder::general(unsigned At, Slot In) const {
  SassOperand O = SassOperand::general(field(At, 8));
  bool IsTexture = (operation() & ~15u) == 0x160; // Which keep nothing.
  O.IsKept =
      In != Slot::None && !IsTexture && field(static_cast<unsigned>(In), 1);
  return O;
}

/// The operand that the kind of the instruction is about.
std::optional<SassOperand> Decoder::special(bool IsUniform, Slot In) const {
  bool MovesWide =
      kind() == 2 && (operation() == 0x002 || operation() == 0x082);
  bool IsPair =
      operation() == 0x031 || (operation() == 0x035 && Capability < 100);
  switch (kind()) {
  case 1:
    return withSign(IsUniform ? uniform(32) : general(32, In), 63);
  case 2:
  case 4:
    if (MovesWide)
      return SassOperand::number(static_cast<int64_t>(Low >> 24 | High << 40));
    if (IsPair)
      return SassOperand::number(field(32, 32));
    if (operation() == 0x007 && kind() == 2) // Of 64 bits; its sign follows.
      return SassOperand::number(int64_t{field(32, 32)} -
                                 (int64_t{field(64, 1)} << 32));
    return SassOperand::number(static_cast<int32_t>(field(32, 32)));
  case 3:
  case 5:
    if (field(91, 1)) // By a uniform register.
      return std::nullopt;
    return withSign(constant({}), 63);
  case 6:
  case 7:
    return withSign(uniform(32), 63);
  default:
    return std::nullopt;
  }
}

SassOperand Decoder::constant(SassRegister Index) const {
  SassOperand O;
  O.What = SassOperand::Kind::Constant;
  O.Bank = static_cast<uint8_t>(field(54, 5));
  if (!Index.isConstant())
    O.Register = Index;
  // LDCU has one more bit.
  O.Number = operation() == 0x1ac ? SignExtend64<17>(field(37, 17))
                                  : SignExtend64<16>(field(38, 16));
  return O;
}

SassOperand Decoder::address(bool IsWide) const {
  SassOperand O;
  O.What = SassOperand::Kind::Address;
  O.Register = general(24).Register;
  O.IsWide = IsWide;
  // Bit 63 of atomic operations is another flag there.
  bool IsAtomic = is_contained({0x18a, 0x1a2, 0x1a3, 0x1a8}, operation());
  O.Number = IsAtomic && Capability >= 100 ? SignExtend64<23>(field(40, 23))
                                           : SignExtend64<24>(field(40, 24));
  bool IsPlainGeneric = operation() == 0x180
                            ? kind() == 4 && !field(91, 1)
                            : operation() == 0x185 && kind() == 1;
  if (IsPlainGeneric)
    O.Number = static_cast<int32_t>(field(32, 32));
  bool IsLoad =
      (operation() < 0x185 && operation() != 0x044) || operation() == Space;
  SassRegister Other = uniform(IsLoad ? 32 : 64).Register;
  // The descriptor is there but not printed before sm_90.
  if (IsWide && (Capability >= 90 || field(101, 1)))
    O.Descriptor = Other.Index;
  if (IsWide || !field(91, 1))
    return O;
  if (O.Register.isConstant()) {
    O.Register = Other;
    return O;
  }
  O.Uniform = Other.Index;
  // A generic or global address in two uniform registers, to which one or two
  // others are added.
  if (is_contained({0x180, 0x181, 0x185, 0x186, 0x18a, 0x18e, 0x1a8},
                   operation())) {
    O.IsWide = field(IsAtomic ? 70 : 90, 1);
    O.Text = O.IsWide ? "" : ".U32";
  }
  return O;
}

/// Counted from the next instruction.
SassOperand Decoder::codeAddress() {
  int64_t Distance = SignExtend64<32>(field(32, 32));
  if (operation() != Meeting) {
    uint64_t Upper = Low >> 34 | (High & maskTrailingOnes<uint64_t>(18)) << 30;
    Distance = SignExtend64<50>(
        Capability < 90 ? Upper << 2 : Upper << 10 | field(16, 8) << 2);
  }
  Target = Address + InstructionBytes + static_cast<uint64_t>(Distance);
  if (operation() == AbsoluteCall) // A loader knows.
    Target = ~uint64_t{0};
  return SassOperand::label("");
}

std::optional<SassOperand> Decoder::operand(char What, bool IsUniform) {
  static const char *const Shapes[] = {
      "1D", "2D", "3D", "CUBE", "ARRAY_1D", "ARRAY_2D", "?", "ARRAY_CUBE"};
  bool IsThird = toLower(What) == 'c';
  Slot AtEnd = IsThird ? Slot::Third : Slot::Second;
  bool IsSpecial = is_contained({1, 4, 5, 6}, kind()) != IsThird;
  switch (What) {
  case 'd':
    return general(16);
  case 'D':
    return uniform(16);
  case 'a':
    return withSign(general(24, Slot::First), 72);
  case 'N': {
    SassOperand O = general(24, Slot::First);
    O.Text = field(72, 1) ? "-" : "";
    return O;
  }
  case 'A':
    return withSign(uniform(24), 72);
  case 'b':
  case 'B':
  case 'c':
  case 'C':
    if (IsSpecial)
      return special(IsUniform);
    return withSign(IsUniform ? uniform(64) : general(64, AtEnd), 75);
  case 't':
    return kind() == 1 ? general(64, Slot::Third) : special(false);
  case 'u':
    return special(false, Slot::Third);
  case 's':
  case 'S':
    return special(IsUniform);
  case 'P':
  case 'Q':
    return predicate(What == 'P' ? 81 : 84, IsUniform);
  case 'p':
  case 'v':
  case 'x':
    return condition(87, IsUniform && What != 'v');
  case 'e':
    return kind() < 3 ? general(32) : SassOperand::name("?");
  case 'f':
    return kind() == 1 || kind() == 4 ? general(64) : SassOperand::name("?");
  case 'q':
  case 'y':
    return condition(77, IsUniform);
  case 'r':
    return condition(68, IsUniform || (operation() == 0x01c && field(67, 1)));
  case 'l':
    return SassOperand::number(field(72, 8));
  case 'L':
    return SassOperand::number(field(72, 5) << 3 | field(64, 3));
  case 'm':
  case 'M':
    return address(What == 'M');
  case 'h':
    return SassOperand::number(field(75, 5));
  case 'O': {
    SassOperand O = address(/*IsWide=*/true);
    O.Number = SignExtend64<12>(field(32, 12));
    return O;
  }
  case 'F':
  case 'w':
    return general(32);
  case 'W':
    return uniform(32);
  case 'k':
    return constant(general(24).Register);
  case 'K':
    return constant(operation() == 0x0b9 ? SassRegister()
                                         : uniform(24).Register);
  case 'o':
  case 'X':
  case 'Y': {
    SassOperand O = What == 'Y' ? uniform(24) : general(What == 'o' ? 16 : 24);
    O.What = SassOperand::Kind::Address;
    O.Number = What == 'o'   ? SignExtend64<20>(field(44, 20))
               : What == 'Y' ? SignExtend64<24>(field(40, 24))
                             : 0;
    return O;
  }
  case 'i':
    return general(32, Slot::Second);
  case 'U':
    return condition(24, true);
  case 'R':
  case 'V':
    return SassOperand::name("PR");
  case 'z':
    return SassOperand::name(specialRegister(field(72, 8)));
  case 'n':
    return SassOperand::name("B" + utostr(field(16, 4)));
  case 'j':
    return codeAddress();
  case 'E':
    return SassOperand::name("SB" + utostr(field(44, 3)));
  case 'J':
    return SassOperand::number(field(38, 6));
  case 'H':
    return general(64);
  case 'T':
    return uniform(40);
  case 'g':
    return SassOperand::name(Shapes[field(61, 3)]);
  case 'G':
    return SassOperand::number(field(72, 4));
  default:
    return SassOperand::name("?");
  }
}

std::optional<SassOperands> Decoder::operands(const Form &F) {
  bool IsUniform = isUniform(F);
  HasSigns = F.Has == Modifiers::Sum;
  bool TakesCarries = !HasSigns || field(74, 1);
  bool IsHalf = F.Has != Modifiers::Compare || field(72, 1);
  SassOperands Operands;
  StringRef Letters = F.Operands;
  size_t AfterResults = Letters.find_first_not_of("dDPQHR");
  for (auto [N, What] : enumerate(Letters)) {
    if (((What == 'x' || What == 'y') && !TakesCarries) ||
        (What == 'r' && !IsHalf) || (toLower(What) == 'c' && extendsSign(F)) ||
        (operation() == Branch && What == 'p' && field(87, 4) == 7))
      continue;
    if (HasSigns && ((What == 'P' && field(81, 3) == 7) ||
                     (What == 'Q' && field(84, 3) == 7)))
      continue;
    // The number of threads at a barrier, if it is not all; scoreboards that
    // are waited for besides.
    if (What == '#' && !Operands.empty() &&
        ((operation() == Barrier && !field(42, 12)) ||
         (operation() == Scoreboards && !field(32, 6))))
      continue;
    if ((What == 'F' && field(32, 8) == 255) ||
        (What == 'G' && field(72, 4) == 15))
      continue;
    std::optional<SassOperand> Operand = operand(What, IsUniform);
    if (!Operand)
      return std::nullopt;
    if (F.Operation % 128 == Vote && Operands.empty() && Operand->isZero())
      continue;
    Operands.push_back(std::move(*Operand));
    if (N < AfterResults)
      Results = Operands.size();
  }
  return Operands;
}

std::string Decoder::opcode(const Form &F) const {
  static const char *const Sizes[] = {".U8", ".S8", ".U16", ".S16",
                                      "",    ".64", ".128", ".?"};
  static const char *const Relations[] = {".F",  ".LT", ".EQ", ".LE",
                                          ".GT", ".NE", ".GE", ".T"};
  static const char *const Combinations[] = {".AND", ".OR", ".XOR", ".?"};
  static const char *const ShiftTypes[] = {".S64", ".U64", ".S32", ".U32"};
  static const char *const DoubleShapes[] = {"", ".16x8x4", ".16x8x8",
                                             ".16x8x16"};
  std::string Text = F.Opcode;
  bool Wide = field(75, 2) == 3, FromWide = field(84, 2) == 3;
  switch (F.Has) {
  case Modifiers::None:
    break;
  case Modifiers::Size:
    if (Capability < 80 && field(73, 3) == 7) // LDG.U.128
      return Text + ".128";
    return Text + Sizes[Text == "LDGSTS" && Capability >= 100 ? 4 + field(74, 2)
                                                              : field(73, 3)];
  case Modifiers::Compare:
    Text += Relations[field(76, 3)];
    if (field(80, 1))
      Text += field(73, 1) ? ".S64" : ".U64";
    else if (!field(73, 1))
      Text += ".U32";
    Text += Combinations[field(74, 2)];
    return field(72, 1) ? Text + ".EX" : Text;
  case Modifiers::Sum:
    if (extendsSign(F))
      return Text + (field(74, 1) ? ".X.SX32" : ".SX32");
    if (field(74, 1))
      return Text + ".X";
    break;
  case Modifiers::Shift:
    return Text + (field(76, 1) ? ".R" : ".L") + (field(75, 1) ? ".W" : "") +
           ShiftTypes[field(73, 2)] + (field(80, 1) ? ".HI" : "");
  case Modifiers::Length:
    if (Text == "CS2R")
      return Text + (field(80, 1) ? "" : ".32");
    if (Text == "MATCH")
      return Text + (field(73, 1) ? ".U64" : "");
    return Text +
           (kind() == 2 || (Capability >= 100 && kind() != 4 && field(80, 1))
                ? ".64"
                : "");
  case Modifiers::Type:
    // Before sm_90 floating-point numbers are among them.
    if (Capability < 90)
      return Text + (0x64 >> field(73, 3) & 1 ? ".64" : "");
    return Text + (field(75, 1) ? ".128" : field(74, 1) ? ".64" : "");
  case Modifiers::FloatType: {
    // F64, and vectors of F16, BF16 and F32.
    unsigned Type = field(73, 4);
    bool IsVector = Capability >= 90 && (0xc36 >> Type & 1);
    return Text + (IsVector && (0x824 >> Type & 1) ? ".128"
                   : IsVector || Type == 15        ? ".64"
                                                   : "");
  }
  case Modifiers::Matrices:
    return Text + (field(72, 2) == 2 ? ".4" : field(72, 2) ? ".2" : "");
  case Modifiers::Shape:
    if (Text == "DMMA")
      return Text + DoubleShapes[field(76, 2)];
    if (Text == "IMMA")
      return Text + (!field(86, 1)  ? ".8816"
                     : field(75, 1) ? ".16832"
                                    : ".16816");
    return Text +
           (field(75, 1)   ? ".16816"
            : field(78, 1) ? ".1684"
                           : ".1688") +
           (field(76, 1) ? ".F32" : "") + (field(83, 1) ? ".TF32" : "");
  case Modifiers::Texture:
  case Modifiers::Scattered: {
    bool IsRecent = Capability >= 100, HasLevel = field(IsRecent ? 87 : 88, 1);
    bool IsAtZero = IsRecent ? field(59, 1) || Text == "TLD" : field(87, 1);
    if (Capability < 90 && field(60, 1))
      Text += ".SCR";
    if (F.Has == Modifiers::Scattered)
      return Text;
    if (HasLevel || IsAtZero)
      Text += HasLevel ? ".LL" : ".LZ";
    return field(IsRecent ? 77 : 78, 1) ? Text + ".MS" : Text;
  }
  case Modifiers::Formats:
    if (Text == "F2F")
      return Text + (Wide ? ".F64" : ".F32") + (FromWide ? ".F64" : ".F32");
    if (Text == "F2I")
      return Text + (FromWide ? ".F64" : "") + (Wide ? ".S64" : "");
    return Text + (Wide ? ".F64" : "") + (FromWide ? ".S64" : "");
  }
  // A copy is a product of nothing.
  bool IsCopy = F.Operation == 0x024 && kind() < 4 && field(24, 8) == 255 &&
                field(kind() == 1 ? 32 : 64, 8) == 255;
  return IsCopy ? Text + ".MOV" : Text;
}

std::optional<DecodedInstruction> decodeInstruction(const RawCode &Code,
                                                    uint64_t Address) {
  auto W = MachineWord::at(Code.Bytes, Address);
  Decoder D(W, Address, Code.Capability);
  const Form *F = D.form();
  std::optional<SassOperands> Operands = F ? D.operands(*F) : std::nullopt;
  if (!Operands)
    return std::nullopt;
  DecodedInstruction Result{{}, D.Target, D.Results};
  SassInstruction &I = Result.Instruction;
  I.Address = Address;
  I.Guard = D.guard(*F);
  I.Opcode = D.opcode(*F);
  I.Operands = std::move(*Operands);
  static_cast<SassControl &>(I) = W.control();
  return Result;
}

} // namespace regdem
