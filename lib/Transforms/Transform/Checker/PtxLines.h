//===- PtxLines.h - PTX as the checker reads it -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements and labels of a function as lines with single blanks, and the
// little that the checker has to know of one.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_PTXLINES_H
#define REGDEM_LIB_TRANSFORM_CHECKER_PTXLINES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace regdem::ptxcheck {

struct Line {
  std::string Text;   ///< A statement without ";", "label:", "{" or "}".
  unsigned Depth = 0; ///< Braces around it.
};

std::vector<Line> splitLines(llvm::StringRef Body);

/// "bra.uni" of "@%p1 bra.uni there".
llvm::StringRef opcodeOf(llvm::StringRef Text);
/// "there"; empty: it is no branch to a label.
llvm::StringRef branchTarget(llvm::StringRef Text);
/// All names in the first operand, unless that is an address.
llvm::SmallVector<llvm::StringRef, 4> writtenBy(llvm::StringRef Text);

/// Registers by name, or by the start of their names ("%r<8>").
class Declarations {
public:
  void add(llvm::StringRef Text, unsigned Depth);
  unsigned bitsOf(llvm::StringRef Register) const; ///< 0: not the function's.
  bool isInner(llvm::StringRef Register) const;    ///< In braces, too.

private:
  std::map<std::string, unsigned> Own, Families;
  std::set<std::string> Inner, InnerFamilies;
};

Declarations readDeclarations(llvm::ArrayRef<Line> Lines);

} // namespace regdem::ptxcheck

#endif // REGDEM_LIB_TRANSFORM_CHECKER_PTXLINES_H
