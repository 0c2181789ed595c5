//===- SetUpTiming.h - results that have not arrived ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The GPU checks no operand: a result may be read only after as many cycles as
// its unit takes, or after its scoreboard was waited for.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_SETUPTIMING_H
#define REGDEM_LIB_FINISH_CHECKER_SETUPTIMING_H

#include "SetUpForms.h"
#include <map>

namespace regdem::framecheck {

/// What is wrong with the control bits C of a branch that waits for nothing; an
/// empty string: nothing.
std::string branchProblem(const Control &C);

/// A warp along set-up code. Each step returns what is wrong with it; an empty
/// string: nothing.
class SetUpTiming {
public:
  explicit SetUpTiming(unsigned Architecture) : Architecture(Architecture) {}

  /// I issues. Next, null for the branch, comes after it.
  std::string step(const SetUpInstruction &I, const SetUpInstruction *Next);
  /// The branch back to the kernel, with these control bits, issues.
  std::string finish(const Control &C);

private:
  struct Result {
    Unit By = Unit::Alu;
    unsigned Issued = 0;
    unsigned Barrier = Control::NoBarrier; ///< That it still holds.
  };
  unsigned Architecture;
  unsigned Now = 0; ///< Cycles since the first instruction issued.
  std::map<std::pair<Operand::Kind, uint32_t>, Result> Results;
  unsigned Set[6] = {}; ///< When each scoreboard was last taken.
  unsigned Held = 0;    ///< Mask of the scoreboards in use.

  std::string wait(const Control &C);
  std::string arrived(const Operand &X, Unit Reader) const;
};

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_SETUPTIMING_H
