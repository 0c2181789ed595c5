//===- FrameInstructions.h - what one instruction does ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions of FrameFlow to an instruction.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_FRAMEINSTRUCTIONS_H
#define REGDEM_LIB_FINISH_CHECKER_FRAMEINSTRUCTIONS_H

#include "FrameValue.h"
#include "Rewrites.h"
#include "SetUpCheck.h"
#include "regdem/MachineCode/SassListing.h"

namespace regdem::framecheck {

/// The first general register that Operand, of a store, is; none for RZ.
std::optional<unsigned> firstStored(const SassOperand &Operand);

/// Whether Operand, which I stores, includes general register Index.
bool isStored(const SassOperand &Operand, const SassInstruction &I,
              unsigned Index);

/// Whether I reads the start of local memory, or what else tells where it is.
bool tellsLocalWindow(const SassInstruction &I);

/// Whether I may have to do with addresses at all: none decides whether it is
/// executed, and none of a uniform register, seen from R1, goes elsewhere than
/// to another one.
bool canRead(const SassInstruction &I, const FrameValues &Values);

/// Whether I, instruction N, which has to do with the frame, compares addresses
/// of one kind with each other.
llvm::Error checkComparison(unsigned N, const SassInstruction &I,
                            const FrameValues &Values);

/// What I, instruction N, puts into its result since it was changed.
llvm::Expected<FrameValue> rewritten(unsigned N, const SassInstruction &I,
                                     const Rewrite &Change,
                                     const FrameValues &Values,
                                     const StackSetUp &SetUp);

/// The barrier register, "B0", of I: a BSSY lets threads meet at its label, and
/// those that come to a BSYNC of the same register go there.
llvm::StringRef barrierOf(const SassInstruction &I);

/// Where control may go after each instruction of L, a section: flowAfter()
/// without its trust in how ptxas lays out code. An error where a branch or a
/// call does not show its target, or control leaves a function otherwise.
llvm::Expected<std::vector<SassFlow>> readFlow(const SassListing &L);

/// What holds for threads that go from I, instruction N, to To, one of Next;
/// none where that is not known.
std::optional<SassCondition> guardOfEdge(const SassInstruction &I, unsigned N,
                                         llvm::ArrayRef<unsigned> Next,
                                         unsigned To);

/// Scoreboards of which code waits until a number of their instructions are
/// left: it relies on the order in which they end, and accesses of shared
/// memory may overtake others where those of local memory did not.
std::set<unsigned> countedScoreboards(const SassListing &L);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_FRAMEINSTRUCTIONS_H
