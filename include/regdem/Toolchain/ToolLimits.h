//===- ToolLimits.h - what runs of the toolkit may take ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLCHAIN_TOOLLIMITS_H
#define REGDEM_TOOLCHAIN_TOOLLIMITS_H

namespace regdem {

struct ToolLimits {
  unsigned Seconds = 120; ///< That one run may take.
  unsigned Jobs = 0;      ///< Runs at a time; 0: as many as there are cores.
};

} // namespace regdem

#endif // REGDEM_TOOLCHAIN_TOOLLIMITS_H
