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

/// The cycle in which each unit can take another instruction; the load-store
/// unit and memory, in which they have worked off what they took.
struct UnitClocks {
  double FMA = 0, Multiply = 0, ALU = 0, FP64 = 0, Special = 0, Tensor = 0,
         Uniform = 0, LoadStore = 0, Memory = 0;
  /// Of the even and of the odd registers, each of which reads one a cycle.
  double Ports[2] = {0, 0};

  /// The first cycle in which Unit takes an instruction, where it may lag
  /// behind by Backlog cycles if it is one that queues.
  double free(TraceUnit Unit, double Backlog) const {
    switch (Unit) {
    case TraceUnit::FMA:
      return FMA;
    case TraceUnit::IntegerMultiply:
      return Multiply;
    case TraceUnit::ALU:
      return ALU;
    case TraceUnit::FP64:
      return FP64;
    case TraceUnit::Special:
      return Special - Backlog;
    case TraceUnit::Tensor:
      return Tensor;
    case TraceUnit::Uniform:
      return Uniform;
    case TraceUnit::SharedLoad:
    case TraceUnit::SharedStore:
    case TraceUnit::GlobalLoad:
    case TraceUnit::GlobalStore:
    case TraceUnit::LocalLoad:
    case TraceUnit::LocalStore:
      return LoadStore - Backlog;
    default:
      return 0;
    }
  }

  /// The first cycle in which S may issue if the ports that it reads from may
  /// lag behind by Backlog cycles.
  double portsFree(const TraceStep &S, double Backlog) const {
    double Free = 0;
    for (unsigned Bank = 0; Bank != 2; ++Bank)
      if (S.BankReads[Bank])
        Free = std::max(Free, Ports[Bank] - Backlog);
    return Free;
  }

  /// Has the ports read the registers of S, which issues at Time.
  void read(const TraceStep &S, double Time) {
    for (unsigned Bank = 0; Bank != 2; ++Bank)
      if (S.BankReads[Bank])
        Ports[Bank] = std::max(Time, Ports[Bank]) + S.BankReads[Bank];
  }
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_UNITCLOCKS_H
