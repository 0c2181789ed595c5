//===- ChosenVariant.h - what a search has chosen ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_CHOSENVARIANT_H
#define REGDEM_TEST_UNIT_CHOSENVARIANT_H

#include "regdem/Decision/Builds/Settled.h"
#include "gtest/gtest.h"

namespace regdem {

/// The only variant that is marked as chosen.
inline const Variant *chosen(const Settled &S) {
  const Variant *Chosen = nullptr;
  for (const Variant &V : S.Variants)
    if (V.Chosen) {
      EXPECT_EQ(Chosen, nullptr) << "two variants are chosen";
      Chosen = &V;
    }
  EXPECT_NE(Chosen, nullptr) << "no variant is chosen";
  return Chosen;
}

} // namespace regdem

#endif // REGDEM_TEST_UNIT_CHOSENVARIANT_H
