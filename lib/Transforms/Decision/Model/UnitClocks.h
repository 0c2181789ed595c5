//===- UnitClocks.h - when the units of a partition are free ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_UNITCLOCKS_H
#define REGDEM_LIB_DECISION_MODEL_UNITCLOCKS_H

#include "regdem/Decision/VariantCode.h"
#include <algorithm>

namespace regdem {

/// Of one unit, in cycles.
struct UnitClock {
  double Done = 0;     ///< When it has worked off what it took.
  double Takes = 0;    ///< From when on it takes another instruction.
  bool Queues = false; ///< It takes some before it is done with earlier ones.
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
    for (unsigned Bank = 0; Bank != 2; ++Bank)
      if (S.BankReads[Bank]) {
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
struct UnitClocks {
  UnitClock FMA, Multiply, ALU, FP64, Special{0, 0, true}, Tensor, Uniform,
      LoadStore{0, 0, true};
  double Memory = 0;
  PortClocks Ports;
  const double NoUnit = 0; ///< Of what takes none.

  /// The first cycle in which Unit takes an instruction; stays up to date.
  const double &free(TraceUnit Unit) const {
    switch (Unit) {
    case TraceUnit::FMA:
      return FMA.Takes;
    case TraceUnit::IntegerMultiply:
      return Multiply.Takes;
    case TraceUnit::ALU:
      return ALU.Takes;
    case TraceUnit::FP64:
      return FP64.Takes;
    case TraceUnit::Special:
      return Special.Takes;
    case TraceUnit::Tensor:
      return Tensor.Takes;
    case TraceUnit::Uniform:
      return Uniform.Takes;
    case TraceUnit::SharedLoad:
    case TraceUnit::SharedStore:
    case TraceUnit::GlobalLoad:
    case TraceUnit::GlobalStore:
    case TraceUnit::LocalLoad:
    case TraceUnit::LocalStore:
      return LoadStore.Takes;
    default:
      return NoUnit;
    }
  }
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_UNITCLOCKS_H
