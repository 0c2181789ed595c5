//===- ProductDistance.h - products far from their sums ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_PRODUCTDISTANCE_H
#define REGDEM_ANALYSIS_PRODUCTDISTANCE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/CodeGen/Register.h"

namespace llvm {
class Function;
class MachineFunction;
class MachineInstr;
class MachineRegisterInfo;
} // namespace llvm

namespace regdem {

class NVPTXOpcodes;

/// Whether Reg may hold a product that ptxas may fuse into a sum, or what
/// negations and copies made of one, through which ptxas looks. True as well
/// where that is too far to see.
bool mayHoldProduct(llvm::Register Reg, const llvm::MachineRegisterInfo &MRI,
                    const NVPTXOpcodes &Opcodes);

/// Whether I is a product, out of SSA form, of which ptxas may make something
/// else where other instructions stand between it and its readers: it may be
/// fused into a sum, or scaled while it multiplies, which ptxas may leave for
/// the sake of another reader.
bool mayDependOnPlace(const llvm::MachineInstr &I, const NVPTXOpcodes &Opcodes);

/// Whether MF, in SSA form, has a product that ptxas may fuse into a sum of
/// another block. Whether ptxas does may depend on how far apart they are, so
/// that a build in which one of them stands elsewhere may differ in the last
/// bit. A product next to its sum stays there in every build.
bool hasCrossBlockFMA(const llvm::MachineFunction &MF,
                      const NVPTXOpcodes &Opcodes);

/// Whether MF has a product without rounding modifier, and something that may
/// read it, such as a sum without one: ptxas decides whether it is fused into a
/// sum, wherever that stands, or scaled. IsFixed: those that leavePlain() has
/// left so are neither.
bool hasContractibleFMul(const llvm::MachineFunction &MF,
                         const NVPTXOpcodes &Opcodes, bool IsFixed);

/// Takes rounding modifiers off sums and products of MF, in SSA form, all of
/// which have theirs, where ptxas may fuse none for that. It makes of the code
/// what it made before, then: it knows more of plain sums (of a - b < 0 it
/// makes a < b), and that plain products are equal. Such are
/// - sums, if nothing without a modifier gives products, and calls are of
///   functions that are Fixed, as MF is;
/// - products that no sum reads and nothing scales;
/// - products that are marked, by their flag to be contracted: ptxas scales
///   them as their only reader, next to them, says.
/// False where one that is marked has another reader, or it in another block:
/// ptxas may do otherwise with it than in the code that it was marked in.
bool leavePlain(llvm::MachineFunction &MF, const NVPTXOpcodes &Opcodes,
                llvm::function_ref<bool(const llvm::Function &)> IsFixed);

} // namespace regdem

#endif // REGDEM_ANALYSIS_PRODUCTDISTANCE_H
