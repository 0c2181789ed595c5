//===- SassEncoding.cpp - machine code without a disassembler -------------===//
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
//   bits 105-121  control (SassDecode.h), 122-124  .reuse of the registers at
//               24, 32 and 64
//
//===----------------------------------------------------------------------===//

#include "SassEncoding.h"

#include "SassForms.h"
#include "regdem/MachineCode/Sass.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

/// Bits that have a register kept for the next instruction.
enum class Slot : uint8_t { None, First = 122, Second, Third };

/// Operations of code that has several ways to go on.
constexpr unsigned Meeting = 0x145, Branch = 0x147;

/// One instruction, and what is written of it.
class Decoder {
public:
  Decoder(uint64_t Low, uint64_t High, uint64_t Address, unsigned Capability)
      : Low(Low), High(High), Address(Address), Capability(Capability) {}

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

  /// "", "P0" or "!UP1".
  std::string guard(const Form &F) const {
    // A vote has a uniform result only.
    bool IsUniform = isUniform(F) && F.Operation != 0x086;
    return field(12, 4) == 7 ? "" : signedPredicate(12, IsUniform);
  }

  std::string opcode(const Form &F) const;
  /// None where they have another form than those that are known.
  std::optional<std::string> operands(const Form &F);
  /// Where control may go, in bytes from the start of the code.
  std::optional<uint64_t> target() const { return Target; }

private:
  uint64_t Low, High, Address;
  unsigned Capability;
  std::optional<uint64_t> Target;

  unsigned field(unsigned At, unsigned Bits) const {
    uint64_t Value = At < 64 ? Low >> At : High >> (At - 64);
    if (At < 64 && At + Bits > 64)
      Value |= High << (64 - At);
    return static_cast<unsigned>(Value & maskTrailingOnes<uint64_t>(Bits));
  }
  unsigned operation() const { return field(0, 9); }
  static bool isUniform(const Form &F) {
    return F.Opcode[0] == 'U' ||
           is_contained({0x086, 0x0cb, 0x1ac, 0x1c3}, F.Operation);
  }
  unsigned kind() const { return field(9, 3); }

  std::string general(unsigned At, Slot In = Slot::None) const;
  std::string uniform(unsigned At) const;
  std::string predicate(unsigned At, bool IsUniform) const;
  std::string signedPredicate(unsigned At, bool IsUniform) const;
  std::optional<std::string> special(bool IsUniform,
                                     Slot In = Slot::Second) const;
  std::string constant(std::string Index) const;
  std::string address(bool IsWide) const;
  std::string codeAddress();
  std::string halves() const;
  std::optional<std::string> operand(char What, bool IsUniform);
};

} // namespace

static std::string numbered(StringRef Prefix, unsigned N, unsigned Last,
                            StringRef NameOfLast) {
  return (Prefix + (N == Last ? NameOfLast : StringRef(utostr(N)))).str();
}

static std::string hex(int64_t Value) {
  return (Value < 0 ? "-0x" : "0x") +
         utohexstr(static_cast<uint64_t>(std::abs(Value)), /*LowerCase=*/true);
}

/// No name of a function: nvdisasm's labels start like that, too.
static std::string labelOf(uint64_t Address) {
  return ".L_" + utohexstr(Address, /*LowerCase=*/true);
}

std::string Decoder::general(unsigned At, Slot In) const {
  std::string Name = numbered("R", field(At, 8), 255, "Z");
  if (In != Slot::None && field(static_cast<unsigned>(In), 1))
    Name += ".reuse";
  return Name;
}

std::string Decoder::uniform(unsigned At) const {
  return Capability < 100 ? numbered("UR", field(At, 6), 63, "Z")
                          : numbered("UR", field(At, 8), 255, "Z");
}

std::string Decoder::predicate(unsigned At, bool IsUniform) const {
  return numbered(IsUniform ? "UP" : "P", field(At, 3), 7, "T");
}

std::string Decoder::signedPredicate(unsigned At, bool IsUniform) const {
  return (field(At + 3, 1) ? "!" : "") + predicate(At, IsUniform);
}

/// The operand that the kind of the instruction is about.
std::optional<std::string> Decoder::special(bool IsUniform, Slot In) const {
  switch (kind()) {
  case 1:
    return IsUniform ? uniform(32) : general(32, In);
  case 2:
  case 4: {
    if (operation() == 0x031 || (operation() == 0x035 && Capability < 100))
      return halves();
    if (kind() == 2 && (operation() == 0x002 || operation() == 0x082))
      return "0x" + utohexstr(Low >> 24 | High << 40, /*LowerCase=*/true);
    auto Value = static_cast<int32_t>(field(32, 32));
    return hex(Value);
  }
  case 3:
  case 5:
    if (field(91, 1)) // By a uniform register.
      return std::nullopt;
    return constant("");
  case 6:
  case 7:
    return uniform(32);
  default:
    return std::nullopt;
  }
}

