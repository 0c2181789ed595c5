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

namespace regdem::checker {

/// Bytes.
struct SlotAccess {
  uint64_t Stride = 0;
  uint64_t Offset = 0;
  unsigned Width = 0;
};

class SlotMap {
public:
  static constexpr unsigned AtomBytes = 2;

  /// Atoms [First, End) of an access.
  struct Atoms {
    unsigned First, End;
  };

  SlotMap(const llvm::MachineFunction &MF, const RegionBounds &Bounds)
      : Bounds(Bounds), Report(MF) {}

  /// Adds what \p MI accesses. Fails if an access of some thread leaves the
  /// region or is not aligned.
  llvm::Error add(const SlotAccess &Access, const llvm::MachineInstr &MI);

  /// Numbers the atoms of what was added. Fails if two threads meet.
  llvm::Error divide();

  unsigned numAtoms() const { return Pieces.size(); }
  Atoms atoms(const SlotAccess &Access) const;

  /// Bytes between the beginning of \p Access and that of its atom \p Atom.
  unsigned position(const SlotAccess &Access, unsigned Atom) const {
    return static_cast<unsigned>(Pieces[Atom].Offset - Access.Offset);
  }

private:
  struct Piece {
    uint64_t Stride, Offset;
    const llvm::MachineInstr *MI;

    std::pair<uint64_t, uint64_t> key() const { return {Stride, Offset}; }
  };

  llvm::Error expectInside(const SlotAccess &Access,
                           const llvm::MachineInstr &MI) const;
  llvm::Error paint() const;

  const RegionBounds &Bounds;
  CheckerError Report;
  /// Before divide, one for each atom of each access; after it, one for each
  /// atom, ascending, of the first access in the code.
  std::vector<Piece> Pieces;
};

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERSLOTS_H
