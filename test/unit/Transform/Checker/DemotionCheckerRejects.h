//===- DemotionCheckerRejects.h - expect a fault to be found ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tests that break a result which the checker accepts in one way and name a
// part of the message that only this fault gives.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_DEMOTIONCHECKERREJECTS_H
#define REGDEM_TEST_UNIT_DEMOTIONCHECKERREJECTS_H

#include "DemotionCheckerKernels.h"
#include "gtest/gtest.h"

namespace regdem::test {

inline void expectMessage(const std::string &Found,
                          const std::string &Message) {
  EXPECT_NE(Found.find(Message), std::string::npos)
      << "expected: " << Message << "\nfound:    " << Found;
  EXPECT_EQ(Found.find('\n'), std::string::npos) << "more than one line";
}

/// Expects that \p Right is accepted and that the edits make it wrong.
inline void rejects(const std::string &Original, const std::string &Right,
                    const std::vector<Edit> &Edits, const std::string &Message,
                    const Launch &L = {}) {
  EXPECT_EQ(checkBodies(Original, Right, L), "");
  expectMessage(checkBodies(Original, edited(Right, Edits), L), Message);
}

inline void rejectsLoop(const std::vector<Edit> &Edits,
                        const std::string &Message, const Launch &L = {}) {
  rejects(LoopKernel, loopResult(), Edits, Message, L);
}

/// Expects that \p Result is right for one kind of launch, wrong for another.
inline void rejectsLaunch(const std::string &Original,
                          const std::string &Result, const Launch &Right,
                          const Launch &Wrong, const std::string &Message) {
  EXPECT_EQ(checkBodies(Original, Result, Right), "");
  expectMessage(checkBodies(Original, Result, Wrong), Message);
}

/// The store and the last reload of loopResult().
inline const std::string Store1 = store("%1", "%52", 512);
inline const std::string Reload1 = load("%1", "%52", 512) + Use1;

/// What LoopKernel's bb.1 consists of.
inline const std::string LoopEntry = "    %2:b32 = MOV_B32_i 0\n";

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_DEMOTIONCHECKERREJECTS_H
