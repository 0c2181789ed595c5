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

/// What a unit takes for an instruction, and when it is free, in cycles.
struct UnitClock {
  /// Its time for an instruction, and that until the result is there; of the
  /// load-store unit both are the instruction's.
  double Busy = 0, Latency = 0;
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
class PortClocks {
public:
  /// The first cycle in which S may issue; stays up to date.
  const double &free(const TraceStep &S) const {
    return Takes[(S.BankReads[0] ? 1 : 0) + (S.BankReads[1] ? 2 : 0)];
  }

  /// Has the ports read the registers of S, which issues at Time; they may lag
  /// behind by Backlog cycles.
  void read(const TraceStep &S, double Time, double Backlog) {
    // Where nothing is read, a port is done by now: that holds nobody up.
    for (unsigned Bank = 0; Bank != 2; ++Bank) {
      Done[Bank] = std::max(Time, Done[Bank]) + S.BankReads[Bank];
      Takes[1 + Bank] = Done[Bank] - Backlog;
    }
    Takes[3] = std::max(Takes[1], Takes[2]);
  }

private:
  double Done[2] = {0, 0};
  double Takes[4] = {0, 0, 0, 0}; ///< By the banks that are read: 1 and 2.
};

/// The units of a partition, and the memory behind them, which takes all that
/// the load-store unit sends.
class UnitClocks {
public:
  double Memory = 0; ///< When it has worked off what it took.
  PortClocks Ports;

  explicit UnitClocks(const MachineTimings &T) {
    using U = TraceUnit;
    set(U::FMA, T.FMABusy, 0);
    set(U::IntegerMultiply, T.IntegerMultiplyBusy, 0);
    set(U::ALU, T.ALUBusy, 0);
    set(U::FP64, T.FP64Busy, T.FP64Latency);
    set(U::Special, T.SpecialBusy, T.SpecialLatency);
    set(U::Tensor, T.TensorBusy, T.TensorLatency);
    set(U::Uniform, T.UniformBusy, T.UniformLatency);
    set(U::Constant, 0, T.ConstantLatency);
    set(U::SystemRegister, 0, T.SystemRegisterLatency);
    of(U::Special).Backlog = loadStore().Backlog = T.LoadStoreBacklog;
  }

  /// The clock of Unit. All accesses to memory go one way.
  UnitClock &of(TraceUnit Unit) {
    return Clocks[static_cast<size_t>(isMemoryAccess(Unit) ? LoadStore : Unit)];
  }
  UnitClock &loadStore() { return of(LoadStore); }

private:
  static constexpr TraceUnit LoadStore = TraceUnit::SharedLoad;
  UnitClock Clocks[static_cast<size_t>(TraceUnit::Control) + 1];

  void set(TraceUnit Unit, double Busy, double Latency) {
    of(Unit).Busy = Busy;
    of(Unit).Latency = Latency;
  }
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_UNITCLOCKS_H
