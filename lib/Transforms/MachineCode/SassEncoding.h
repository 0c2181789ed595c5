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

#include "regdem/MachineCode/RawCode.h"
#include "regdem/MachineCode/SassListing.h"

namespace regdem {

/// Code as one section with its only kernel; none where an instruction is not
/// known. As nvdisasm's text is read, but that modifiers which matter nowhere
/// are left out of opcodes, as are rounding, the parts of registers and signs
/// of floating-point operands, that floating-point immediates are bits, that
/// symbols have no names, and that predicates are there which nvdisasm does not
/// print since they always hold.
std::optional<SassListing> decodeEncoding(const RawCode &Code);

} // namespace regdem

#endif // REGDEM_LIB_MACHINECODE_SASSENCODING_H
