//===- Words.h - instructions as 128-bit words ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the checker knows of encodings, read from what ptxas 13.0 writes for
// sm_75 to sm_90. The mover's knowledge of the same is FrameRewrite.cpp's.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_WORDS_H
#define REGDEM_LIB_FINISH_CHECKER_WORDS_H

#include "regdem/MachineCode/MachineWord.h"
#include <optional>

namespace regdem::framecheck {

using Word = MachineWord;

/// The guard PT, in the lower word.
constexpr uint64_t Unguarded = 0x7000;

/// The uniform register with number R in bits, where URZ is ZeroUniform.
constexpr unsigned ZeroUniform = 63;
inline SassOperand uniformOperand(unsigned R) {
  return SassOperand::uniform(R == ZeroUniform ? SassRegister::Zero : R);
}

/// Instruction N of Code.
inline Word wordAt(llvm::StringRef Code, uint64_t N) {
  return Word::at(Code, N * InstructionBytes);
}

/// What fills up code.
bool isNop(Word W);

/// The target, an instruction's number, of an unconditional branch W at
/// instruction N of code for sm_XX; none for everything else.
std::optional<int64_t> branchTarget(Word W, int64_t N, unsigned Architecture);

/// Whether W is an access of local memory of a form that is known.
bool isLocalAccess(Word W);

/// The access of shared memory that takes the place of W, a local access. One
/// by a uniform register adds R1.
Word sharedAccess(Word W);

/// The uniform register that W, an access of local memory, has as its whole
/// address, but for the offset; none where it has a general one.
std::optional<unsigned> uniformBase(Word W);

/// W, an access of local memory, with uniform register Base in the place of its
/// address register.
Word withUniformBase(Word W, unsigned Base);

/// The offset in W, an access, in bytes; W with another one.
int64_t offsetOf(Word W);
Word withOffset(Word W, int64_t Offset);

/// The number that W adds to R1, by an IADD3 or VIADD that gives its result to
/// R1; none for everything else. W with another one.
std::optional<int64_t> addedToStackPointer(Word W);
Word withAdded(Word W, int64_t Number);

/// Bytes that a thread moves by W, an access of local memory.
unsigned accessBytes(Word W);

/// Whether W may be of the family of LDL or STL, in whatever form.
bool looksLocal(Word W);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_WORDS_H
