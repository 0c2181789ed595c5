//===- SetUpCheck.h - what set-up code leaves in R1 -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_SETUPCHECK_H
#define REGDEM_LIB_FINISH_CHECKER_SETUPCHECK_H

#include "CubinComparison.h"
#include "SetUpForms.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace regdem::framecheck {

/// R1 = Base + dynamic shared memory, rounded up to 16 bytes + (thread + 1) *
/// FrameBytes; or, FromEnd, - thread * FrameBytes in the place of the latter.
struct StackSetUp {
  uint32_t Base = 0, FrameBytes = 0;
  bool FromEnd = false;
  /// The uniform register with the upper half of the generic addresses of
  /// shared memory.
  std::optional<unsigned> Window;
  /// The uniform register with the start of the stack in local memory, and
  /// what is added to that.
  std::optional<unsigned> LocalStack;
  int64_t LocalOffset = 0;
  /// Registers other than R1 that it writes.
  std::vector<SassRegister> Written;
};

/// Instructions Code, decoded, with Branch after them, on sm_XX. Errors start
/// with the number of the instruction counted from First, as an offset.
llvm::Expected<StackSetUp> checkSetUp(llvm::ArrayRef<SetUpInstruction> Code,
                                      Word Branch, const KernelClaims &Claims,
                                      unsigned Architecture, uint64_t First);

/// What is wrong with the control bits C of a branch that waits for nothing; an
/// empty string: nothing.
std::string branchProblem(const SassControl &C);

/// An error at instruction N of a section.
llvm::Error failAt(uint64_t N, const llvm::Twine &Reason);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_SETUPCHECK_H
