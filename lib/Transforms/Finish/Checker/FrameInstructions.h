//===- FrameInstructions.h - what one instruction does ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions of FrameFlow to the text of an instruction.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_FRAMEINSTRUCTIONS_H
#define REGDEM_LIB_FINISH_CHECKER_FRAMEINSTRUCTIONS_H

#include "FrameValue.h"
#include "Rewrites.h"
#include "SetUpCheck.h"

namespace regdem::framecheck {

/// The first general register that Operand, of a store, is; none for RZ.
std::optional<unsigned> firstStored(llvm::StringRef Operand);

/// Whether Operand, which R stores, includes general register Index.
bool isStored(llvm::StringRef Operand, const SassInstruction &R,
              unsigned Index);

/// Whether I reads the start of local memory, or what else tells where it is.
bool readsLocalWindow(const ListedInstruction &I);

/// Whether I, with registers R, may have to do with addresses at all: none
/// decides whether it is executed, and none of a uniform register, seen from
/// R1, goes elsewhere than to another one.
bool canRead(const ListedInstruction &I, const SassInstruction &R,
             const State &S);

/// Whether I, instruction N, which has to do with the frame, compares addresses
/// of one kind with each other.
llvm::Error checkComparison(unsigned N, const ListedInstruction &I,
                            const SassInstruction &R, const State &S);

/// What instruction N, with registers R, puts into its result since it was
/// changed.
llvm::Expected<FrameValue> rewritten(unsigned N, const SassInstruction &R,
                                     const Rewrite &Change, const State &S,
                                     const StackSetUp &SetUp);

/// What holds for threads that go from I, instruction N, to To, one of Next;
/// none where that is not known.
std::optional<Guard> guardOfEdge(const ListedInstruction &I, unsigned N,
                                 llvm::ArrayRef<unsigned> Next, unsigned To);

/// Scoreboards of which code waits until a number of their instructions are
/// left: it relies on the order in which they end, and accesses of shared
/// memory may overtake others where those of local memory did not.
std::set<unsigned> countedScoreboards(const Listing &L);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_FRAMEINSTRUCTIONS_H
