//===- UnitClocks.h - when the units of a partition are free ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_UNITCLOCKS_H
#define REGDEM_LIB_DECISION_MODEL_UNITCLOCKS_H

#include "MachineTimings.h"
#include "regdem/Decision/Model/CodeSummary.h"
#include <algorithm>

namespace regdem {

/// When a unit is free, in cycles.
struct UnitClock {
  double Backlog = 0; ///< Work that it takes in ahead.
  double Done = 0;    ///< When it has worked off what it took.
  double Takes = 0;   ///< From when on it takes another instruction.

  /// Has it work for Cycles, from Time on or once it is done with what came
  /// before; the time when that begins.
  double enter(double Time, double Cycles) {
    double Start = std::max(Time, Done);
    Done = Start + Cycles;
    Takes = Done - Backlog;
    return Start;
  }
};

/// Of the even and of the odd registers, each of which reads one a cycle.
struct PortClocks {
  /// The first cycle in which an instruction may issue, by the banks that it
  /// reads.
  double Takes[4] = {0, 0, 0, 0};

  /// The index into Takes of an instruction that reads so many registers.
  static uint8_t indexOf(const uint8_t (&BankReads)[2]) {
    return (BankReads[0] ? 1 : 0) + (BankReads[1] ? 2 : 0);
  }

  /// Has the ports read so many registers for what issues at Time; they may lag
  /// behind by Backlog cycles.
  void read(const double (&BankReads)[2], double Time, double Backlog) {
    // Where nothing is read, a port is done by now: that holds nobody up.
    for (unsigned Bank = 0; Bank != 2; ++Bank) {
      Done[Bank] = std::max(Time, Done[Bank]) + BankReads[Bank];
      Takes[1 + Bank] = Done[Bank] - Backlog;
    }
    Takes[3] = std::max(Takes[1], Takes[2]);
  }

private:
  double Done[2] = {0, 0};
};

/// The units of a partition, and the memory behind them, which takes all that
/// the load-store unit sends.
struct UnitClocks {
  UnitClock Clocks[static_cast<size_t>(TraceUnit::Control) + 1];
  double Memory = 0; ///< When it has worked off what it took.
  PortClocks Ports;

  explicit UnitClocks(const MachineTimings &T) {
    for (TraceUnit Unit : {TraceUnit::Special, LoadStore})
      Clocks[indexOf(Unit)].Backlog = T.LoadStoreBacklog;
  }

  /// The index into Clocks of Unit's. All accesses to memory go one way.
  static uint8_t indexOf(TraceUnit Unit) {
    return static_cast<uint8_t>(isMemoryAccess(Unit) ? LoadStore : Unit);
  }

private:
  static constexpr TraceUnit LoadStore = TraceUnit::SharedLoad;
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_UNITCLOCKS_H
