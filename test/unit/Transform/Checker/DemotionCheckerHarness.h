//===- DemotionCheckerHarness.h - run the checker on MIR text ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses an original and a result, both given as the body of a MIR function,
// and runs the checker on them. A wrong result is made from a right one by
// replacing text in it, so that a test shows just what is wrong.
//
// Both functions have the same registers: %0-%9 and %40-%49 are b32, %10-%19
// and %50-%59 b64, %20-%24 b16, %25-%29 b128, %30-%39 b1. Originals use those
// below 40; what is inserted defines those from 40 on.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_DEMOTIONCHECKERHARNESS_H
#define REGDEM_TEST_UNIT_DEMOTIONCHECKERHARNESS_H

#include "regdem/Transform/Checker/DemotionChecker.h"
#include <string>
#include <vector>

namespace regdem::test {

/// Names a replacement: the text has to occur exactly once.
struct Edit {
  std::string From, To;
};

Edit after(const std::string &Anchor, const std::string &Text);
Edit before(const std::string &Anchor, const std::string &Text);

std::string edited(std::string Text, const std::vector<Edit> &Edits);

struct Launch {
  unsigned Threads = 128;
  unsigned Dims[3] = {0, 0, 0};
  uint64_t Bytes = 4096;
  /// "region" (aligned to 8 bytes), "narrow" (to 4), "global" (not shared).
  const char *Region = "region";
  /// Done to the result once it is parsed, for what the parser refuses.
  void (*Change)(llvm::MachineFunction &) = nullptr;
};

/// The checker's message, empty where it accepts.
std::string checkBodies(const std::string &Original, const std::string &Result,
                        const Launch &L = {});

/// The address that the results below use, for blocks of any shape: %52 is the
/// region plus 4 bytes for each thread; in WidePrologue plus 8 bytes for each.
extern const char *const Prologue;
extern const std::string WidePrologue;

/// \p Body with Prologue at the top of its first block.
std::string withPrologue(const std::string &Body,
                         const std::string &Text = Prologue);

/// A load, store of \p Register at \p Offset from \p Base.
std::string load(const std::string &Register, const std::string &Base,
                 unsigned Offset, unsigned Bits = 32);
std::string store(const std::string &Register, const std::string &Base,
                  unsigned Offset, unsigned Bits = 32);

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_DEMOTIONCHECKERHARNESS_H
