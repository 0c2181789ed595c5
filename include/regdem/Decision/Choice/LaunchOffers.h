//===- LaunchOffers.h - builds that are worth their code --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds beside kernels make a file's machine code larger. The file has room
// for so many bytes, and takes builds by what they gain for each of these.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_LAUNCHOFFERS_H
#define REGDEM_DECISION_CHOICE_LAUNCHOFFERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace regdem {

/// A build that a kernel may have beside it.
struct LaunchOffer {
  size_t Kernel = 0;  ///< Its number in the file.
  uint64_t Bytes = 0; ///< Of machine code.
  /// By the sizes of launches that the kernel is decided for: the share of
  /// their time that they save if they take it; 0 where they would not.
  llvm::SmallVector<double, 5> Gains;
};

/// The indices of offers, in ascending order.
struct KeptOffers {
  std::vector<size_t> Kept;
  std::vector<size_t> TooLarge; ///< They would gain, but there is no room.
};

/// Keeps those of Offers that gain most for a byte, one after the other, as
/// long as there is room for them: Room bytes, and MostLaunchBuilds of a
/// kernel. What an offer gains is what launches save beyond those that are kept
/// already. Of equals, the first.
KeptOffers keepWorthMost(llvm::ArrayRef<LaunchOffer> Offers, uint64_t Room);

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_LAUNCHOFFERS_H
