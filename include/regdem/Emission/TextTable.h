//===- TextTable.h - columns of plain text ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layout of text for people to read. It knows nothing of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_EMISSION_TEXTTABLE_H
#define REGDEM_EMISSION_TEXTTABLE_H

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace regdem {

/// Rows of cells under a header. The last column is flush left, the others
/// flush right.
class TextTable {
public:
  explicit TextTable(std::vector<std::string> Header)
      : Rows{std::move(Header)} {}

  /// Cells must be as many as the header's.
  void addRow(std::vector<std::string> Cells) {
    Rows.push_back(std::move(Cells));
  }
  bool empty() const { return Rows.size() == 1; }
  void print(llvm::raw_ostream &OS) const;

private:
  std::vector<std::vector<std::string>> Rows;
};

} // namespace regdem

#endif // REGDEM_EMISSION_TEXTTABLE_H
