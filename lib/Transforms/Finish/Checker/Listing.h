//===- Listing.h - a kernel's code as nvdisasm prints it --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_LISTING_H
#define REGDEM_LIB_FINISH_CHECKER_LISTING_H

#include "regdem/MachineCode/Sass.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace regdem::framecheck {

/// An instruction's text; refers to the listing.
struct ListedInstruction {
  llvm::StringRef Guard; ///< "P0", "!UP1"; empty: none.
  llvm::StringRef Opcode, Operands;
  /// "L1,L2": where a branch through a register goes, by what ptxas noted.
  llvm::StringRef Targets;

  llvm::StringRef base() const { return Opcode.split('.').first; }
  /// Not every thread that comes by need execute it.
  bool isGuarded() const {
    return !Guard.empty() && Guard != "PT" && Guard != "UPT";
  }
  bool isNever() const { return Guard == "!PT" || Guard == "!UPT"; }
  /// Parts of Operands between commas outside of brackets.
  llvm::SmallVector<llvm::StringRef, 6> operands() const {
    return splitOperands(Operands);
  }
};

struct Listing {
  std::vector<ListedInstruction> Instructions; ///< By number in the section.
  llvm::StringMap<unsigned> Labels;            ///< Numbers of instructions.
};

/// The section .text.Kernel in what `nvdisasm -c -hex` printed; Count is the
/// number of instructions that it must have.
llvm::Expected<Listing> readListing(llvm::StringRef Text,
                                    llvm::StringRef Kernel, size_t Count);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_LISTING_H
