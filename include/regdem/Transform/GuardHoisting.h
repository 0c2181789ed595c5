//===- GuardHoisting.h - compute ahead of a guard ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM moves arithmetic on IR behind the guard of its only reader, past
// shuffles and barriers, which stay where they are:
//
//   %left = shfl.sync.up %me                   %left = shfl.sync.up %me
//   %right = shfl.sync.down %me                %right = shfl.sync.down %me
//   (the same for fifteen more rows)    ->     %sum = add %left, %right
//   bra %outside                               (...)
//   %sum = add %left, %right                   bra %outside
//   st [%row], %sum                            st [%row], %sum
//
// All that it reads lives until then. A stencil of four steps in time by
// shuffles spills 520 bytes in 40 registers on the left and none on the right.
// This takes such arithmetic back to where all that it reads is there.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_GUARDHOISTING_H
#define REGDEM_TRANSFORM_GUARDHOISTING_H

#include "llvm/Support/Error.h"

namespace llvm {
class MachineFunction;
class MachineLoopInfo;
} // namespace llvm

namespace regdem {

class NVPTXOpcodes;

/// Whether hoistAheadOfGuards() would change MF.
bool hasHoistable(const llvm::MachineFunction &MF,
                  const llvm::MachineLoopInfo &Loops,
                  const NVPTXOpcodes &Opcodes);

/// Moves arithmetic of MF, in SSA form, out of blocks with one predecessor into
/// that, where fewer words live at its end then. No product that ptxas may fuse
/// moves, nor what reads one. Returns whether it changed anything; an error, if
/// Verify, where anything but such arithmetic has moved, or to a wrong place.
llvm::Expected<bool> hoistAheadOfGuards(llvm::MachineFunction &MF,
                                        const llvm::MachineLoopInfo &Loops,
                                        const NVPTXOpcodes &Opcodes,
                                        bool Verify);

} // namespace regdem

#endif // REGDEM_TRANSFORM_GUARDHOISTING_H
