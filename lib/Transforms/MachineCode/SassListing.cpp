//===- SassListing.cpp - the code of a program, in order ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SassListing.h"

#include "SassEncoding.h"
#include "regdem/MachineCode/MachineWord.h"
#include "regdem/MachineCode/RawCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace regdem {

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
  classify(I);
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

std::optional<unsigned> SassListing::codeAt(StringRef Label) const {
  auto Found = Labels.find(Label);
  if (Found == Labels.end() || Found->second >= Code.size())
    return std::nullopt;
  return Found->second;
}

std::optional<unsigned> SassListing::target(const SassOperand &O) const {
  return O.isLabel() ? codeAt(O.Text) : std::nullopt;
}

Expected<SassListing> SassListing::section(StringRef Kernel) const {
  std::optional<unsigned> First = codeAt((".text." + Kernel).str());
  if (!First)
    return createStringError("nvdisasm does not show its code");
  unsigned End = *First + 1;
  while (hasNext(End - 1))
    ++End;
  SassListing Part;
  Part.Kernels = {Kernel.str()};
  Part.Code.assign(Code.begin() + *First, Code.begin() + End);
  for (const auto &Label : Labels)
    if (Label.second >= *First && Label.second <= End)
      Part.Labels[Label.first()] = Label.second - *First;
  return Part;
}

Expected<SassListing> readListing(StringRef Text) {
  return Splitter().split(Text);
}

std::optional<SassListing> decodeListing(StringRef Cubin, StringRef Kernel) {
  auto Code = rawCodeOf(Cubin, Kernel);
  return Code ? decodeListing(*Code) : std::nullopt;
}

std::optional<SassListing> decodeListing(const RawCode &Code) {
  if (!is_contained(ComparedCapabilities, Code.Capability))
    return std::nullopt;
  SassListing Result;
  Result.Kernels.push_back(Code.Kernel.str());
  Result.Labels[Code.Kernel] = 0;
  std::map<uint64_t, StringRef> Functions;
  for (auto [Name, Start] : Code.Functions) {
    Result.Labels[Name] = static_cast<unsigned>(Start / InstructionBytes);
    Functions.emplace(Start, Name);
  }
  // Functions have their names; other labels start as nvdisasm's do.
  auto LabelAt = [&](uint64_t Target) -> std::optional<SassOperand> {
    if (Target >= Code.Bytes.size() || Target % InstructionBytes)
      return std::nullopt;
    if (auto Function = Functions.find(Target); Function != Functions.end())
      return SassOperand::label(Function->second);
    std::string Name = ".L_" + utohexstr(Target, /*LowerCase=*/true);
    Result.Labels[Name] = static_cast<unsigned>(Target / InstructionBytes);
    return SassOperand::label(Name);
  };
  for (uint64_t Address = 0; Address + InstructionBytes <= Code.Bytes.size();
       Address += InstructionBytes) {
    auto Decoded = decodeInstruction(Code, Address);
    if (!Decoded)
      return std::nullopt;
    SassInstruction &I = Decoded->Instruction;
    for (SassOperand &O : I.Operands)
      if (O.isLabel()) {
        auto Label = LabelAt(*Decoded->Target);
        if (!Label)
          return std::nullopt;
        O = std::move(*Label);
      }
    // A jump by a table without targets has no meaning (flowOfJump()).
    if (auto Table = Code.JumpTargets.find(Address);
        Table != Code.JumpTargets.end())
      for (uint64_t Target : Table->second) {
        auto Label = LabelAt(Target);
        if (!Label)
          return std::nullopt;
        I.Operands.push_back(std::move(*Label));
      }
    classify(I);
    Result.Code.push_back(std::move(I));
  }
  return Result;
}

/// A jump to the labels among the operands of instruction N.
static Expected<SassFlow> flowOfJump(const SassListing &L, unsigned N) {
  const SassInstruction &I = L.Code[N];
  auto Fail = [&I](const Twine &Problem) {
    return createStringError("instruction " + I.Opcode + " at 0x" +
                             utohexstr(I.Address, /*LowerCase=*/true) + ": " +
                             Problem);
  };
  SassFlow Flow;
  Flow.What = SassFlow::Kind::Jump;
  Flow.FallsThrough = I.isPredicated();
  bool IsByTable = I.base().contains('X');
  for (const SassOperand &O : I.Operands) {
    if (O.isLabel()) {
      std::optional<unsigned> Target = L.target(O);
      if (!Target)
        return Fail("no code at label '" + O.Text + "'");
      Flow.Targets.push_back(*Target);
    } else if (!IsByTable && !O.isTrue()) {
      // What stands before the target is a further condition.
      Flow.FallsThrough = true;
    }
  }
  if (Flow.Targets.empty())
    return Fail(IsByTable ? "targets are not shown" : "target is not shown");
  return Flow;
}

Expected<SassFlow> flowAfter(const SassListing &L, unsigned N) {
  using Kind = SassFlow::Kind;
  const SassInstruction &I = L.Code[N];
  StringRef Base = I.base();
  if (is_contained({"BRA", "JMP", "BRX", "BRXU", "JMX", "JMXU"}, Base))
    return flowOfJump(L, N);
  SassFlow Flow;
  if (Base == "CALL") {
    Flow.What = Kind::Call;
    // One through a register may have a label as the base.
    if (I.Operands.size() == 1)
      if (std::optional<unsigned> Target = L.target(I.Operands[0]))
        Flow.Targets.push_back(*Target);
    return Flow;
  }
  if (Base == "BSYNC")
    Flow.What = Kind::Meet;
  else if (Base == "RET")
    Flow.What = Kind::Return;
  else if (is_contained({"EXIT", "KILL", "RTT"}, Base) ||
           StringRef(I.Opcode).starts_with("BPT.TRAP"))
    Flow.What = Kind::Stop;
  if (Flow.What == Kind::Return || Flow.What == Kind::Stop)
    Flow.FallsThrough = I.isPredicated();
  return Flow;
}

} // namespace regdem
