//===- BlockWaits.h - blocks that wait for each other -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks that are all resident at once may wait for each other, whatever CUDA
// promises: programs make barriers of a grid themselves.
//
//   atomicAdd(arrived, 1);                    no other block has to run for
//   while (*(volatile int *)arrived < all)    for (i = 0; i < n; ++i)
//     ;                                         sum += in[i];
//
// A build that leaves fewer of them resident would hang. A thread waits in a
// loop that it leaves by what it reads there; without such a loop none waits.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_BLOCKWAITS_H
#define REGDEM_ANALYSIS_BLOCKWAITS_H

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace regdem {

/// Whether F, whose flow is reducible and whose loops are Loops, may have a
/// thread wait for what another block does. What F calls is to be asked by
/// itself.
bool mayWaitForBlocks(const llvm::Function &F, const llvm::LoopInfo &Loops);

} // namespace regdem

#endif // REGDEM_ANALYSIS_BLOCKWAITS_H
