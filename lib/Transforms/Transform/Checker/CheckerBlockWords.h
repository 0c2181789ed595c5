//===- CheckerBlockWords.h - words that a block shares ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves that a word which all threads of a block may write at any time has one
// content only, by the original code alone: each such word belongs to one
// register, or one part of it; the register has one definition, which has run
// wherever the register is stored; and what that computes is the same for every
// thread of the block at any time. Accesses to a word have one width and are
// volatile, so that PTX's memory model knows no data race between them. That a
// thread has stored the word itself before it loads it is for the data flow to
// prove.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERBLOCKWORDS_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERBLOCKWORDS_H

#include "CheckerEvents.h"

namespace regdem::checker {

/// Success when every access of \p Events to words of the block is right.
llvm::Error checkBlockWords(const AlignedCode &Code, const EventList &Events,
                            const SlotMap &Slots);

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERBLOCKWORDS_H
