//===- FrameSetUp.h - where a thread's frame begins -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code that a kernel with frames in shared memory starts with. It is
// written in PTX and assembled by the same ptxas for the same architecture, so
// that encodings, latencies and what a block of a cluster adds to shared
// addresses are ptxas's; only the last result is sent to R1.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_FRAMESETUP_H
#define REGDEM_LIB_FINISH_FRAMESETUP_H

#include "CubinImage.h"
#include "regdem/MachineCode/MachineWord.h"
#include "regdem/Toolchain/Ptxas.h"

namespace regdem {

/// What the set-up of one kernel computes: R1 = shared memory's start +
/// OwnBytes + dynamic shared memory, rounded up to 16 + (t + 1) * FrameBytes
/// for the linear thread index t; AtEnd - t * FrameBytes in the last one's
/// place.
struct FrameSetUpRequest {
  std::optional<BlockLimit> Limit;
  uint64_t OwnBytes = 0;   ///< The kernel's own, a multiple of 16.
  uint64_t FrameBytes = 0; ///< From one thread's frame to the next.
  bool AtEnd = false;      ///< Frames fill the end of dynamic shared memory.
  /// SetUpRegister gets the upper half of shared memory's generic addresses …
  bool NeedsWindow = false;
  /// … or, if any, what R1 is in local memory after it was lowered by so much.
  unsigned LocalBytes = 0;
};

struct FrameSetUp {
  std::vector<MachineWord> Code; ///< Leaves R1; without a branch at its end.
  MachineWord BranchToItself;    ///< As ptxas ends its code.
  MachineWord Exit;
  MachineWord Padding;    ///< What stands after it.
  unsigned Waits = 0;     ///< Scoreboards to wait for after Code.
  unsigned Registers = 0; ///< That Code needs.
  uint64_t Reserved = 0;  ///< Bytes of shared memory before OwnBytes.
};

/// Assembles the set-up of Request for Arch. An error says what in ptxas's code
/// is not as expected.
llvm::Expected<FrameSetUp> assembleSetUp(const Ptxas &Assembler,
                                         const FrameSetUpRequest &Request,
                                         llvm::StringRef Arch,
                                         const ToolLimits &Limits);

/// A branch over Distance bytes, counted from its own start, that is like
/// Itself, a branch to itself; none where Itself has an unknown form. Stalls
/// and waits are those of Exit.
std::optional<MachineWord> branch(const MachineWord &Itself,
                                  const MachineWord &Exit, int64_t Distance);

} // namespace regdem

#endif // REGDEM_LIB_FINISH_FRAMESETUP_H
