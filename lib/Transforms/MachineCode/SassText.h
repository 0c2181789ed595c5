//===- SassText.h - the lines that nvdisasm prints --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits `nvdisasm -c -hex` into instructions and labels. What an opcode means
// is not known here. All of it refers to the text, which must outlive it.
//
// That form, and not -json, because every release from 12.x on prints it alike
// and because -json leaves the encoding out, which holds the control bits.
// -raw drops the encoding, too.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_MACHINECODE_SASSTEXT_H
#define REGDEM_LIB_MACHINECODE_SASSTEXT_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace regdem {

struct SassLine {
  uint64_t Address = 0;     ///< Bytes from the start of its section.
  llvm::StringRef Guard;    ///< "P0", "!UP1"; empty: none.
  llvm::StringRef Opcode;   ///< With modifiers.
  llvm::StringRef Operands; ///< Up to the semicolon, without Targets.
  llvm::StringRef Targets;  ///< "L1,L2" of an indirect branch's annotation.
  uint64_t High = 0;        ///< Bits 64 to 127 of the encoding.
  unsigned Section = 0;     ///< Counted from 0.
  unsigned SourceLine = 0;  ///< 0: none is stated, as without -g.
  bool IsSpill = false;     ///< Marked as spill code.
};

struct SassText {
  std::vector<SassLine> Lines;
  /// Index in Lines of what stands after a label; may be its size.
  llvm::StringMap<unsigned> Labels;
  std::vector<llvm::StringRef> Kernels; ///< Names, in the text's order.

  /// The instruction after Label, an index in Lines; none where there is no
  /// such label or no code after it.
  std::optional<unsigned> codeAt(llvm::StringRef Label) const;
};

/// An error names the first line that nvdisasm does not print so.
llvm::Expected<SassText> splitSassText(llvm::StringRef Text);

} // namespace regdem

#endif // REGDEM_LIB_MACHINECODE_SASSTEXT_H