std::string Decoder::constant(std::string Index) const {
  // LDCU has one more bit.
  int64_t Offset = operation() == 0x1ac ? SignExtend64<17>(field(37, 17))
                                        : SignExtend64<16>(field(38, 16));
  if (Index == "RZ" || Index == "URZ")
    Index.clear();
  std::string Place = Index.empty() ? hex(Offset) : Index;
  if (!Index.empty() && Offset)
    Place += "+" + hex(Offset);
  return "c[" + hex(field(54, 5)) + "][" + Place + "]";
}

std::string Decoder::address(bool IsWide) const {
  std::string Place, Register = numbered("R", field(24, 8), 255, "Z");
  bool IsLoad = operation() < 0x185 && operation() != 0x044;
  std::string Other = uniform(IsLoad ? 32 : 64);
  if (IsWide)
    Place = Register + ".64";
  else if (field(91, 1))
    Place = Register == "RZ" ? Other : Register + "+" + Other;
  else if (Register != "RZ")
    Place = Register;
  if (int64_t Offset = SignExtend64<24>(field(40, 24)))
    Place += (Place.empty() ? "" : "+") + hex(Offset);
  // The descriptor is there but not printed before sm_90.
  return (IsWide && (Capability >= 90 || field(101, 1)) ? "desc[" + Other + "]"
                                                        : "") +
         "[" + (Place.empty() ? "RZ" : Place) + "]";
}

/// Counted from the next instruction.
std::string Decoder::codeAddress() {
  int64_t Distance = SignExtend64<32>(field(32, 32));
  if (operation() != Meeting) {
    uint64_t Upper = Low >> 34 | (High & maskTrailingOnes<uint64_t>(18)) << 30;
    Distance = Capability < 90
                   ? SignExtend64<50>(Upper << 2 | field(32, 2))
                   : SignExtend64<50>(Upper << 10 | field(16, 8) << 2);
  }
  Target = Address + InstructionBytes + static_cast<uint64_t>(Distance);
  return "`(" + labelOf(*Target) + ")";
}

std::string Decoder::halves() const {
  auto Half = [this](unsigned Bits) {
    SmallString<16> Text;
    APFloat(field(85, 1) ? APFloat::BFloat() : APFloat::IEEEhalf(),
            APInt(16, Bits))
        .toString(Text);
    return Text.str().str();
  };
  return Half(field(48, 16)) + ", " + Half(field(32, 16));
}

std::optional<std::string> Decoder::operand(char What, bool IsUniform) {
  bool IsSecond = kind() == 4 || kind() == 5 || kind() == 6;
  switch (What) {
  case 'd':
    return general(16);
  case 'D':
    return uniform(16);
  case 'a':
    return general(24, Slot::First);
  case 'N':
    return (field(72, 1) ? "-" : "") + general(24, Slot::First);
  case 'A':
    return uniform(24);
  case 'b':
  case 'B':
    if (kind() == 1 || IsSecond)
      return special(IsUniform);
    return IsUniform ? uniform(64) : general(64, Slot::Second);
  case 'c':
  case 'C':
    if (kind() != 1 && !IsSecond)
      return special(IsUniform);
    return IsUniform ? uniform(64) : general(64, Slot::Third);
  case 't':
    return kind() == 1 ? general(64, Slot::Third) : special(false);
  case 'u':
    return special(false, Slot::Third);
  case 's':
  case 'S':
    return special(IsUniform);
  case 'P':
    return predicate(81, IsUniform);
  case 'Q':
    return predicate(84, IsUniform);
  case 'p':
  case 'x':
    return signedPredicate(87, IsUniform);
  case 'v':
    return signedPredicate(87, false);
  case 'e':
    return kind() < 3 ? general(32) : "?";
  case 'f':
    return kind() == 1 || kind() == 4 ? general(64) : "?";
  case 'q':
  case 'y':
    return signedPredicate(77, IsUniform);
  case 'r':
    return signedPredicate(68,
                           IsUniform || (operation() == 0x01c && field(67, 1)));
  case 'l':
    return hex(field(72, 8));
  case 'L':
    return hex(field(72, 5) << 3 | field(64, 3));
  case 'm':
  case 'M':
    return address(What == 'M');
  case 'o':
    return "[" + general(16) + "]";
  case 'w':
    return general(32);
  case 'k':
    return constant(general(24));
  case 'K':
    return constant(operation() == 0x0b9 ? "" : uniform(24));
  case 'i':
    return general(32, Slot::Second);
  case 'U':
    return signedPredicate(24, true);
  case 'R':
    return "PR";
  case 'z':
    return field(72, 8) == 255 ? "SRZ" : "SR";
  case 'n':
    return "B" + utostr(field(16, 4));
  case 'j':
    return codeAddress();
  default:
    return "?";
  }
}

