//===- Demoter.h - carry out a demotion plan --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only code that edits instructions. %20 is the thread's base address in
// the region, and blocks have 256 threads:
//
//   %7:b32 = ...                      %7:b32 = ...
//                                     ST_i32 %7, ..., %20, 1024    ; slot 1
//   ...                           =>  ...
//                                     %7:b32 = LD_i32 ..., %20, 1024
//   %9:b32 = ADD32rr %7, %8           %9:b32 = ADD32rr %7, %8
//
// Where a value is rematerialised instead, its only definition is repeated. A
// value keeps its register, so debug values stay right and no use needs
// rewriting; ptxas builds its own live ranges from the definitions.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_DEMOTER_H
#define REGDEM_TRANSFORM_DEMOTER_H

#include "regdem/Analysis/KernelCode.h"
#include "regdem/Transform/SlotLayout.h"

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace regdem {

/// Adds to Kernel's module the shared variable, Bytes long, in which a block
/// of Kernel keeps its slots, at a multiple of 8 bytes, the widest access.
/// Where Bytes is 0, declares the start of the block's dynamic shared memory,
/// which all such declarations share: at a multiple of 16 bytes then, by which
/// ptxas's section of a kernel shows that it may have such memory.
llvm::GlobalVariable &createSpillRegion(llvm::Function &Kernel, uint64_t Bytes);

/// The variable that createSpillRegion has made for Kernel; null where there
/// is none.
const llvm::GlobalVariable *findSpillRegion(const llvm::Function &Kernel);

/// Carries out Plan, whose graph is Code's, with the slots in Region, which may
/// be null where Layout has no words. Dims: the extents of the block where
/// every launch has exactly these; 0, 0, 0 where not known.
void demote(llvm::MachineFunction &MF, const KernelCode &Code,
            const DemotionPlan &Plan, const SlotLayout &Layout,
            const unsigned (&Dims)[3], llvm::GlobalVariable *Region,
            const NVPTXOpcodes &Opcodes);

} // namespace regdem

#endif // REGDEM_TRANSFORM_DEMOTER_H
