//===- BlockReordering.h - put a block into another order -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions of a block change places:
//
//   %1 = LD_i32 ..., 0            %1 = LD_i32 ..., 0
//   %2 = LD_i32 ..., 4       =>   %3 = ADD32rr %0, %1
//   %3 = ADD32rr %0, %1           %2 = LD_i32 ..., 4
//   %4 = ADD32rr %3, %2           %4 = ADD32rr %3, %2
//
// Blocks whose values fit the registers stay as they are, and so do those in
// which ptxas could fuse a product into a sum: whether it does may depend on
// what stands between the two, and the last bit of the result with it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_BLOCKREORDERING_H
#define REGDEM_TRANSFORM_BLOCKREORDERING_H

#include "regdem/Analysis/KernelCode.h"
#include "regdem/Options.h"
#include "llvm/Support/Error.h"

namespace llvm {
class LiveIntervals;
} // namespace llvm

namespace regdem {

class NVPTXOpcodes;

/// Gives each block of Code with a pressure of more than three quarters of
/// MaxWords the order How and keeps LIS up to date; Code is void then. Whether
/// a block has changed, or an error in one line if Verify finds that one no
/// longer computes what it did.
llvm::Expected<bool> reorderBlocks(const KernelCode &Code,
                                   llvm::LiveIntervals &LIS,
                                   const NVPTXOpcodes &Opcodes, InstOrder How,
                                   unsigned MaxWords, bool Verify);

} // namespace regdem

#endif // REGDEM_TRANSFORM_BLOCKREORDERING_H
