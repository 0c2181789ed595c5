//===- SassReader.cpp - machine code as nvdisasm prints it ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassReader.h"

#include "regdem/MachineCode/MachineWord.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace regdem {

using Kind = SassOperand::Kind;

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

/// How many operands of I at the front are results, by what nvdisasm prints.
static size_t countResults(const SassInstruction &I) {
  enum class Shape { Predicate, Register, Other };
  auto At = [&I](size_t N) {
    if (N >= I.Operands.size())
      return Shape::Other;
    const SassOperand &O = I.Operands[N];
    if (O.Text == "PR")
      return Shape::Predicate;
    bool HasSign = O.IsNegated || !(O.Text.empty() || O.Text.front() == '.');
    if (!O.isRegister() || HasSign)
      return Shape::Other;
    return O.isPredicate() ? Shape::Predicate : Shape::Register;
  };
  StringRef Base = I.base();
  if (is_contained({"BAR", "BRA", "BREAK", "BRX", "BRXU", "BSYNC", "CALL",
                    "EXIT", "JMP", "JMX", "JMXU", "KILL", "NANOSLEEP", "RET",
                    "RTT", "WARPSYNC", "YIELD"},
                   Base))
    return 0;
  // Textures have an upper and a lower result.
  if (is_contained({"TEX", "TLD", "TLD4", "TXD"}, Base) &&
      I.Operands.size() > 2)
    return 2;
  if (At(0) == Shape::Predicate) {
    if (Base == "IMNMX") // Of 64 bits.
      return 3;
    // Comparisons have up to two predicates as results. With the others, which
    // go across threads or through memory, a register follows the predicate.
    if (Base.ends_with("SETP") || Base.ends_with("SETP2") ||
        Base.ends_with("PLOP3"))
      return At(1) == Shape::Predicate ? 2 : 1;
    bool Pair = is_contained({"LD", "LDG", "MATCH", "R2UR", "SHFL"}, Base) ||
                Base.starts_with("ATOM") || Base.ends_with("LOP3");
    return Pair && At(1) == Shape::Register ? 2 : 1;
  }
  if (At(0) != Shape::Register)
    return 0;
  if (Base == "LDG")
    return At(1) == Shape::Register ? 2 : 1;
  // Carries out of an addition stand after the sum, as does the result of a
  // vote; SEL and the like have their condition at the end.
  size_t Most = is_contained({"IADD3", "UIADD3"}, Base) ? 2
                : is_contained({"B2R", "IADD", "IMAD", "LEA", "MATCH", "UIADD",
                                "UIMAD", "ULEA", "VOTE", "VOTEU"},
                               Base)
                    ? 1
                    : 0;
  size_t Count = 1;
  while (Count <= Most && At(Count) == Shape::Predicate)
    ++Count;
  return Count;
}

namespace {

/// Reads the text line by line into a listing.
class Splitter {
public:
  Expected<SassListing> split(StringRef Text);

private:
  SassListing Result;
  unsigned LineNumber = 0;
  unsigned SourceLine = 0;
  /// The last instruction's encoding still lacks its second half.
  bool WantsHigh = false;

  Error fail(const Twine &Problem) const {
    return createStringError("nvdisasm's text, line " + Twine(LineNumber) +
                             ": " + Problem);
  }
  Error readLine(StringRef Line);
  Error readLabel(StringRef Name);
  void readRemark(StringRef Line);
  void readDirective(StringRef Line);
  Error readComment(StringRef Line);
  Error readInstruction(StringRef Line, uint64_t Address);
};

} // namespace

/// Text without blanks in front. nvdisasm pads its lines, so that most of the
/// text is blanks and StringRef::ltrim is most of the work.
static StringRef skipBlanks(StringRef Text) {
  const char *Start = Text.begin();
  while (Start != Text.end() && (*Start == ' ' || *Start == '\t'))
    ++Start;
  return StringRef(Start, static_cast<size_t>(Text.end() - Start));
}

/// Takes "/* hex */" from the front of Text; true where there is none. The
/// digits may have a leading 0x or not.
static bool consumeHexComment(StringRef &Text, uint64_t &Value) {
  StringRef Rest = Text;
  if (!Rest.consume_front("/*"))
    return true;
  auto [Digits, Behind] = Rest.split("*/");
  Digits = Digits.trim();
  Digits.consume_front("0x");
  if (Digits.getAsInteger(16, Value))
    return true;
  Text = skipBlanks(Behind);
  return false;
}

