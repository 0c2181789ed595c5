//===- CodeGraph.h - where control may go -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_CODEGRAPH_H
#define REGDEM_LIB_FINISH_CHECKER_CODEGRAPH_H

#include "Listing.h"
#include <optional>

namespace regdem::framecheck {

/// Where control may go after an instruction: everywhere that it goes, and
/// maybe elsewhere.
struct FlowBehind {
  llvm::SmallVector<unsigned, 2> Next; ///< Within the function.
  std::optional<unsigned> Callee;      ///< Runs before Next.
  bool Returns = false;                ///< To the caller.
  /// The barrier register, "B0", that Meeting is put into, or that tells where
  /// to go beside Next where there is no Meeting.
  llvm::StringRef Barrier;
  std::optional<unsigned> Meeting;
};

/// One for each instruction of L. An error where a branch or a call does not
/// show its target.
llvm::Expected<std::vector<FlowBehind>> readFlow(const Listing &L);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_CODEGRAPH_H
