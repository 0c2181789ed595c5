//===- MutationExecution.h - run a block of threads -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes machine code to see whether a mutant computes something else than
// the original. It knows nothing of demotion and nothing of the checker.
//
// Address arithmetic, the joining and splitting of registers, and the region's
// bytes are executed as the GPU does. Every other instruction is a
// pseudo-random function of its operands and, where it reads memory, of what
// its thread did to memory before; so is what the kernel is given, which is the
// same for all threads. Branches follow such values and differ from thread to
// thread, so that the threads together take many paths. What counts is what
// each thread does to memory, calls and barriers, in order, with which
// operands.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_MUTATIONEXECUTION_H
#define REGDEM_TEST_UNIT_MUTATIONEXECUTION_H

#include "regdem/Target/NVPTXOpcodes.h"
#include "regdem/Transform/Checker/DemotionChecker.h"
#include "llvm/CodeGen/MachineFunction.h"
#include <vector>

namespace regdem::test {

/// A launch: block extents, and what makes its inputs differ from others'.
struct LaunchCase {
  unsigned Dims[3];
  uint64_t Seed;
};

struct ExecutionResult {
  /// An access next to the region, or one that is not aligned.
  bool Trapped = false;
  /// By thread: everything that others can see of it. A thread ends after
  /// MostSteps instructions.
  std::vector<std::vector<uint64_t>> Effects;

  static constexpr unsigned MostSteps = 2000;

  /// Whether this run shows that the code does not do what Right's does.
  bool differsFrom(const ExecutionResult &Right) const;
};

/// Runs all threads of one block, one instruction each in turn. Bounds states
/// the region; an access to dynamic shared memory of the program's own misses
/// it. Registers that nothing sets have arbitrary values, the same in
/// every run of a launch, and so have the region's bytes.
ExecutionResult execute(const llvm::MachineFunction &MF,
                        const NVPTXOpcodes &Opcodes, const RegionBounds &Bounds,
                        const LaunchCase &Launch);

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_MUTATIONEXECUTION_H
