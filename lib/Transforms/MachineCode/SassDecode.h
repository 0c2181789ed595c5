//===- SassDecode.h - what one instruction does -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the text of one instruction to a SassInstruction. Nothing here knows of
// other instructions.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_MACHINECODE_SASSDECODE_H
#define REGDEM_LIB_MACHINECODE_SASSDECODE_H

#include "SassText.h"
#include "regdem/MachineCode/Sass.h"

namespace regdem {

/// Whether Opcode has Modifier, given without its dot, as one of its parts.
bool hasModifier(llvm::StringRef Opcode, llvm::StringRef Modifier);

/// Whether Predicate is one of the constant ones that always hold.
bool isTrue(llvm::StringRef Predicate);

/// Whether there are threads that may pass Line without executing it.
bool isGuarded(const SassLine &Line);

/// Name ("R12", "UP0") as a register; none where it is something else or one of
/// the constant registers.
std::optional<SassRegister> readRegister(llvm::StringRef Name);

/// Fills in I.Reads, I.Writes and I.Kept from its other fields.
void decodeRegisters(SassInstruction &I);

/// From the higher 64 bits of an encoding.
SassControl decodeControl(uint64_t High);

/// Line with all that is known of it by itself; blocks, and what may have to be
/// equal for its guard to hold, are left to others.
SassInstruction decodeSass(const SassLine &Line);

} // namespace regdem

#endif // REGDEM_LIB_MACHINECODE_SASSDECODE_H
