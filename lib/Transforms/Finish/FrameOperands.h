//===- FrameOperands.h - what an instruction names --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of an instruction, and the places that may have an address in the
// frame, for FrameUse.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_FRAMEOPERANDS_H
#define REGDEM_LIB_FINISH_FRAMEOPERANDS_H

#include "regdem/MachineCode/Sass.h"
#include <bitset>
#include <optional>

namespace regdem {

constexpr unsigned StackPointer = 1;

/// General registers, uniform ones from FirstUniform on, and words of the frame
/// from FirstWord on.
constexpr unsigned FirstUniform = 256, FirstWord = 320, Places = 4096;
using Registers = std::bitset<Places>;

/// The place of R in such a set; none for predicates.
std::optional<unsigned> placeOf(SassRegister R);

/// Operands of I, without predicates that are constant: nvdisasm leaves most of
/// them out, code that was read without it has all.
llvm::SmallVector<llvm::StringRef, 6> operandsOf(const SassInstruction &I);

/// The place of the register that Operand is, ".reuse" and the like apart; none
/// for one with a sign, an address or anything else.
std::optional<unsigned> plainRegister(llvm::StringRef Operand);

bool isAddress(const Registers &Addresses, llvm::StringRef Operand);

/// Whether Operand names a register of Addresses in any way.
bool mentions(const Registers &Addresses, llvm::StringRef Operand);

} // namespace regdem

#endif // REGDEM_LIB_FINISH_FRAMEOPERANDS_H
