//===- SassGraph.h - blocks, loops and frequencies of a kernel --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps from the blocks of a listing to a SassKernel, in the order in which
// they fill it in.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_MACHINECODE_SASSGRAPH_H
#define REGDEM_LIB_MACHINECODE_SASSGRAPH_H

#include "regdem/MachineCode/Sass.h"
#include "regdem/MachineCode/SassListing.h"

namespace regdem {

/// The blocks of a function, each after those that lead to it, back edges
/// aside.
std::vector<unsigned> blockOrder(const SassKernel &K, unsigned Function);

/// Whether the loop, or one inside it, has the block.
bool isInLoop(const SassKernel &K, unsigned Block, unsigned Loop);

/// Whether the edge from block From to block To goes back to the header of a
/// loop around both.
bool isBackEdge(const SassKernel &K, unsigned From, unsigned To);

/// Marks the slow paths that read one of the tables whose addresses stand at
/// these offsets of constant bank 4; see slowPathTables().
void markSlowPaths(SassKernel &K, llvm::ArrayRef<uint64_t> Tables);

/// Fills in how many integers must be found equal on the way to each block.
void countEqualities(SassKernel &K);

/// Fills in the loops' trips, which are counted where a counter starts, steps
/// and ends with constants, and the blocks' frequencies.
void estimateSassFrequencies(SassKernel &K);

} // namespace regdem

#endif // REGDEM_LIB_MACHINECODE_SASSGRAPH_H
