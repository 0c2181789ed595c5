//===- CheckerSlots.h - the memory that slots occupy ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access of thread t covers [Stride*t + Offset, Stride*t + Offset + Width)
// of the region. This file proves that every access of every thread lies inside
// the region, is aligned to its width, and shares no byte with an access of
// another thread or with one of another stride: where launches add memory for
// each thread, because it stays in what is the thread's.
//
// What one thread accesses with one stride is then the same picture for every
// thread, only shifted, and is cut into atoms of two bytes: every access reads
// or writes each of its own as a whole, for widths and alignments are multiples
// of two bytes.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERSLOTS_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERSLOTS_H

#include "CheckerAddress.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace regdem::checker {

/// Stride, Offset and Width are bytes.
struct SlotAccess {
  uint64_t Stride = 0;
  uint64_t Offset = 0;
  unsigned Width = 0;
  /// The numbers of its atoms, in the order of its bytes.
  llvm::SmallVector<unsigned, 4> Atoms;
};

class SlotMap {
public:
  static constexpr unsigned AtomBytes = 2;

  SlotMap(const llvm::MachineFunction &MF, const RegionBounds &Bounds)
      : Bounds(Bounds), Report(MF) {}

  /// Adds what \p MI accesses and lists its atoms in \p Access. Fails if an
  /// access of some thread leaves the region or is not aligned.
  llvm::Error add(SlotAccess &Access, const llvm::MachineInstr &MI);

  /// Fails if two threads meet in what was added.
  llvm::Error paint() const;

  unsigned numAtoms() const { return Atoms.size(); }

private:
  struct Atom {
    unsigned Number;
    const llvm::MachineInstr *MI; ///< The first access in the code.
  };

  llvm::Error expectInside(const SlotAccess &Access,
                           const llvm::MachineInstr &MI) const;

  const RegionBounds &Bounds;
  CheckerError Report;
  /// By stride and offset.
  std::map<std::pair<uint64_t, uint64_t>, Atom> Atoms;
};

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERSLOTS_H
