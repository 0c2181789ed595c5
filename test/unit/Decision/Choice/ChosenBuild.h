//===- ChosenBuild.h - what a search has chosen -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_CHOSENBUILD_H
#define REGDEM_TEST_UNIT_CHOSENBUILD_H

#include "regdem/Decision/Builds/Outcome.h"
#include "gtest/gtest.h"

namespace regdem {

/// The chosen build, which there is to be.
inline const Build *chosen(const Outcome &S) {
  EXPECT_TRUE(S.chosen());
  return S.chosen();
}

} // namespace regdem

#endif // REGDEM_TEST_UNIT_CHOSENBUILD_H
