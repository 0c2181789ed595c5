//===- SpillTrace.cpp - which values ptxas spills -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SpillTrace.h"

#include "regdem/MachineCode/PtxCode.h"
#include "regdem/MachineCode/PtxText.h"
#include "regdem/MachineCode/SassDefinitions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace regdem {

/// The places in Code where Directive stands.
static SmallVector<size_t, 4> placesOf(StringRef Directive, StringRef Code) {
  SmallVector<size_t, 4> Places;
  for (size_t At = 0; (At = Code.find(Directive, At)) != StringRef::npos;)
    if (At += Directive.size(); At == Code.size() || isSpace(Code[At]))
      Places.push_back(At - Directive.size());
  return Places;
}

namespace {

class Numberer {
public:
  explicit Numberer(StringRef PTX) : File(PTX), Code(File.code()) {}
  NumberedPTX run();

private:
  void dropFiles();
  void dropDebugInfo();
  void number(const PtxFunction &F);
  std::string sourceOf(StringRef Location) const;

  PtxFile File;
  StringRef Code;
  std::vector<PtxEdit> Edits;
  StringMap<std::string> Names; ///< Of files, by number.
  std::vector<PTXStatement> Statements;
};

/// `.file 1 "/src/a.cu", 1700000000, 512`
void Numberer::dropFiles() {
  for (size_t At : placesOf(".file", Code)) {
    auto [Number, Rest] = File.text().substr(At).split('"');
    auto [Name, Behind] = Rest.split('"');
    SmallVector<StringRef, 2> Words;
    SplitString(Number, Words);
    Names[Words.back()] = sys::path::filename(Name).str();
    Behind = Behind.drop_while(
        [](char C) { return isDigit(C) || C == ',' || C == ' '; });
    Edits.push_back({At, File.text().size() - Behind.size(), ""});
  }
}

/// `.section .debug_info { … }`, and `debug` among a target's words.
void Numberer::dropDebugInfo() {
  for (size_t At : placesOf(".section", Code))
    if (size_t End = Code.find('}', At); End != StringRef::npos)
      Edits.push_back({At, End + 1, ""});
  for (size_t At : placesOf(".target", Code)) {
    StringRef Line =
        Code.substr(At).take_until([](char C) { return C == '\n'; });
    if (size_t Word = Line.find("debug"); Word != StringRef::npos)
      Edits.push_back({At + Line.rfind(',', Word), At + Word + 5, ""});
  }
}

/// "a.cu:12" for `.loc 1 12 3`; empty for line 0.
std::string Numberer::sourceOf(StringRef Location) const {
  SmallVector<StringRef, 4> Words;
  SplitString(Location, Words);
  auto Name = Words.size() > 2 ? Names.find(Words[1]) : Names.end();
  return Name == Names.end() || Words[2] == "0"
             ? ""
             : Name->second + ":" + Words[2].str();
}

void Numberer::number(const PtxFunction &F) {
  auto PlaceOf = [&](StringRef Part) {
    return static_cast<size_t>(Part.data() - Code.data());
  };
  const PtxCode Body = readPtxCode(File.bodyOf(F));
  ArrayRef<StringRef> Locations = Body.Locations;
  std::string Source;
  for (const PtxInstruction &I : Body.Instructions) {
    for (; !Locations.empty() && Locations[0].data() < I.Opcode.data();
         Locations = Locations.drop_front())
      Source = sourceOf(Locations[0]);
    size_t At = PlaceOf(I.Statement), Begin = PlaceOf(I.Opcode);
    if (I.isGuarded())
      Begin = Code.rfind('@', Begin);
    SmallVector<StringRef, 8> Words;
    SplitString(Code.slice(Begin, Code.find(';', Begin)), Words);
    Statements.push_back({join(Words, " ") + ";", Source});
    Edits.push_back({At, At, ".loc 1 " + utostr(Statements.size()) + " 0\n\t"});
  }
  for (StringRef Location : Body.Locations)
    Edits.push_back(
        {PlaceOf(Location), PlaceOf(Location) + Location.size(), ""});
}

NumberedPTX Numberer::run() {
  dropFiles(); // They may come after what names them.
  dropDebugInfo();
  for (const PtxFunction &F : File.functions())
    number(F);
  size_t End = File.text().size();
  Edits.push_back({End, End, "\n.file 1 \"ptx\"\n"});
  return {File.edited(std::move(Edits)), std::move(Statements)};
}

} // namespace

NumberedPTX numberStatements(StringRef PTX) { return Numberer(PTX).run(); }

/// Adds instruction At of Block, if it is spill code, to its place.
static void addAccess(const SassKernel &K, const SassDefinitions &Definitions,
                      unsigned Block, size_t At,
                      std::map<uint64_t, SpillPlace> &Places) {
  const SassBlock &B = K.Blocks[Block];
  const SassInstruction &I = B.Instructions[At];
  const SassOperand *Address = I.address();
  if (!I.IsSpill || !Address || !Address->isPlainAddress() ||
      Address->Register != StackRegister)
    return;
  auto Offset = static_cast<uint64_t>(Address->Number);
  SpillPlace &Place = Places[Offset];
  Place.Offset = Offset;
  Place.Bytes = std::max<uint64_t>(Place.Bytes, I.Bytes);
  bool IsLoad = I.Class == SassClass::LocalLoad;
  if (I.SourceLine)
    (IsLoad ? Place.ReloadedAt : Place.StoredAt).insert(I.SourceLine);
  if (IsLoad) {
    ++Place.Reloads;
    Place.ReloadRuns += B.Frequency;
    return;
  }
  ++Place.Stores;
  Place.StoreRuns += B.Frequency;
  for (SassRegister R : I.Reads)
    if (R != StackRegister)
      for (const SassInstruction *By : Definitions.find(Block, At, R))
        Place.Lines.insert(By->SourceLine);
}

std::vector<SpillPlace> findSpills(const SassKernel &K) {
  SassDefinitions Definitions(K);
  std::map<uint64_t, SpillPlace> Places;
  for (unsigned N = 0; N != K.Blocks.size(); ++N)
    for (size_t At = 0; At != K.Blocks[N].Instructions.size(); ++At)
      addAccess(K, Definitions, N, At, Places);
  auto ByOffset = make_second_range(Places);
  return {ByOffset.begin(), ByOffset.end()};
}

} // namespace regdem
