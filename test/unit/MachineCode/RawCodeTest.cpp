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
  for (const char *Image : {"", "\177ELF, or so"}) {
    llvm::Expected<RawCode> Code = rawCodeOf(Image);
    EXPECT_FALSE(bool(Code));
    consumeError(Code.takeError());
  }
}

} // namespace
