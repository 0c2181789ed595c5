//===- SassEncoding.h - machine code without a disassembler -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions that ptxas makes of most kernels, from their bits. A run of
// nvdisasm takes half as long as clang does for a small kernel, whatever the
// kernel. What is not in the table is nvdisasm's to read.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_MACHINECODE_SASSENCODING_H
#define REGDEM_LIB_MACHINECODE_SASSENCODING_H

#include "SassText.h"
#include <deque>
#include <string>

namespace regdem {

/// What nvdisasm would print, as far as it matters here: rounding, signs of
/// floating-point operands and hints to caches are left out, immediate operands
/// are bits, and all predicates of an instruction are there.
struct DecodedText {
  SassText Text;
  std::deque<std::string> Storage; ///< What Text refers to.
};

/// Code, for a compute capability (90: 9.0), as one section with the only
/// kernel Name; none where an instruction is not known.
std::optional<DecodedText>
decodeEncoding(llvm::StringRef Code, llvm::StringRef Name, unsigned Capability);

} // namespace regdem

#endif // REGDEM_LIB_MACHINECODE_SASSENCODING_H
