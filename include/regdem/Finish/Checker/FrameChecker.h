//===- FrameChecker.h - judge a cubin with moved frames ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finished cubin keeps the frames of kernels in shared memory: local loads
// and stores have become shared ones, and the stack pointer R1 is set up to the
// end of the thread's own part of a region. The checker compares it with what
// ptxas wrote and accepts nothing that it cannot follow. It knows nothing of
// how the cubin was finished.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_FINISH_CHECKER_FRAMECHECKER_H
#define REGDEM_FINISH_CHECKER_FRAMECHECKER_H

#include "regdem/MachineCode/SassListing.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace regdem {

struct FrameLimits {
  /// Bytes of shared memory that a block may have, without those that the
  /// architecture keeps for itself.
  uint64_t SharedBytes = 48 << 10;
  /// Kernels whose launches have as many bytes for each thread at the end of
  /// their dynamic shared memory, of which they have a multiple of 16. These
  /// and no others take it.
  std::map<std::string, uint64_t> AtEnd;
};

/// What is wrong with a finished program.
struct Verdict {
  struct RefusedKernel {
    std::string Kernel, Why;
  };
  std::vector<RefusedKernel> Refused; ///< Nothing is said of the others.
  std::optional<std::string> Problem; ///< Not known to be one kernel's.

  bool isAccepted() const { return Refused.empty() && !Problem; }
  /// All that is wrong, in lines.
  std::string text() const;
};

/// All instructions of Kernel in Cubin.
using CodeListing = llvm::function_ref<llvm::Expected<SassListing>(
    llvm::StringRef Cubin, llvm::StringRef Kernel)>;

/// Accepts Finished if it computes what Original does: cubins of one program
/// for sm_75 to sm_90, both as ELF images. A kernel that does not is refused,
/// with the offset of the instruction in the kernel's section, and the reason.
/// List, null for decodeListing(), is called of Original, and only if the bytes
/// of Finished are as they should be.
Verdict checkFinished(llvm::StringRef Original, llvm::StringRef Finished,
                      CodeListing List, const FrameLimits &Limits = {});

} // namespace regdem

#endif // REGDEM_FINISH_CHECKER_FRAMECHECKER_H
