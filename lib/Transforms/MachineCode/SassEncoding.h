//===- SassEncoding.h - one instruction from its bits ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction from its bits.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_MACHINECODE_SASSENCODING_H
#define REGDEM_LIB_MACHINECODE_SASSENCODING_H

#include "regdem/MachineCode/RawCode.h"
#include "regdem/MachineCode/SassInstruction.h"
#include <optional>

namespace regdem {

/// Capabilities for which the table was compared with nvdisasm; ptxas makes the
/// code of sm_86 for sm_88, byte for byte (253 files).
constexpr unsigned ComparedCapabilities[] = {75, 80,  86,  87,  88,  89,
                                             90, 100, 103, 110, 120, 121};

struct DecodedInstruction {
  /// Not classified; a label among its operands has no name.
  SassInstruction Instruction;
  /// What the label stands for, in bytes from the start of the code.
  std::optional<uint64_t> Target;
  size_t Results = 0; ///< How many operands at the front are results.
};

/// The instruction at Address of Code, whose capability is one of these; none
/// where it is not known.
std::optional<DecodedInstruction> decodeInstruction(const RawCode &Code,
                                                    uint64_t Address);

} // namespace regdem

#endif // REGDEM_LIB_MACHINECODE_SASSENCODING_H
