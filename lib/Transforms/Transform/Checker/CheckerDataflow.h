//===- CheckerDataflow.h - what slots hold at every point -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward must-analysis over the result's control flow. For each atom of slot
// memory it follows which bytes of which register's current value lie there on
// every path, and for each recomputation whether it would give what its
// register holds. Then every load and every recomputation has to find what it
// claims to give back.
//
// That is all there is to prove: if each reload leaves its register as it was,
// each register holds at every point what it held in the original.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERDATAFLOW_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERDATAFLOW_H

#include "CheckerEvents.h"

namespace regdem::checker {

/// Proves that of all Events, whose accesses go to Slots; an error names the
/// first load or recomputation that may give something else.
llvm::Error checkDataflow(const AlignedCode &Code, const EventList &Events,
                          const SlotMap &Slots);

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERDATAFLOW_H
