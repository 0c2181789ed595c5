//===- Words.h - instructions as 128-bit words ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Encodings of sm_70 and later. Control bits: Jia, Maggioni, Staiger,
// Scarpazza, "Dissecting the NVIDIA Volta GPU Architecture via
// Microbenchmarking", 2018, section 2. The rest was read from what ptxas 13.0
// writes for sm_75 to sm_90.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_WORDS_H
#define REGDEM_LIB_FINISH_CHECKER_WORDS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace regdem::framecheck {

constexpr uint64_t WordBytes = 16;
/// R1.
constexpr unsigned StackPointer = 1;
/// The guard PT, in the lower word.
constexpr uint64_t Unguarded = 0x7000;

struct Word {
  uint64_t Low = 0, High = 0;
  bool operator==(const Word &O) const {
    return Low == O.Low && High == O.High;
  }
  bool operator!=(const Word &O) const { return !(*this == O); }

  unsigned opcode() const { return Low & 0xfff; }
  /// Without control bits.
  uint64_t plainHigh() const { return High & ~ControlMask; }

  static constexpr uint64_t ControlMask = ~0ull << 41;
};

/// Instruction N of Code.
Word wordAt(llvm::StringRef Code, uint64_t N);

/// The control bits of a word.
struct Control {
  unsigned Stall = 0; ///< Cycles.
  bool Yield = false; ///< As Volta's papers name the bit.
  unsigned WriteBarrier = 0, ReadBarrier = 0; ///< Scoreboards; 7: none.
  unsigned WaitMask = 0;
  unsigned Reuse = 0; ///< Bit N for operand slot N.
  unsigned Rest = 0;  ///< Bits without a known meaning.

  static constexpr unsigned NoBarrier = 7;
};
Control controlOf(Word W);

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
