//===- SassText.cpp - the lines that nvdisasm prints ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace regdem {

namespace {

/// Reads the text line by line into a SassText.
class Splitter {
public:
  Expected<SassText> split(StringRef Text);

private:
  SassText Result;
  unsigned LineNumber = 0;
  unsigned Section = 0;
  bool SeenSection = false;
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
  SassLine I;
  I.Address = Address;
  I.Section = Section;
  I.SourceLine = SourceLine;
  if (Body.consume_front("@")) {
    std::tie(I.Guard, Body) = Body.split(' ');
    Body = Body.ltrim();
  }
  std::tie(I.Opcode, I.Operands) = Body.split(' ');
  if (I.Opcode.empty() || !isUpper(I.Opcode.front()))
    return fail("no opcode");
  auto [Operands, Note] = I.Operands.split("(*\"");
  // For sm_100 and later nvdisasm 12.x adds the control bits: "&req={0}
  // ?trans5".
  I.Operands =
      Operands.take_until([](char C) { return C == '&' || C == '?'; }).trim();
  if (Note.consume_front("BRANCH_TARGETS "))
    I.Targets = Note.split('"').first.trim();
  I.IsSpill = Note.contains("SpillRefill\"");
  uint64_t Low = 0;
  Behind = skipBlanks(Behind);
  if (consumeHexComment(Behind, Low) || !Behind.empty())
    return fail("instruction without its encoding");
  Result.Lines.push_back(I);
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
  Result.Lines.back().High = Value;
  WantsHigh = false;
  return Error::success();
}

void Splitter::readDirective(StringRef Line) {
  if (Line.starts_with(".section")) {
    Section += SeenSection;
    SeenSection = true;
    SourceLine = 0;
  }
  // .other NAME,@"STO_CUDA_ENTRY STV_DEFAULT"
  if (Line.consume_front(".other") && Line.contains("CUDA_ENTRY"))
    Result.Kernels.push_back(Line.split(',').first.trim());
}

/// //## File "NAME", line N
void Splitter::readRemark(StringRef Line) {
  if (Line.consume_front("//## File") &&
      Line.split(", line ").second.consumeInteger(10, SourceLine))
    SourceLine = 0;
}

Error Splitter::readLabel(StringRef Name) {
  auto Position = static_cast<unsigned>(Result.Lines.size());
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

Expected<SassText> Splitter::split(StringRef Text) {
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

std::optional<unsigned> SassText::codeAt(StringRef Label) const {
  auto Found = Labels.find(Label);
  if (Found == Labels.end() || Found->second >= Lines.size())
    return std::nullopt;
  return Found->second;
}

Expected<SassText> splitSassText(StringRef Text) {
  return Splitter().split(Text);
}

} // namespace regdem
