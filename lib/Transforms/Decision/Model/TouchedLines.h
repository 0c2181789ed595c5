//===- TouchedLines.h - loads next to earlier ones --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a warp finds in L1 is not in the code, with one exception: a load from
// next to where the warp has loaded before, as neighbours in a row of a stencil
// or members of a structure are. It shows where both have the same base
// register.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_TOUCHEDLINES_H
#define REGDEM_LIB_DECISION_MODEL_TOUCHEDLINES_H

#include "regdem/Decision/Model/CodeSummary.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cstdint>
#include <map>

namespace regdem {

/// Distances in bytes of a load to the nearest earlier ones below and above it.
struct LoadNeighbours {
  static constexpr uint64_t None = ~uint64_t(0);
  uint64_t Below = None, Above = None;

  uint64_t nearest() const { return std::min(Below, Above); }
  /// The probability that none of them is in the same sector, wherever sectors
  /// begin. Its sum over several loads is the number of sectors that they
  /// touch, in any order of them.
  double newSectors() const {
    double Reach = double(std::min<uint64_t>(Below, SectorBytes)) +
                   double(std::min<uint64_t>(Above, SectorBytes)) - SectorBytes;
    return std::max(Reach, 0.0) / SectorBytes;
  }

private:
  static constexpr int SectorBytes = 32;
};

/// Follows the instructions of a trace.
class TouchedLines {
public:
  /// I is the next instruction, of unit Unit. The nearest of the earlier loads
  /// from global memory with the same base, if it is such a load.
  LoadNeighbours note(const SassInstruction &I, TraceUnit Unit);

private:
  struct Base {
    llvm::SmallVector<SassRegister, 4> Registers;
    llvm::SmallVector<int64_t, 4> Offsets;
  };
  /// By the registers in brackets. Those that have been written since are gone.
  std::map<std::pair<SassRegister, unsigned>, Base> Bases;
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_TOUCHEDLINES_H
