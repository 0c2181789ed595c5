//===- CandidateBuilder.h - compile one kernel in several ways --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_CANDIDATEBUILDER_H
#define REGDEM_LIB_CANDIDATEBUILDER_H

#include "regdem/Decision/Outcome.h"
#include "regdem/Toolchain/Ptxas.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace regdem {

/// Compiles variants of one kernel to PTX, each in a context of its own, as
/// many at a time as there are cores, and has them assembled. The kernel's
/// module is only read.
class CandidateBuilder {
public:
  CandidateBuilder(const llvm::Module &M, const llvm::Function &Kernel,
                   const llvm::TargetMachine &TM, const Ptxas &Assembler);

  /// The variants with their figures filled in; none when one failed, which
  /// problem() then explains.
  std::optional<std::vector<Variant>> build(llvm::ArrayRef<Variant> Wanted);

  const std::string &problem() const { return Problem; }

private:
  const llvm::TargetMachine &TM;
  const Ptxas &Assembler;
  std::string KernelName;
  llvm::SmallVector<char, 0> Bitcode;
  bool Relocatable = false;
  /// The kernel calls functions. Whether the program is linked from parts is
  /// not known here, and ptxas then refuses a callee that needs more registers
  /// than the kernel's cap: candidates must pass both ways.
  bool HasCalls = false;
  std::string ArchName; ///< As ptxas takes it: "sm_90a".
  unsigned Arch = 0, Threads = 0, DynamicShared = 0;
  unsigned TimeLimitSeconds = 0; ///< Of one run of the assembler.
  std::string Problem;

  /// The PTX of V, and what code generation shows of it in V.
  llvm::Expected<std::string> compile(Variant &V) const;
};

} // namespace regdem

#endif // REGDEM_LIB_CANDIDATEBUILDER_H
