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
// Nothing but its bits tells what it is; nvdisasm, with which tests compare
// what is read here, is not needed.
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
};

struct RawCode;

/// Code as one section with its only kernel. An error for architectures for
/// which that was not compared with nvdisasm, and where an instruction is not
/// known. It is what nvdisasm prints, but that modifiers which matter nowhere
/// are left out of opcodes, as are rounding, the parts of registers and signs
/// of floating-point operands, that floating-point immediates are bits, that
/// symbols have no names, and that predicates are there which nvdisasm does not
/// print since they always hold. Labels are where control goes, and the names
/// of functions.
llvm::Expected<SassListing> decodeListing(const RawCode &Code);
/// The same of Kernel in Cubin (empty: the only one).
llvm::Expected<SassListing> decodeListing(llvm::StringRef Cubin,
                                          llvm::StringRef Kernel);

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