std::optional<std::string> Decoder::operands(const Form &F) {
  bool IsUniform = isUniform(F);
  bool TakesCarries = F.Has != Modifiers::Carry || field(74, 1);
  bool IsHalf = F.Has != Modifiers::Compare || field(72, 1);
  std::string Text;
  for (const char *What = F.Operands; *What; ++What) {
    if ((*What == 'x' || *What == 'y') && !TakesCarries)
      continue;
    if (*What == 'r' && !IsHalf)
      continue;
    if (operation() == Branch && *What == 'p' && field(87, 4) == 7)
      continue;
    if (F.Has == Modifiers::Carry && (*What == 'P' || *What == 'Q') &&
        field(*What == 'P' ? 81 : 84, 3) == 7)
      continue;
    std::optional<std::string> Operand = operand(*What, IsUniform);
    if (!Operand)
      return std::nullopt;
    if (!Text.empty())
      Text += ", ";
    Text += *Operand;
  }
  return Text;
}

std::string Decoder::opcode(const Form &F) const {
  static const char *const Sizes[] = {".U8", ".S8", ".U16", ".S16",
                                      "",    ".64", ".128", ".?"};
  static const char *const Relations[] = {".F",  ".LT", ".EQ", ".LE",
                                          ".GT", ".NE", ".GE", ".T"};
  static const char *const Combinations[] = {".AND", ".OR", ".XOR", ".?"};
  std::string Text = F.Opcode;
  bool Wide = field(75, 2) == 3, FromWide = field(84, 2) == 3;
  switch (F.Has) {
  case Modifiers::None:
    break;
  case Modifiers::Size:
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
  case Modifiers::Carry:
    if (field(74, 1))
      return Text + ".X";
    break;
  case Modifiers::Length:
    if (Text == "CS2R")
      return Text + (field(80, 1) ? "" : ".32");
    return Text +
           (kind() == 2 || (Capability >= 100 && kind() != 4 && field(80, 1))
                ? ".64"
                : "");
  case Modifiers::Type:
    // Before sm_90 floating-point numbers are among them.
    if (Capability < 90)
      return Text + (0x64 >> field(73, 3) & 1 ? ".64" : "");
    return Text + (field(75, 1) ? ".128" : field(74, 1) ? ".64" : "");
  case Modifiers::FloatType:
    return field(73, 4) == 15 ? Text + ".64" : Text;
  case Modifiers::Matrices:
    return Text + (field(72, 2) == 2 ? ".4" : field(72, 2) ? ".2" : "");
  case Modifiers::Shape:
    if (Text == "IMMA")
      return Text + (!field(86, 1)  ? ".8816"
                     : field(75, 1) ? ".16832"
                                    : ".16816");
    return Text +
           (field(75, 1)   ? ".16816"
            : field(78, 1) ? ".1684"
                           : ".1688") +
           (field(76, 1) ? ".F32" : "") + (field(83, 1) ? ".TF32" : "");
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

std::optional<DecodedText> decodeEncoding(StringRef Code, StringRef Name,
                                          unsigned Capability) {
  DecodedText Result;
  auto Keep = [&Result](std::string Text) {
    return StringRef(Result.Storage.emplace_back(std::move(Text)));
  };
  Result.Text.Kernels.push_back(Keep(Name.str()));
  Result.Text.Labels[Name] = 0;
  for (uint64_t Address = 0; Address + InstructionBytes <= Code.size();
       Address += InstructionBytes) {
    const char *At = Code.data() + Address;
    SassLine Line;
    Line.Address = Address;
    Line.High = support::endian::read64le(At + 8);
    Decoder D(support::endian::read64le(At), Line.High, Address, Capability);
    const Form *F = D.form();
    if (!F)
      return std::nullopt;
    auto Operands = D.operands(*F);
    if (!Operands)
      return std::nullopt;
    Line.Guard = Keep(D.guard(*F));
    Line.Opcode = Keep(D.opcode(*F));
    Line.Operands = Keep(std::move(*Operands));
    if (auto Target = D.target(); Target) {
      if (*Target >= Code.size() || *Target % InstructionBytes)
        return std::nullopt;
      Result.Text.Labels[labelOf(*Target)] =
          static_cast<unsigned>(*Target / InstructionBytes);
    }
    Result.Text.Lines.push_back(Line);
  }
  return Result;
}

} // namespace regdem
