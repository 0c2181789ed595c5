//===- Settling.h - what the tools settle for one kernel --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_CANDIDATES_SETTLING_H
#define REGDEM_LIB_CANDIDATES_SETTLING_H

#include "CandidateBuilder.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Decision/Objective.h"
#include "regdem/Decision/Settled.h"
#include "regdem/Toolchain/Disassembler.h"
#include "regdem/Toolchain/Ptxas.h"
#include <optional>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace regdem {

/// A kernel that variants are to be tried of.
struct Candidate {
  llvm::Function *Kernel;
  Options O;
  KernelFacts Facts;
  bool MaySpillToShared = false;
  std::optional<Objective> Goal; ///< The cap stated for it; none: free choice.
  FinalProgram Is = FinalProgram::Unknown;
  bool IsToldOf = false; ///< There will be remarks or a report.
};

/// The programs that settle a kernel.
struct Tools {
  Ptxas Assembler;
  std::optional<Disassembler> Reader;
};

/// What builds C as it is now in M.
CandidateBuilder builderFor(const llvm::Module &M,
                            const llvm::TargetMachine &TM, const Candidate &C);

/// What the tools settle for M's kernel C by what Builder, which must be new,
/// builds of it; none, after a warning, where one fails. Where jump tables are
/// not safe with what comes of it, it is built without; where stock's build is
/// the rival, all are compared anew.
std::optional<Settled> settle(const llvm::Module &M,
                              const llvm::TargetMachine &TM, const Candidate &C,
                              const Tools &T, CandidateBuilder &Builder);

} // namespace regdem

#endif // REGDEM_LIB_CANDIDATES_SETTLING_H
