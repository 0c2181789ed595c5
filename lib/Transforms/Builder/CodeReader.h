//===- CodeReader.h - read the code of several kernels' builds --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_CODEREADER_H
#define REGDEM_LIB_BUILDER_CODEREADER_H

#include "regdem/Toolchain/Disassembler.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

namespace regdem {

/// Reads back the machine code of one kernel's builds. A run of the
/// disassembler takes about as long for a hundred small programs as for one, so
/// that what several kernels ask for can be put off until it is known of all.
class CodeReader {
public:
  explicit CodeReader(const Disassembler &Program) : Program(Program) {}

  /// Has the next read() put its request off instead, if that takes a run.
  void putOffNext() { PutsOff = true; }
  /// Whether a request is put off.
  bool isWaiting() const { return !Awaited.empty(); }

  /// The programs of Cubins as Disassembler::disassemble() returns them for
  /// Arch. An error where the request is put off: all of Cubins must stay in
  /// place until readTogether() has been called, and the next read() that asks
  /// for them has them.
  llvm::Expected<std::vector<SassKernel>>
  read(llvm::ArrayRef<llvm::StringRef> Cubins, llvm::StringRef Arch,
       const ToolLimits &Limits);

  /// Reads what Readers, of the same disassembler, have put off, many by one
  /// run. What cannot be read so is left to the next read().
  static void readTogether(llvm::ArrayRef<CodeReader *> Readers,
                           const ToolLimits &Limits);

private:
  const Disassembler &Program;
  bool PutsOff = false;
  std::vector<llvm::StringRef> Awaited;
  std::string AwaitedFor;            ///< The architecture, as ptxas takes it.
  llvm::StringMap<SassKernel> Known; ///< By cubin.
  /// What was put off takes runs of its own.
  bool NeedsOwnRuns = false;
};

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_CODEREADER_H
