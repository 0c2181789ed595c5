//===- Pass.h - the machine pass and its place in the pipeline --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_PASSES_PASS_H
#define REGDEM_PASSES_PASS_H

namespace llvm {
class FunctionPass;
class ModulePass;
class PassBuilder;
class PassRegistry;
class TargetMachine;
class TargetPassConfig;
void initializeChainedAddressesPass(PassRegistry &);
void initializeFoldedCopiesPass(PassRegistry &);
void initializeOrderBlocksPass(PassRegistry &);
void initializeRegDemPass(PassRegistry &);
void initializeRegDemRegionsPass(PassRegistry &);
void initializeResumeSinkingPass(PassRegistry &);
void initializeResumeStraightLinePass(PassRegistry &);
void initializeResumeStrengthReductionPass(PassRegistry &);
void initializeSuspendSinkingPass(PassRegistry &);
void initializeSuspendStraightLinePass(PassRegistry &);
void initializeSuspendStrengthReductionPass(PassRegistry &);
void initializeUnrolledLoopsPass(PassRegistry &);
} // namespace llvm

namespace regdem {

/// In host modules, moves the frames of the device code that they hold to
/// shared memory, where -regdem-finish lets it.
void addFrameMoving(llvm::PassBuilder &Builder);

/// Warns where code generation for NVPTX is put off to the link, at which
/// RegDem is not there.
void warnOfDeferredCodeGeneration(llvm::PassBuilder &Builder);

/// Demotes one kernel. Name for -stop-after and the like: "regdem".
llvm::FunctionPass *createRegDemPass();

/// Puts the blocks of a kernel whose attributes ask for it into another order.
/// Name: "regdem-order-blocks"; no pass may have the name of an option, because
/// opt makes one of each pass's name.
llvm::FunctionPass *createOrderBlocksPass();

/// Chains the addresses of kernels that are not to share parts of them. Name:
/// "regdem-chain-addresses".
llvm::FunctionPass *createChainedAddressesPass();

/// Folds the copies of kernels that are to be built without them. Name:
/// "regdem-fold-copies".
llvm::FunctionPass *createFoldedCopiesPass();

/// Unrolls the loops of kernels that are to leave rolling out. Name:
/// "regdem-unroll-loops".
llvm::FunctionPass *createUnrolledLoopsPass();

/// Does nothing but hold the printer back until every kernel's region exists:
/// a module pass makes the legacy pass manager finish all functions first.
llvm::ModulePass *createRegDemRegionsPass();

/// Makes the passes that leave others out known by name.
void registerOmissions();

/// Puts the passes that leave others out for kernels with an Omission into the
/// pipeline. They stand where it has those others, so that nothing happens
/// where it does not come by there.
void addOmissions(llvm::TargetPassConfig &Config);

/// What a code generator starts from.
enum class CodeForm {
  IR,          ///< LLVM IR.
  ScheduledMIR ///< Machine code as the machine scheduler leaves it.
};

/// Puts P where RegDem stands: behind the machine scheduler.
void placeBehindScheduler(llvm::TargetPassConfig &Config, llvm::FunctionPass *P,
                          CodeForm From);

/// Makes the passes known by name; may be called any number of times.
void registerPasses();

/// Puts RegDem's passes into the code generator of TM; nothing happens for
/// targets other than NVPTX. Instead, if given, stands where the one that
/// demotes would and sees what that would see.
void addPasses(llvm::TargetMachine &TM, llvm::TargetPassConfig &Config,
               CodeForm From = CodeForm::IR,
               llvm::FunctionPass *Instead = nullptr);

} // namespace regdem

#endif // REGDEM_PASSES_PASS_H
