//===- SpillTrace.h - which values ptxas spills -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas does not say what it spills. But it carries line numbers through, and
// marks spill code: where each PTX instruction has a line of its own, a spilled
// register is the value of the PTX instruction that wrote it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_SPILLTRACE_H
#define REGDEM_MACHINECODE_SPILLTRACE_H

#include "regdem/MachineCode/Sass.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace regdem {

/// A statement of PTX, and the line of the source that it is from ("a.cu:12";
/// empty: the PTX does not say).
struct PTXStatement {
  std::string Text, Source;
};

/// PTX in which statement N (from 0) is on line N + 1 of a file that is not
/// there, instead of the source's lines and debug information.
struct NumberedPTX {
  std::string Text;
  std::vector<PTXStatement> Statements;
};

NumberedPTX numberStatements(llvm::StringRef PTX);

/// A place of the frame that spill code uses.
struct SpillPlace {
  uint64_t Offset = 0, Bytes = 0;
  unsigned Stores = 0, Reloads = 0; ///< Instructions.
  /// Estimated executions by a warp for one run of the kernel.
  double StoreRuns = 0, ReloadRuns = 0;
  /// Lines of the statements whose values are stored; 0 where the code does not
  /// show one.
  std::set<unsigned> Lines;
  /// Lines of the statements that the stores and the reloads stand with,
  /// without 0.
  std::set<unsigned> StoredAt, ReloadedAt;
};

/// Spill code of K, which knows its lines, by offset.
std::vector<SpillPlace> findSpills(const SassKernel &K);

} // namespace regdem

#endif // REGDEM_MACHINECODE_SPILLTRACE_H
