//===- ToolLimits.h - what runs of the toolkit may take ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLCHAIN_TOOLLIMITS_H
#define REGDEM_TOOLCHAIN_TOOLLIMITS_H

namespace regdem {

struct ToolLimits {
  /// That one run may take by the clock. Runs of ptxas that take 5 s alone have
  /// taken over 120 on a machine with six times as much to do as it has cores,
  /// and what is chosen must not depend on that.
  unsigned Seconds = 600;
  unsigned Jobs = 0; ///< Runs at a time; 0: as many as there are cores.
};

} // namespace regdem

#endif // REGDEM_TOOLCHAIN_TOOLLIMITS_H
