//===- TextTable.cpp - columns of plain text ------------------------------===//
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

} // namespace regdem
