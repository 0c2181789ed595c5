//===- CopyFolding.h - values computed where they are to end up -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that replaces another at the end of a block is computed in the
// register of that one, once that has been read for the last time:
//
//   %4 = SELP_b32rr %1, %0, %2         %3 = SELP_b32rr %0, %1, %2
//   %3 = SELP_b32rr %0, %1, %2    =>   %0 = SELP_b32rr %1, %0, %2
//   ...                                ...
//   %0 = COPY %4
//
// LLVM's coalescer does the same where nothing has to move, and so does ptxas,
// which keeps %0 and %4 in registers of their own otherwise. A list that is
// kept sorted in registers gets two copies for each of its places by that.
//
// Only arithmetic moves, no live range gets longer by more words than others
// get shorter, and blocks in which ptxas could fuse a product into a sum stay
// as they are (BlockReordering.h).
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_COPYFOLDING_H
#define REGDEM_TRANSFORM_COPYFOLDING_H

#include "llvm/Support/Error.h"

namespace llvm {
class LiveIntervals;
class MachineFunction;
} // namespace llvm

namespace regdem {

class NVPTXOpcodes;

/// How many copies of MF, out of SSA form, can be folded.
unsigned countFoldable(llvm::MachineFunction &MF,
                       const llvm::LiveIntervals &LIS,
                       const NVPTXOpcodes &Opcodes);

/// Folds them and keeps LIS up to date. Whether anything has changed, or an
/// error in one line if Verify finds that a block no longer computes what it
/// did.
llvm::Expected<bool> foldCopies(llvm::MachineFunction &MF,
                                llvm::LiveIntervals &LIS,
                                const NVPTXOpcodes &Opcodes, bool Verify);

} // namespace regdem

#endif // REGDEM_TRANSFORM_COPYFOLDING_H
