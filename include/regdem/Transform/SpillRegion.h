//===- SpillRegion.h - the shared variable of the slots ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_SPILLREGION_H
#define REGDEM_TRANSFORM_SPILLREGION_H

#include <cstdint>

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

} // namespace regdem

#endif // REGDEM_TRANSFORM_SPILLREGION_H
