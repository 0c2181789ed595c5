//===- TracedCalls.h - which functions a trace goes into --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's work may be in functions that clang leaves as calls. A trace goes
// into these at every call, with two exceptions: what the assembler and
// libdevice call for unusual operands, of divisions and of sin and cos, which
// is as seldom reached as the slow paths that are inlined; and functions that
// may call themselves, as nobody knows how often.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_TRACEDCALLS_H
#define REGDEM_LIB_DECISION_MODEL_TRACEDCALLS_H

#include "regdem/MachineCode/Sass.h"
#include <optional>
#include <vector>

namespace regdem {

class TracedCalls {
public:
  explicit TracedCalls(const SassKernel &K);

  /// Whether the trace goes through Function where it comes to it. It does so
  /// through the kernel itself, 0.
  bool enters(unsigned Function) const {
    return !Function || Entered[Function];
  }

  /// The function that the trace goes into at the end of B.
  std::optional<unsigned> after(const SassBlock &B) const {
    return B.Callee && Entered[*B.Callee] ? B.Callee : std::nullopt;
  }

  /// Has the trace go into no function.
  void enterNone() { Entered.assign(Entered.size(), false); }

private:
  std::vector<bool> Entered; ///< In the order of SassKernel::Functions.
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_TRACEDCALLS_H
