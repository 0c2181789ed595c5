//===- MutationResult.cpp - compare what two runs did ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationExecution.h"

namespace regdem::test {

bool ExecutionResult::differsFrom(const ExecutionResult &Right) const {
  if (Trapped)
    return true;
  for (size_t T = 0; T != Effects.size(); ++T) {
    size_t Common = std::min(Effects[T].size(), Right.Effects[T].size());
    if (!std::equal(Effects[T].begin(), Effects[T].begin() + Common,
                    Right.Effects[T].begin()))
      return true;
    // A run that was cut short shows a difference only in what it did.
    bool Ended = !Effects[T].empty() && !Effects[T].back();
    bool RightEnded = !Right.Effects[T].empty() && !Right.Effects[T].back();
    if (Ended && RightEnded && Effects[T].size() != Right.Effects[T].size())
      return true;
  }
  return false;
}

} // namespace regdem::test
