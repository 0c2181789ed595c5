//===- PtxText.h - PTX of any compiler, read and edited as text -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the functions of a PTX file and the directives of its kernels, and
// changes those directives and what it is told to. Nothing else of a text ever
// changes: comments, line numbers and the order of what is left stay. PTX that
// is not well formed has the functions up to where it is not.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_PTXTEXT_H
#define REGDEM_MACHINECODE_PTXTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace regdem {

/// `.maxntid 256, 1, 1`
struct PtxDirective {
  std::string Name; ///< With its dot.
  llvm::SmallVector<unsigned, 3> Numbers;
  size_t Begin = 0, End = 0; ///< In the text, with the blanks that follow.
};

/// A function that has a body.
struct PtxFunction {
  std::string Name;
  bool IsEntry = false;
  std::vector<PtxDirective> Directives; ///< Of its header.
  size_t Begin = 0, Open = 0, End = 0;  ///< From its linkage to behind "}".
  bool IsUnclear = false;               ///< A bound in its header is no number.

  /// The first number after Directive; 0 where it has none.
  unsigned numberOf(llvm::StringRef Directive) const;
  /// The last one of that name, as it is for ptxas; null: there is none.
  const PtxDirective *find(llvm::StringRef Directive) const;
};

/// New in the place of [Begin, End) of a text.
struct PtxEdit {
  size_t Begin = 0, End = 0;
  std::string New;
};

inline bool operator==(const PtxEdit &A, const PtxEdit &B) {
  return A.Begin == B.Begin && A.End == B.End && A.New == B.New;
}

/// What a kernel's header is to state, where that is not 0 or false, and what
/// else changes of it.
struct PtxChange {
  unsigned MaxRegs = 0;      ///< .maxnreg
  unsigned MinBlocks = 0;    ///< .minnctapersm
  bool SmemSpilling = false; ///< .pragma "enable_smem_spilling"
  unsigned Threads = 0;      ///< .maxntid
  std::vector<PtxEdit> Body; ///< Those at one place in their order.
};

inline bool operator==(const PtxChange &A, const PtxChange &B) {
  return A.MaxRegs == B.MaxRegs && A.MinBlocks == B.MinBlocks &&
         A.SmemSpilling == B.SmemSpilling && A.Threads == B.Threads &&
         A.Body == B.Body;
}

class PtxFile {
public:
  explicit PtxFile(llvm::StringRef Text);

  llvm::ArrayRef<PtxFunction> functions() const { return Functions; }
  const PtxFunction *find(llvm::StringRef Name) const;
  /// F's body, with blanks for comments and strings.
  llvm::StringRef bodyOf(const PtxFunction &F) const;
  /// All of the file so.
  llvm::StringRef code() const { return Code; }
  llvm::StringRef text() const { return Text; }
  /// Names of the variables that are dynamic shared memory.
  llvm::ArrayRef<std::string> dynamicVariables() const { return Dynamic; }
  unsigned version() const; ///< 90 for `.version 9.0`; 0: none.
  /// The change by which the opcode that begins at At rounds by itself.
  PtxEdit rounded(size_t At) const;

  /// The text with Edits, those at one place in their order.
  std::string edited(std::vector<PtxEdit> Edits) const;
  /// The text with Changes to kernels, by their names.
  std::string changed(const std::map<std::string, PtxChange> &Changes) const;
  /// The same without kernels other than Only, or what they do, where what
  /// stays names them.
  std::string isolated(llvm::StringRef Only, const PtxChange &Change) const;

private:
  void addEdits(std::vector<PtxEdit> &Edits, const PtxFunction &F,
                const PtxChange &Change) const;

  std::string Text, Code;
  std::vector<PtxFunction> Functions;
  std::vector<PtxFunction> DeclaredEntries; ///< End is behind ";".
  std::vector<std::string> Dynamic;
};

} // namespace regdem

#endif // REGDEM_MACHINECODE_PTXTEXT_H
