//===- SassDecode.h - what one instruction does -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What opcode, operands and guard of one instruction say. Nothing here knows of
// other instructions.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_MACHINECODE_SASSDECODE_H
#define REGDEM_LIB_MACHINECODE_SASSDECODE_H

#include "regdem/MachineCode/SassInstruction.h"
#include <optional>

namespace regdem {

/// Name ("R12", "UP0", "RZ") as a register; none where it is something else.
std::optional<SassRegister> readRegister(llvm::StringRef Name);

/// Fills in I.Class, I.Bytes, I.Reads, I.Writes and I.Kept from its opcode,
/// operands and guard.
void classify(SassInstruction &I);

/// Fills in I.Reads, I.Writes and I.Kept from its other fields.
void decodeRegisters(SassInstruction &I);

} // namespace regdem

#endif // REGDEM_LIB_MACHINECODE_SASSDECODE_H
