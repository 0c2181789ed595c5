//===- HeldStderr.h - keep LLVM from flooding stderr ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's MIR parser verifies what it reads and prints a whole function on
// stderr before it ends the program. While stderr is held, that goes to a
// temporary file, of which the fatal-error handler shows the one line that
// matters.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_HELDSTDERR_H
#define REGDEM_TOOLS_HELDSTDERR_H

#include <cstdio>
#include <string>

namespace regdem {

/// Holds stderr back for its life, then lets out what was written. At most one
/// at a time. Where no temporary file can be had, nothing is held.
class HeldStderr {
public:
  HeldStderr();
  ~HeldStderr();
  HeldStderr(const HeldStderr &) = delete;
  HeldStderr &operator=(const HeldStderr &) = delete;

  /// Gives stderr back, if it is held, and returns what was written to it.
  static std::string release();

private:
  std::FILE *File = nullptr;
  int Original = -1; ///< Descriptor of the real stderr.

  std::string restore();
};

} // namespace regdem

#endif // REGDEM_TOOLS_HELDSTDERR_H
