//===- PtxText.cpp - PTX of any compiler, read and edited as text ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/PtxText.h"

#include "PtxUses.h"
#include "regdem/MachineCode/PtxCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace regdem {

/// Text with blanks for comments and strings, lines kept.
static std::string withoutComments(StringRef Text) {
  std::string Code = Text.str();
  auto Blank = [&](size_t Begin, size_t End) {
    for (size_t I = Begin; I != End; ++I)
      if (Code[I] != '\n')
        Code[I] = ' ';
    return End;
  };
  auto EndOf = [&](StringRef Mark, size_t From) {
    size_t At = Text.find(Mark, From);
    return At == StringRef::npos ? Text.size() : At + Mark.size();
  };
  for (size_t I = 0; I < Text.size();) {
    StringRef Rest = Text.substr(I);
    if (Rest.starts_with("//"))
      I = Blank(I, EndOf("\n", I));
    else if (Rest.starts_with("/*"))
      I = Blank(I, EndOf("*/", I + 2));
    else if (Rest.front() == '"')
      I = Blank(I, EndOf("\"", I + 1));
    else
      ++I;
  }
  return Code;
}

/// Where the bracket at Open is closed, just behind; npos: nowhere.
static size_t behindBracket(StringRef Code, size_t Open, char Left,
                            char Right) {
  unsigned Depth = 0;
  for (size_t I = Open; I != Code.size(); ++I) {
    Depth += Code[I] == Left;
    if (Code[I] == Right && --Depth == 0)
      return I + 1;
  }
  return StringRef::npos;
}

/// Where the linkage words (`.visible`) before At begin.
static size_t startOfLinkage(StringRef Code, size_t At) {
  for (;;) {
    StringRef Before = Code.take_front(At).rtrim();
    size_t Dot = Before.rfind('.');
    if (Dot == StringRef::npos ||
        !is_contained({".visible", ".weak", ".extern", ".common"},
                      Before.substr(Dot)))
      return At;
    At = Dot;
  }
}

/// Whether Directive bounds what a launch or a build may have.
static bool isBound(StringRef Directive) {
  return is_contained(
      {".maxntid", ".reqntid", ".minnctapersm", ".maxnctapersm", ".maxnreg"},
      Directive);
}

/// The directives in Code from Begin to End; IsUnclear: a bound has what is no
/// number.
static std::vector<PtxDirective> readDirectives(StringRef Code, size_t Begin,
                                                size_t End, bool &IsUnclear) {
  std::vector<PtxDirective> All;
  while ((Begin = Code.find('.', Begin)) < End) {
    size_t Next = std::min(Code.find('.', Begin + 1), End);
    StringRef Piece = Code.slice(Begin, Next);
    PtxDirective &D = All.emplace_back();
    D.Begin = Begin;
    D.End = Next;
    StringRef Numbers = Piece.drop_front().drop_while(isPtxNameChar);
    D.Name = Piece.drop_back(Numbers.size()).str();
    for (StringRef Word : split(Numbers, ',')) {
      Word = Word.trim();
      Word.consume_back("U");
      unsigned Number = 0;
      if (Word.getAsInteger(0, Number))
        IsUnclear |= isBound(D.Name);
      else
        D.Numbers.push_back(Number);
    }
    Begin = Next;
  }
  return All;
}

/// The names that Code declares as shared memory of unknown size.
static std::vector<std::string> readDynamicVariables(StringRef Code) {
  std::vector<std::string> Names;
  for (size_t At; (At = Code.find(".extern")) != StringRef::npos;) {
    Code = Code.substr(At);
    StringRef Declared = Code.take_front(Code.find_first_of(";{"));
    Code = Code.drop_front(Declared.size());
    if (!Declared.contains(".shared"))
      continue;
    for (StringRef Name : split(Declared, ',')) { // `.b8 first[], second[]`
      Name = Name.split('[').first.rtrim();
      size_t Begin = Name.find_last_of(" \t\r\n");
      Names.push_back(Name.substr(Begin + 1).str());
    }
  }
  return Names;
}

/// The first `.entry` or `.func` from From on; npos: none.
static size_t findKeyword(StringRef Code, size_t From, bool &IsEntry) {
  for (size_t At = From; (At = Code.find('.', At)) != StringRef::npos; ++At) {
    StringRef Word = Code.substr(At + 1).take_while(isPtxNameChar);
    IsEntry = Word == "entry";
    if (IsEntry || Word == "func")
      return At;
  }
  return StringRef::npos;
}

