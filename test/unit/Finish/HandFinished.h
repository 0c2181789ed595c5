//===- HandFinished.h - a kernel finished without the finisher --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts a small kernel's frame into shared memory by writing the words down, so
// that the checker's tests need no finisher. In place: the kernel has a section
// of shared memory and room after its code.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_FINISH_HANDFINISHED_H
#define REGDEM_TEST_UNIT_FINISH_HANDFINISHED_H

#include "regdem/Finish/Checker/FrameChecker.h"
#include "gtest/gtest.h"
#include <optional>
#include <vector>

namespace regdem {

struct HandFinished {
  std::string Original, Finished;
  /// Offsets in the files: of the code's first instruction, of the moved
  /// accesses, of set-up code with its branch, and of the field with the size
  /// of shared memory in the header of the kernel's section.
  size_t Code = 0, SharedSize = 0;
  std::vector<size_t> MemorySizes; ///< Likewise of segments of shared memory.
  std::vector<size_t> Accesses, SetUp;
  /// As it was finished.
  uint32_t Base = 0, FrameBytes = 0;

  /// For "sm_80" and "sm_90", and for "part": a frame on sm_90 of which 8 bytes
  /// were moved; none where ptxas or nvdisasm are missing. One
  /// that cannot be made ends the program.
  static const std::optional<HandFinished> &forArch(llvm::StringRef Kind);

  /// What the checker says of Cubin, "" for success, with nvdisasm.
  std::string judge(llvm::StringRef Cubin,
                    const FrameLimits &Limits = {}) const;
  /// The same where the original code is decoded without it.
  std::string judgeDecoded(llvm::StringRef Cubin) const;

  /// Of the kernel in Original, by nvdisasm.
  const SassListing &listing() const;

  uint64_t read64(llvm::StringRef Cubin, size_t At) const;
  /// Original with frames of that size from Base on, finished else as Finished.
  std::string withFrames(uint32_t Base, uint32_t FrameBytes) const;
  /// Finished with the word at At made Value.
  std::string with64(size_t At, uint64_t Value) const;

private:
  mutable std::optional<SassListing> Listing; ///< Once it was asked for.
};

/// A test with what was finished for the architecture that is its parameter;
/// skipped where that cannot be made.
class OnHandFinished : public testing::TestWithParam<const char *> {
protected:
  const HandFinished *H = nullptr;

  void SetUp() override {
    const auto &Made = HandFinished::forArch(GetParam());
    if (!Made)
      GTEST_SKIP() << "needs ptxas and nvdisasm";
    H = &*Made;
  }
};

} // namespace regdem

#endif // REGDEM_TEST_UNIT_FINISH_HANDFINISHED_H
