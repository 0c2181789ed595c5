//===- CodeGenerator.h - the pipeline that regdem-opt runs ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs LLVM's code generator with RegDem, or a look at the kernels in its
// place, for the GPU that the kernels or the user state. The only file that
// knows how LLVM's pipeline is cut short. Results go to a stream; their text is
// not made here.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_CODEGENERATOR_H
#define REGDEM_TOOLS_CODEGENERATOR_H

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Analysis/KernelGraph.h"
#include "regdem/Decision/Choice/Decide.h"
#include "regdem/Options.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class Module;
class raw_pwrite_stream;
class TargetMachine;
} // namespace llvm

namespace regdem {

struct InputModule;
struct Request;

/// What RegDem's decision is made from, and the decision.
struct InspectedKernel {
  const Options &Opts; ///< With the kernel's annotations.
  const KernelFacts &Facts;
  const KernelGraph &Graph;
  const KernelDecision &Decided; ///< Meaningless where the mode is off.
};

using KernelVisitor = std::function<void(const InspectedKernel &)>;

/// Makes the NVPTX target and passes known by name to LLVM; must come before
/// all else here.
void initialize();

/// Why no code can be generated for CPU ("sm_90") with Features
/// ("+ptx88,+sm_90"); none where it can.
std::optional<std::string> findTargetProblem(llvm::StringRef CPU,
                                             llvm::StringRef Features);

/// The target machine for M, set up as clang and llc set it up for PTX: for
/// R.CPU, which is then written on all its functions, or else for what its
/// kernels state. Reports an error and returns null where M is for another
/// target or its kernels disagree.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(llvm::Module &M,
                                                         const Request &R);

/// Compiles In to PTX with RegDem in the pipeline. All of these report errors
/// and then return false; what they have written until then is of no use.
bool emitPTX(InputModule &In, llvm::TargetMachine &TM,
             llvm::raw_pwrite_stream &OS);

/// Writes In's machine code as MIR, ahead of RegDem's step or after it.
bool emitMIR(InputModule &In, llvm::TargetMachine &TM, bool BeforeRegDem,
             llvm::raw_pwrite_stream &OS);

/// Shows Visit each kernel as RegDem would see it, in the module's order.
bool inspectKernels(InputModule &In, llvm::TargetMachine &TM,
                    KernelVisitor Visit);

} // namespace regdem

#endif // REGDEM_TOOLS_CODEGENERATOR_H
