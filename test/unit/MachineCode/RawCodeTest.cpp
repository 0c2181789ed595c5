//===- RawCodeTest.cpp - a kernel's machine code in a cubin ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/RawCode.h"

#include "gtest/gtest.h"

using namespace regdem;

namespace {

TEST(RawCode, WhatIsNoCubinHasNoCode) {
  EXPECT_FALSE(rawCodeOf(""));
  EXPECT_FALSE(rawCodeOf("\177ELF, or so"));
}

} // namespace
