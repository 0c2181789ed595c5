//===- PtxasStandIn.h - how regdem-ptxas is known ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// regdem-ptxas may stand wherever ptxas is looked for: as a link, a copy, or
// called by a script. It must not be taken for ptxas, by itself least of all.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLCHAIN_PTXASSTANDIN_H
#define REGDEM_TOOLCHAIN_PTXASSTANDIN_H

#include "llvm/ADT/StringRef.h"

namespace regdem {

/// What regdem-ptxas's file has near its beginning, in a note of ELF.
inline constexpr char StandInMark[] = "regdem-ptxas in ptxas's place";

/// The variable that regdem-ptxas sets for the program that it runs, to its
/// path: where that runs regdem-ptxas again, it does so once.
inline constexpr const char *StandInVariable = "REGDEM_PTXAS_RUNS";

/// Whether the file at Path is regdem-ptxas, or a link to it, or a copy.
bool isStandIn(llvm::StringRef Path);

} // namespace regdem

#endif // REGDEM_TOOLCHAIN_PTXASSTANDIN_H
