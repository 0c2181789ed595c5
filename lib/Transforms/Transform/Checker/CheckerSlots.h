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
// thread, only shifted, and is cut at all ends of accesses into atoms: the
// smallest pieces that are always read and written as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERSLOTS_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERSLOTS_H

#include "CheckerAddress.h"

namespace regdem::checker {

/// Bytes.
struct SlotAccess {
  uint64_t Stride = 0;
  uint64_t Offset = 0;
  unsigned Width = 0;
};

class SlotMap {
public:
  /// Atoms [First, End) of an access.
  struct Atoms {
    unsigned First, End;
  };

  SlotMap(const llvm::MachineFunction &MF, const RegionBounds &Bounds)
      : Bounds(Bounds), Report(MF) {}

  /// Adds what \p MI accesses. Fails if an access of some thread leaves the
  /// region or is not aligned.
  llvm::Error add(const SlotAccess &Access, const llvm::MachineInstr &MI);

  /// Cuts what was added into atoms. Fails if two threads meet.
  llvm::Error divide();

  unsigned numAtoms() const { return Pieces.size(); }
  Atoms atoms(const SlotAccess &Access) const;

  /// Bytes between the beginning of \p Access and that of its atom \p Atom.
  unsigned position(const SlotAccess &Access, unsigned Atom) const {
    return static_cast<unsigned>(Pieces[Atom].Offset - Access.Offset);
  }

private:
  struct Piece {
    uint64_t Stride, Offset, End;
    size_t Index;
    const llvm::MachineInstr *MI;
  };

  llvm::Error expectInside(const SlotAccess &Access,
                           const llvm::MachineInstr &MI) const;
  llvm::Error paint() const;

  const RegionBounds &Bounds;
  CheckerError Report;
  /// Before divide, one for each access; after it, one for each atom.
  std::vector<Piece> Pieces;
};

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERSLOTS_H
