//===- OpcodeNames.h - what an NVPTX opcode's name tells --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TARGET_OPCODENAMES_H
#define REGDEM_LIB_TARGET_OPCODENAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace regdem {

/// Whether Name starts with one of Prefixes.
bool startsWithAny(llvm::StringRef Name,
                   llvm::ArrayRef<llvm::StringRef> Prefixes);

/// Whether Name is one of Operations on a floating-point type without rounding
/// modifier: "FMULf32rr" is FMUL's, "FMUL_rnf32rr" is not.
bool isUnrounded(llvm::StringRef Name,
                 llvm::ArrayRef<llvm::StringRef> Operations);

/// Whether Name is that of an approximate quotient, which ptxas makes a product
/// with a reciprocal: div.approx.f32, div.full.f32, rcp.approx.f32.
bool isApproximateQuotient(llvm::StringRef Name);

/// Whether Name takes wide registers apart or puts them together.
bool isPacking(llvm::StringRef Name);

/// Whether Name is that of simple arithmetic: at most a few cycles of a unit
/// that every sub-partition has.
bool namesSimpleArithmetic(llvm::StringRef Name);

/// Whether Name is that of other arithmetic, which may take many instructions.
bool namesCostlyArithmetic(llvm::StringRef Name);

/// Whether Name reads one of Registers of the block or thread, in x, y or z.
bool readsSpecial(llvm::StringRef Name,
                  llvm::ArrayRef<llvm::StringRef> Registers);

/// Whether Name moves one register to another: "MOV_B32_r".
bool isMove(llvm::StringRef Name);

/// Whether Name is a sum or product of scalars of 32 or 64 bits: FADD, FMUL and
/// FFMA, DADD, DMUL and DFMA negate what they read.
bool takesSigns(llvm::StringRef Name);

} // namespace regdem

#endif // REGDEM_LIB_TARGET_OPCODENAMES_H
