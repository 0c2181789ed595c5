//===- SassListing.h - the code of a program, in order ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All instructions of a program, reached or not, and where control may go after
// each. Kernels as graphs (Sass.h) are made of it; the checker of moved frames
// follows it instruction by instruction.
//
// It is decoded, or read from `nvdisasm -c -hex`; not from -json, because every
// release from 12.x on prints that form alike and because -json leaves the
// encoding out, which holds the control bits. -raw drops the encoding, too.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_SASSLISTING_H
#define REGDEM_MACHINECODE_SASSLISTING_H

#include "regdem/MachineCode/SassInstruction.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace regdem {

struct SassListing {
  std::vector<SassInstruction> Code;
  /// Index in Code of what stands after a label; may be its size.
  llvm::StringMap<unsigned> Labels;
  std::vector<std::string> Kernels; ///< In order.

  /// The instruction after Label, an index in Code; none where there is no such
  /// label or no code after it.
  std::optional<unsigned> codeAt(llvm::StringRef Label) const;
  /// The instruction at O, a label; none likewise.
  std::optional<unsigned> target(const SassOperand &O) const;
  /// Whether instruction N is followed by another one of its section: addresses
  /// start at 0 in each.
  bool hasNext(unsigned N) const {
    return N + 1 < Code.size() && Code[N + 1].Address != 0;
  }
  /// The section with the code of Kernel, its only one.
  llvm::Expected<SassListing> section(llvm::StringRef Kernel) const;
};

struct RawCode;

/// Code as one section with its only kernel, read without a disassembler: none
/// for architectures for which the two were not compared (sm_75 is one), and
/// where an instruction is not one of the usual ones. As nvdisasm's text is
/// read, but that modifiers which matter nowhere are left out of opcodes, as
/// are rounding, the parts of registers and signs of floating-point operands,
/// that floating-point immediates are bits, that symbols have no names, and
/// that predicates are there which nvdisasm does not print since they always
/// hold. Labels are where control goes, and the names of functions.
std::optional<SassListing> decodeListing(const RawCode &Code);
/// The same of Kernel in Cubin, as rawCodeOf() finds it.
std::optional<SassListing> decodeListing(llvm::StringRef Cubin,
                                         llvm::StringRef Kernel);

/// An error names the first line that nvdisasm does not print so.
llvm::Expected<SassListing> readListing(llvm::StringRef Text);

/// Where control goes after one instruction.
struct SassFlow {
  enum class Kind : uint8_t {
    Next,   ///< On, like most instructions.
    Jump,   ///< To Targets, and on where FallsThrough.
    Call,   ///< To the only one of Targets or, if none, nobody knows where, and
            ///< back.
    Meet,   ///< BSYNC: where threads have been told to meet.
    Return, ///< To the caller, and on where FallsThrough.
    Stop    ///< Nowhere, or on where FallsThrough.
  };
  Kind What = Kind::Next;
  llvm::SmallVector<unsigned, 2> Targets; ///< Indices in SassListing::Code.
  bool FallsThrough = true;
};

/// The flow after instruction N of L; an error where it cannot be seen.
llvm::Expected<SassFlow> flowAfter(const SassListing &L, unsigned N);

} // namespace regdem

#endif // REGDEM_MACHINECODE_SASSLISTING_H