Error Splitter::readInstruction(StringRef Line, uint64_t Address) {
  if (WantsHigh)
    return fail("the instruction above has half an encoding");
  size_t End = Line.find(';');
  if (End == StringRef::npos)
    return fail("instruction without an end");
  StringRef Body = Line.take_front(End).trim(),
            Behind = Line.drop_front(End + 1);
  SassInstruction I;
  I.Address = Address;
  I.SourceLine = SourceLine;
  if (Body.consume_front("@")) {
    StringRef Guard;
    std::tie(Guard, Body) = Body.split(' ');
    SassOperands Read = readOperands("", Guard);
    if (Read.size() != 1 || !Read[0].isPredicate())
      return fail("unknown guard");
    I.Guard = Read[0].condition();
    Body = Body.ltrim();
  }
  auto [Opcode, Rest] = Body.split(' ');
  if (Opcode.empty() || !isUpper(Opcode.front()))
    return fail("no opcode");
  auto [Operands, Note] = Rest.split("(*\"");
  // For sm_100 and later nvdisasm 12.x adds the control bits: "&req={0}
  // ?trans5".
  Operands = Operands.take_until([](char C) { return C == '&' || C == '?'; });
  I.Opcode = Opcode.str();
  I.Operands = readOperands(Opcode, Operands);
  I.IsSpill = Note.contains("SpillRefill\"");
  if (Note.consume_front("BRANCH_TARGETS "))
    for (StringRef Label : llvm::split(Note.split('"').first, ','))
      I.Operands.push_back(SassOperand::label(Label.trim()));
  classify(I, countResults(I));
  uint64_t Low = 0;
  Behind = skipBlanks(Behind);
  if (consumeHexComment(Behind, Low) || !Behind.empty())
    return fail("instruction without its encoding");
  Result.Code.push_back(std::move(I));
  WantsHigh = true;
  return Error::success();
}

Error Splitter::readComment(StringRef Line) {
  uint64_t Value = 0;
  if (consumeHexComment(Line, Value))
    return fail("neither an address nor an encoding");
  if (!Line.empty())
    return readInstruction(Line, Value);
  if (!WantsHigh)
    return fail("encoding without an instruction");
  static_cast<SassControl &>(Result.Code.back()) =
      MachineWord{0, Value}.control();
  WantsHigh = false;
  return Error::success();
}

void Splitter::readDirective(StringRef Line) {
  if (Line.starts_with(".section"))
    SourceLine = 0;
  // .other NAME,@"STO_CUDA_ENTRY STV_DEFAULT"
  if (Line.consume_front(".other") && Line.contains("CUDA_ENTRY"))
    Result.Kernels.push_back(Line.split(',').first.trim().str());
}

/// //## File "NAME", line N
void Splitter::readRemark(StringRef Line) {
  if (Line.consume_front("//## File") &&
      Line.split(", line ").second.consumeInteger(10, SourceLine))
    SourceLine = 0;
}

Error Splitter::readLabel(StringRef Name) {
  auto Position = static_cast<unsigned>(Result.Code.size());
  if (!Result.Labels.try_emplace(Name, Position).second)
    return fail("second label '" + Name + "'");
  return Error::success();
}

Error Splitter::readLine(StringRef Line) {
  if (Line.empty())
    return Error::success();
  if (Line.starts_with("//")) {
    readRemark(Line);
    return Error::success();
  }
  if (Line.starts_with("/*"))
    return readComment(Line);
  if (Line.ends_with(":") && !Line.contains(' '))
    return readLabel(Line.drop_back());
  if (!Line.starts_with("."))
    return fail("neither an instruction nor a label nor a directive");
  readDirective(Line);
  return Error::success();
}

Expected<SassListing> Splitter::split(StringRef Text) {
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    ++LineNumber;
    if (Error E = readLine(skipBlanks(Line).rtrim()))
      return E;
  }
  if (WantsHigh)
    return fail("the last instruction has half an encoding");
  return std::move(Result);
}

Expected<SassListing> sectionOf(const SassListing &L, StringRef Kernel) {
  std::optional<unsigned> First = L.codeAt((".text." + Kernel).str());
  if (!First)
    return createStringError("nvdisasm does not show its code");
  unsigned End = *First + 1;
  while (L.hasNext(End - 1))
    ++End;
  SassListing Part;
  Part.Kernels = {Kernel.str()};
  Part.Code.assign(L.Code.begin() + *First, L.Code.begin() + End);
  for (const auto &Label : L.Labels)
    if (Label.second >= *First && Label.second <= End)
      Part.Labels[Label.first()] = Label.second - *First;
  return Part;
}

Expected<SassListing> readListing(StringRef Text) {
  return Splitter().split(Text);
}

Expected<SassKernel> parseSass(StringRef Text, StringRef Name,
                               ArrayRef<uint64_t> SlowPathTables) {
  Expected<SassListing> L = readListing(Text);
  if (!L)
    return L.takeError();
  return readKernel(*L, Name, SlowPathTables);
}

static constexpr StringLiteral Nvdisasm = REGDEM_UNIT_NVDISASM;

bool hasNvdisasm() { return Nvdisasm != "off"; }

SassListing disassemble(StringRef Cubin) {
  auto Check = [](bool Holds) {
    if (Holds)
      return;
    errs() << "SassReader: cannot run " << Nvdisasm << "\n";
    std::abort();
  };
  SmallString<128> In, Out;
  int Descriptor = -1;
  Check(!sys::fs::createTemporaryFile("code", "cubin", Descriptor, In));
  FileRemover RemovesIn(In);
  raw_fd_ostream(Descriptor, /*shouldClose=*/true) << Cubin;
  Check(!sys::fs::createTemporaryFile("code", "sass", Out));
  FileRemover RemovesOut(Out);
  std::optional<StringRef> Redirects[] = {std::nullopt, Out.str(),
                                          std::nullopt};
  Check(sys::ExecuteAndWait(Nvdisasm, {Nvdisasm, "-c", "-hex", In},
                            /*Env=*/std::nullopt, Redirects) == 0);
  auto Text = MemoryBuffer::getFile(Out);
  Check(bool(Text));
  return cantFail(readListing((*Text)->getBuffer()));
}

} // namespace regdem
