//===- CheckerAddress.h - where the slots of a thread are -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the address computation at the top of the entry block, which has to be
// this one, without the dimensions that are known to have one thread:
//
//   linear = tid.x + ntid.x * (tid.y + ntid.y * tid.z)
//   base   = region + Stride * linear
//
// No two threads of a block have the same linear index, and it is below the
// number of threads. So the Stride bytes from base on are the thread's alone,
// and so are those each Stride * Threads bytes further on, inside the region.
//
// Where launches add ThreadBytes bytes of dynamic shared memory for each
// thread, region is where that begins, and the ThreadBytes bytes ahead of base
// are the thread's alone:
//
//   base = region + %dynamic_smem_size - ThreadBytes * linear
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERADDRESS_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERADDRESS_H

#include "CheckerEncoding.h"
#include "CheckerError.h"

#include "regdem/Target/NVPTXOpcodes.h"

namespace regdem::checker {

class SlotArea {
public:
  /// Reads the top of Result, the code of MF. An error where it begins to
  /// compute a base address and goes on to something else.
  static llvm::Expected<SlotArea> read(const EncodedFunction &Original,
                                       const EncodedFunction &Result,
                                       const llvm::MachineFunction &MF,
                                       const NVPTXOpcodes &Opcodes,
                                       const RegionBounds &Bounds);

  /// The base address; none where nothing computes it.
  llvm::Register base() const { return Base; }
  /// Instructions at the top of the entry block that compute it.
  unsigned numSteps() const { return NumSteps; }

  static constexpr unsigned WordBytes = 4;

  /// The first one of the thread's words that \p MI accesses: Width bytes,
  /// Offset bytes after \p From, which has to be base().
  llvm::Expected<unsigned> wordAt(llvm::Register From, int64_t Offset,
                                  unsigned Width,
                                  const llvm::MachineInstr &MI) const;

private:
  SlotArea(const llvm::MachineFunction &MF, const RegionBounds &Bounds)
      : Bounds(Bounds), Report(MF) {}

  const RegionBounds &Bounds;
  CheckerError Report;
  llvm::Register Base;
  unsigned NumSteps = 0;
  uint64_t Stride = 0; ///< Bytes.
};

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERADDRESS_H
