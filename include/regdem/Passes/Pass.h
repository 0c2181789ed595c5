//===- Pass.h - the machine pass and its place in the pipeline --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_PASSES_PASS_H
#define REGDEM_PASSES_PASS_H

namespace llvm {
class Function;
class FunctionPass;
class ModulePass;
class PassBuilder;
class TargetMachine;
namespace legacy {
class PassManagerBase;
}
class TargetPassConfig;
} // namespace llvm

namespace regdem {

/// Puts the blocks of a kernel whose attributes ask for it into another order.
/// Name: "regdem-order-blocks"; no pass may have the name of an option, because
/// opt makes one of each pass's name.
llvm::FunctionPass *createOrderBlocksPass();

/// Inlines the calls of kernels with that rewrite. Name: "regdem-inline-calls".
llvm::ModulePass *createInlinedCallsPass();

/// Has loops of kernels with that rewrite lose branches. Name:
/// "regdem-hoist-branches".
llvm::FunctionPass *createHoistedBranchesPass();

/// Writes stock's roundings into F if it states them; whether it has changed.
bool writeRoundings(llvm::Function &F);

/// Does so to all kernels. Name: "regdem-write-roundings".
llvm::FunctionPass *createWriteRoundingsPass();

/// Has registers stand for arrays of kernels with that rewrite. Name:
/// "regdem-array-registers".
llvm::FunctionPass *createScalarArraysPass();

/// Makes opt's regdem-lower-arrays known by name.
void registerScalarArrays(llvm::PassBuilder &Builder);

/// Puts the passes that carry out rewrites into the pipeline, each next to the
/// pass of LLVM that it concerns, and what has instructions of kernels with
/// stock's roundings selected so; a pipeline without that pass gets none.
void addRewrites(llvm::TargetPassConfig &Config);

/// What a code generator starts from.
enum class CodeForm {
  IR,          ///< LLVM IR.
  ScheduledMIR ///< Machine code as the machine scheduler leaves it.
};

/// Puts P where RegDem stands: after the machine scheduler.
void placeBehindScheduler(llvm::TargetPassConfig &Config, llvm::FunctionPass *P,
                          CodeForm From);

/// Puts RegDem's passes into the code generator of TM, which is about to be
/// added to PM; nothing happens for targets other than NVPTX. Instead, if
/// given, stands where the one that demotes would and sees what that would see.
void addPasses(llvm::TargetMachine &TM, llvm::legacy::PassManagerBase &PM,
               llvm::TargetPassConfig &Config, CodeForm From = CodeForm::IR,
               llvm::FunctionPass *Instead = nullptr);

} // namespace regdem

#endif // REGDEM_PASSES_PASS_H
