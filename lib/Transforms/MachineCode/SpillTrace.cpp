//===- SpillTrace.cpp - which values ptxas spills -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SpillTrace.h"

#include "regdem/MachineCode/SassDefinitions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace regdem {

namespace {

/// A line without its comment and the blanks around it.
StringRef code(StringRef Line) { return Line.split("//").first.trim(); }

/// Reads PTX line by line, as LLVM prints it: one statement a line, or one over
/// several.
class Numberer {
public:
  NumberedPTX run(StringRef PTX);

private:
  void line(StringRef Line);
  void readPlace(StringRef Directive);

  NumberedPTX Result;
  raw_string_ostream OS{Result.Text};
  StringMap<std::string> Files; ///< By number.
  std::string Source;
  bool InBody = false, InStatement = false, InSection = false;
};

/// `.loc 1 12 3`
void Numberer::readPlace(StringRef Directive) {
  SmallVector<StringRef, 4> Words;
  SplitString(Directive, Words);
  if (Words.size() < 2)
    return;
  auto File = Files.find(Words[0]);
  Source = File == Files.end() || Words[1] == "0"
               ? ""
               : File->second + ":" + Words[1].str();
}

void Numberer::line(StringRef Line) {
  StringRef Code = code(Line);
  if (InSection) { // Debug information, up to a lone brace.
    InSection = Code != "}";
    return;
  }
  StringRef Rest = Code;
  if (Rest.consume_front(".section")) {
    InSection = true;
    return;
  }
  if (Rest.starts_with(".file"))
    return;
  if (Rest.consume_front(".loc"))
    return readPlace(Rest);
  if (Rest.consume_front(".target")) {
    OS << "\t.target " << Rest.split(',').first.trim() << "\n";
    return;
  }
  // Braces of functions stand alone in their lines, those of blocks do not.
  if (Line == "{")
    InBody = true;
  if (Line == "}")
    InBody = false;
  bool Starts = InBody && !InStatement && !Code.empty() &&
                !StringRef("{}.$").contains(Code.front()) &&
                !Code.ends_with(":");
  if (Starts) {
    std::string Text = Code.str();
    // LLVM puts a blank and a tab after the opcode.
    erase(Text, '\t');
    Result.Statements.push_back({std::move(Text), Source});
    OS << "\t.loc 1 " << Result.Statements.size() << " 0\n";
  }
  if (InBody && (Starts || InStatement))
    InStatement = !Code.empty() && !Code.ends_with(";");
  OS << Line << "\n";
  if (Code.starts_with(".address_size"))
    OS << "\t.file 1 \"ptx\"\n";
}

NumberedPTX Numberer::run(StringRef PTX) {
  PTX = PTX.rtrim('\n');
  // `.file 1 "/src/a.cu"` may come after what names it.
  for (StringRef Line : split(PTX, '\n'))
    if (StringRef Directive = code(Line); Directive.consume_front(".file")) {
      auto [Number, Rest] = Directive.ltrim().split(' ');
      StringRef Name = Rest.split('"').second.split('"').first;
      Files[Number.rtrim()] = sys::path::filename(Name).str();
    }
  for (StringRef Line : split(PTX, '\n'))
    line(Line);
  return std::move(Result);
}

} // namespace

NumberedPTX numberStatements(StringRef PTX) { return Numberer().run(PTX); }

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
