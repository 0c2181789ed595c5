//===- StockRoundings.h - how the stock build rounds ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_STOCKROUNDINGS_H
#define REGDEM_LIB_BUILDER_STOCKROUNDINGS_H

#include "CandidateText.h"
#include "regdem/Decision/Choice/Effort.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>
#include <vector>

namespace regdem {

/// The machine code of From's kernel, built as stock, as ptxas writes it, with
/// the lines that its PTX states if HasLines; none where a tool fails.
using CodeOfSource = llvm::function_ref<std::optional<std::string>(
    const CandidateSource &From, bool HasLines)>;

/// What the machine code of Stock's kernel fuses, as setRoundings() takes it;
/// none where that cannot be read or paid for, or is not proven: CodeOf would
/// not make the same code of a kernel that states it.
std::optional<std::string> findStockRoundings(const CandidateSource &Stock,
                                              CodeOfSource CodeOf,
                                              PayForProof Pay);

/// From with a kernel that states Roundings.
CandidateSource withRoundings(const CandidateSource &From,
                              llvm::StringRef Roundings);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_STOCKROUNDINGS_H
