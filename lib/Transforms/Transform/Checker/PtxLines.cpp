//===- PtxLines.cpp - PTX as the checker reads it -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxLines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace regdem::ptxcheck {

static bool isNamePart(char C) {
  return isAlnum(C) || C == '_' || C == '$' || C == '%';
}

static std::string withSingleBlanks(StringRef Text) {
  SmallVector<StringRef, 8> Words;
  SplitString(Text, Words, " \t\r\n");
  return join(Words, " ");
}

/// Text, with single blanks, as LLVM writes it:
///
///   @ ! %p1 ld .global .v2.f32{%f1,%f2} , [%rd1]
///   @!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1]
static std::string canonical(StringRef Text) {
  if (Text.starts_with(".reg."))
    return (".reg " + Text.drop_front(StringRef(".reg").size())).str();
  if (Text.starts_with("."))
    return Text.str();
  std::string Result;
  if (Text.consume_front("@")) {
    Text = Text.ltrim();
    Result = Text.consume_front("!") ? "@!" : "@";
    Text = Text.ltrim();
    StringRef Guard = Text.take_while(isNamePart);
    Text = Text.drop_front(Guard.size()).ltrim();
    Result += Guard.str() + " ";
  }
  auto IsOpcode = [](char C) {
    return isAlnum(C) || C == '_' || C == '.' || C == ':';
  };
  StringRef Rest = Text.drop_while(IsOpcode);
  Result += Text.drop_back(Rest.size());
  for (Rest = Rest.ltrim(); Rest.starts_with(".") || Result.back() == '.';
       Rest = Rest.ltrim()) {
    StringRef Part = Rest.take_while(IsOpcode);
    if (Part.empty())
      break;
    Result += Part;
    Rest = Rest.drop_front(Part.size());
  }
  const char *Before = " ";
  for (StringRef Operand : split(Rest, ',')) {
    if (!Rest.empty())
      Result += Before + Operand.trim().str();
    Before = ", ";
  }
  return Result;
}

std::vector<Line> splitLines(StringRef Body) {
  static const Regex Location(
      "^\\.loc[ \t\r\n]+[0-9]+[ \t\r\n]+[0-9]+[ \t\r\n]+[0-9]+"
      "([ \t]*,[ \t]*function_name[^,;]*,[ \t]*inlined_at[ \t]+[0-9]+[ \t]+"
      "[0-9]+[ \t]+[0-9]+)?");
  std::vector<Line> Lines;
  unsigned Depth = 0;
  while (!(Body = Body.ltrim()).empty()) {
    char First = Body.front();
    if (First == '{' || First == '}') {
      Depth = First == '{' ? Depth + 1 : Depth - 1;
      Lines.push_back({std::string(1, First), Depth});
      Body = Body.drop_front();
      continue;
    }
    StringRef Name = Body.take_while(isNamePart);
    StringRef Behind = Body.drop_front(Name.size()).ltrim();
    if (!Name.empty() && Behind.consume_front(":")) {
      Lines.push_back({(Name + ":").str(), Depth});
      Body = Behind;
      continue;
    }
    SmallVector<StringRef, 2> Match; // The regex would walk to the end.
    if (Body.starts_with(".loc") &&
        Location.match(Body.split(';').first, &Match)) {
      Body = Body.drop_front(Match[0].size());
      continue;
    }
    bool IsFile = Body.starts_with(".file");
    StringRef Text =
        Body.take_until([&](char C) { return C == (IsFile ? '\n' : ';'); });
    Body = Body.drop_front(std::min(Body.size(), Text.size() + 1));
    if (std::string Words = withSingleBlanks(Text); !Words.empty())
      Lines.push_back({canonical(Words), Depth});
  }
  return Lines;
}

static StringRef withoutGuard(StringRef Text) {
  return Text.starts_with("@") ? Text.split(' ').second : Text;
}

StringRef opcodeOf(StringRef Text) {
  return withoutGuard(Text).split(' ').first;
}

StringRef branchTarget(StringRef Text) {
  StringRef Opcode = opcodeOf(Text);
  return Opcode == "bra" || Opcode == "bra.uni"
             ? withoutGuard(Text).split(' ').second
             : StringRef();
}

SmallVector<StringRef, 4> writtenBy(StringRef Text) {
  SmallVector<StringRef, 4> Names;
  StringRef First = withoutGuard(Text).split(' ').second;
  if (Text.starts_with(".") || First.starts_with("["))
    return Names;
  char End = First.starts_with("{") ? '}' : First.starts_with("(") ? ')' : ',';
  First = First.take_until([End](char C) { return C == End; });
  while (!First.empty()) {
    StringRef Name = First.take_while(isNamePart);
    if (!Name.empty())
      Names.push_back(Name);
    First = First.drop_front(std::max<size_t>(Name.size(), 1));
  }
  return Names;
}

static std::string familyOf(StringRef Register) {
  return Register.rtrim("0123456789").str();
}

void Declarations::add(StringRef Text, unsigned Depth) {
  auto [Type, Names] = Text.split(' ').second.split(' ');
  StringRef Digits = Type.drop_while([](char C) { return !isDigit(C); });
  unsigned Bits = Type == ".pred" ? 1 : 0, Lanes = 1;
  if (Digits.consume_back("x2"))
    Lanes = 2;
  if (unsigned Width; !Digits.getAsInteger(10, Width))
    Bits = Width * Lanes;
  for (StringRef Name : split(Names, ',')) {
    auto [Start, Count] = Name.trim().split('<');
    bool IsFamily = !Count.empty();
    if (Depth)
      (IsFamily ? InnerFamilies : Inner).insert(Start.trim().str());
    else
      (IsFamily ? Families : Own)[Start.trim().str()] = Bits;
  }
}

unsigned Declarations::bitsOf(StringRef Register) const {
  if (auto At = Own.find(Register.str()); At != Own.end())
    return At->second;
  auto At = Families.find(familyOf(Register));
  return At == Families.end() ? 0 : At->second;
}

bool Declarations::isInner(StringRef Register) const {
  return Inner.count(Register.str()) || InnerFamilies.count(familyOf(Register));
}

Declarations readDeclarations(ArrayRef<Line> Lines) {
  Declarations All;
  for (const Line &L : Lines)
    if (StringRef(L.Text).starts_with(".reg "))
      All.add(L.Text, L.Depth);
  return All;
}

} // namespace regdem::ptxcheck
