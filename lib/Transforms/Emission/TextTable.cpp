//===- TextTable.cpp - columns and paragraphs of plain text ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/TextTable.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

void TextTable::print(raw_ostream &OS) const {
  size_t Columns = Rows.front().size();
  std::vector<unsigned> Width(Columns);
  for (const auto &Row : Rows)
    for (size_t C = 0; C != Columns; ++C)
      Width[C] = std::max(Width[C], static_cast<unsigned>(Row[C].size()));
  for (const auto &Row : Rows) {
    for (size_t C = 0; C + 1 != Columns; ++C)
      OS << "  " << right_justify(Row[C], Width[C]);
    if (!Row.back().empty())
      OS << "  " << Row.back();
    OS << "\n";
  }
}

void printParagraph(raw_ostream &OS, StringRef Label, StringRef Text,
                    size_t Indent, size_t Width) {
  OS << left_justify(Label, static_cast<unsigned>(Indent));
  size_t Column = Indent;
  while (!Text.empty()) {
    auto [Word, Rest] = Text.split(' ');
    size_t Blank = Column != Indent ? 1 : 0;
    if (Blank && Column + Blank + Word.size() > Width) {
      OS << "\n";
      OS.indent(static_cast<unsigned>(Indent));
      Column = Indent;
      continue;
    }
    if (Column + Blank + Word.size() > Width) {
      OS << Word.take_front(Width - Column) << "\n";
      OS.indent(static_cast<unsigned>(Indent));
      Text = Text.drop_front(Width - Column);
      Column = Indent;
      continue;
    }
    OS << (Blank ? " " : "") << Word;
    Column += Blank + Word.size();
    Text = Rest;
  }
  OS << "\n";
}

} // namespace regdem