PtxFile::PtxFile(StringRef Source)
    : Text(Source.str()), Code(withoutComments(Source)),
      Dynamic(readDynamicVariables(Code)) {
  StringRef C = Code;
  size_t At = 0;
  bool IsEntry = false;
  while ((At = findKeyword(C, At, IsEntry)) != StringRef::npos) {
    PtxFunction F;
    F.IsEntry = IsEntry;
    F.Begin = startOfLinkage(C, At);
    At += StringRef(IsEntry ? ".entry" : ".func").size();
    auto SkipBlanks = [&] {
      At += C.substr(At).size() - C.substr(At).ltrim().size();
    };
    auto SkipList = [&] {
      SkipBlanks();
      if (At < C.size() && C[At] == '(')
        At = behindBracket(C, At, '(', ')');
      return At != StringRef::npos;
    };
    while (!IsEntry && (SkipBlanks(), C.substr(At).starts_with("."))) {
      At += 1 + C.substr(At + 1).take_while(isPtxNameChar).size(); // .attribute
      if (!SkipList())
        return;
    }
    if (!IsEntry && !SkipList()) // What it returns.
      return;
    SkipBlanks();
    F.Name = C.substr(At).take_while(isPtxNameChar).str();
    At += F.Name.size();
    if (F.Name.empty() || !SkipList())
      return;
    size_t Semicolon = C.find(';', At);
    F.Open = C.find('{', At);
    while (Semicolon < F.Open && // `.pragma "…";`, its string left out.
           C.slice(At, Semicolon).rtrim().ends_with(".pragma"))
      Semicolon = C.find(';', Semicolon + 1);
    if (Semicolon < F.Open) { // A declaration.
      At = F.End = Semicolon + 1;
      if (IsEntry)
        DeclaredEntries.push_back(std::move(F));
      continue;
    }
    F.End =
        F.Open == StringRef::npos ? F.Open : behindBracket(C, F.Open, '{', '}');
    if (F.End == StringRef::npos)
      return;
    F.Directives = readDirectives(C, At, F.Open, F.IsUnclear);
    At = F.End;
    Functions.push_back(std::move(F));
  }
}

const PtxDirective *PtxFunction::find(StringRef Directive) const {
  for (const PtxDirective &D : reverse(Directives))
    if (D.Name == Directive)
      return &D;
  return nullptr;
}

unsigned PtxFunction::numberOf(StringRef Directive) const {
  const PtxDirective *D = find(Directive);
  return D && !D->Numbers.empty() ? D->Numbers.front() : 0;
}

const PtxFunction *PtxFile::find(StringRef Name) const {
  for (const PtxFunction &F : Functions)
    if (F.Name == Name)
      return &F;
  return nullptr;
}

StringRef PtxFile::bodyOf(const PtxFunction &F) const {
  return StringRef(Code).slice(F.Open + 1, F.End - 1);
}

unsigned PtxFile::version() const {
  StringRef Rest = StringRef(Code).split(".version").second.ltrim();
  unsigned Major = 0, Minor = 0;
  if (Rest.consumeInteger(10, Major) || !Rest.consume_front(".") ||
      Rest.consumeInteger(10, Minor))
    return 0;
  return Major * 10 + Minor;
}

void PtxFile::addEdits(std::vector<PtxEdit> &Edits, const PtxFunction &F,
                       const PtxChange &Change) const {
  std::string New;
  for (auto [Name, Value] : {std::pair(".maxnreg", Change.MaxRegs),
                             std::pair(".minnctapersm", Change.MinBlocks),
                             std::pair(".maxntid", Change.Threads)}) {
    if (!Value)
      continue;
    for (const PtxDirective &D : F.Directives)
      if (D.Name == Name)
        Edits.push_back({D.Begin, D.End, ""});
    New += (Twine(Name) + " " + Twine(Value) + "\n").str();
  }
  if (!New.empty() && !isSpace(Text[F.Open - 1]))
    New.insert(0, "\n");
  Edits.push_back({F.Open, F.Open, New});
  if (Change.SmemSpilling)
    Edits.push_back(
        {F.Open + 1, F.Open + 1, "\n.pragma \"enable_smem_spilling\";\n"});
  append_range(Edits, Change.Body);
}

PtxEdit PtxFile::rounded(size_t At) const {
  size_t End = StringRef(Code).find('.', At);
  return {End, End, ".rn"};
}

std::string PtxFile::edited(std::vector<PtxEdit> Edits) const {
  stable_sort(Edits, [](const PtxEdit &A, const PtxEdit &B) {
    return A.Begin < B.Begin;
  });
  std::string Result;
  size_t At = 0;
  for (const PtxEdit &E : Edits) {
    Result.append(Text, At, E.Begin - At);
    Result += E.New;
    At = E.End;
  }
  return Result.append(Text, At);
}

std::string
PtxFile::changed(const std::map<std::string, PtxChange> &Changes) const {
  std::vector<PtxEdit> Edits;
  for (const PtxFunction &F : Functions)
    if (auto Its = Changes.find(F.Name); F.IsEntry && Its != Changes.end())
      addEdits(Edits, F, Its->second);
  return edited(std::move(Edits));
}

std::string PtxFile::isolated(StringRef Only, const PtxChange &Change) const {
  std::vector<const PtxFunction *> Others;
  for (const auto *Some : {&DeclaredEntries, &Functions})
    for (const PtxFunction &F : *Some)
      if (F.IsEntry && F.Name != Only)
        Others.push_back(&F);
  sort(Others, [](const PtxFunction *A, const PtxFunction *B) {
    return A->Begin < B->Begin;
  });
  StringSet<> Named; // By what stays: an initializer, or a function.
  size_t At = 0;
  auto NoteNames = [&](size_t End) {
    for (StringRef Name : registersIn(StringRef(Code).slice(At, End)))
      Named.insert(Name);
  };
  for (const PtxFunction *F : Others) {
    NoteNames(F->Begin);
    At = F->End;
  }
  NoteNames(Code.size());

  std::vector<PtxEdit> Edits;
  for (const PtxFunction *F : Others)
    if (!Named.contains(F->Name))
      Edits.push_back({F->Begin, F->End, ""});
    else if (Code[F->End - 1] == '}')
      Edits.push_back({F->Open, F->End, "{ ret; }"});
  if (const PtxFunction *F = find(Only))
    addEdits(Edits, *F, Change);
  return edited(std::move(Edits));
}

} // namespace regdem
