//===- DemotionChecker.h - prove that demotion kept every value -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves, after the fact, that the demoted kernel computes what the original
// did. It knows the original code and the result, nothing of the plan that led
// from one to the other, and shares no code with the Demoter.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_CHECKER_DEMOTIONCHECKER_H
#define REGDEM_TRANSFORM_CHECKER_DEMOTIONCHECKER_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>

namespace llvm {
class GlobalVariable;
class MachineFunction;
} // namespace llvm

namespace regdem {

namespace checker {
struct EncodedFunction;
} // namespace checker

class NVPTXOpcodes;

/// What the checker has to know of the region that no instruction says.
struct RegionBounds {
  /// The shared variable that holds the slots, or that stands for the start of
  /// dynamic shared memory; null: there are no slots.
  const llvm::GlobalVariable *Region = nullptr;
  /// Size of that variable in bytes.
  uint64_t Bytes = 0;
  /// The most threads with which a block may be launched.
  unsigned Threads = 0;
  /// Extents of the block where every launch must have exactly these (reqntid);
  /// 0 where the extent is not known.
  unsigned Dims[3] = {0, 0, 0};
  /// The slots lie at the end of dynamic shared memory, to which each launch
  /// adds so many bytes for each thread of its blocks, after the program's own;
  /// both are rounded up to 16 bytes. 0: the slots lie in Region, which is a
  /// variable of Bytes bytes.
  unsigned ThreadBytes = 0;
};

/// A copy of a machine function's code, deep enough to compare with later. It
/// lies in the function's memory.
class FunctionSnapshot {
public:
  explicit FunctionSnapshot(llvm::MachineFunction &MF);

  const checker::EncodedFunction &code() const { return *Code; }

private:
  std::shared_ptr<const checker::EncodedFunction> Code;
};

/// Success when Result computes what Original did; otherwise an error of one
/// line that names kernel, block, instruction and value, and says what was
/// expected and found.
///
/// Result may be the function that Original was taken from, or another one of
/// the same module. It has to be in the form the MachineScheduler leaves: not
/// SSA, virtual registers only. Beyond the original code it may contain
///  - the computation of the slots' address at the top of the entry block;
///  - stores of original registers to slots, and reloads of them, whole or in
///    parts that I64toV2I32 and its kin make, all at one place;
///  - repetitions of original instructions without side effects whose result
///    the register still holds;
///  - blocks on edges that contain nothing else.
/// Code that cannot be reached is not compared.
llvm::Error checkDemotion(const FunctionSnapshot &Original,
                          const llvm::MachineFunction &Result,
                          const NVPTXOpcodes &Opcodes,
                          const RegionBounds &Bounds);

} // namespace regdem

#endif // REGDEM_TRANSFORM_CHECKER_DEMOTIONCHECKER_H
