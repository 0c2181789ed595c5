//===- Omission.h - passes that a build is made without ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM lengthens live ranges without an eye for registers, which NVPTX leaves
// to ptxas to count. Three of its passes do, and several do together:
//
//  - Loop strength reduction keeps a pointer per address pattern in registers
//    all through a loop, where ptxas would add offsets to one. The 3D stencil
//    of order 12 needs 64 registers with it and 32 without.
//  - Machine sinking moves a computation to its only reader, across any number
//    of blocks, and with it goes the life of all that it reads. 64 unrolled
//    reactions with a branch each need 255 registers and 808 bytes of spill
//    code with it, 164 and none without (benchmarks/kernels/chemistry). Passes
//    over IR do the same with what only a guarded block reads, which is undone
//    where this pass is left out (Transform/GuardHoisting.h).
//  - Straight-line strength reduction computes an index or an address from
//    one before it that looks alike, which has to live until then. A lattice
//    kernel with eighteen neighbours spills 1624 bytes in 72 registers with it
//    and 128 without (benchmarks/kernels/wilson, in single precision).
//  - What addresses have in common is computed once and shared by all of them,
//    however far apart (value numbering, straight-line strength reduction). To
//    leave that out, each address is computed from the one before it as the
//    last thing that is done to IR. The same kernel spills 16 bytes then.
//  - A value that replaces another at the end of a block is copied there if it
//    is computed while the other is still read. To leave that out, it is
//    computed once the other has been read (Transform/CopyFolding.h). Sixteen
//    nearest neighbours in registers take 72 registers with it and 48 without
//    (benchmarks/kernels/knn16).
//
// And it keeps registers free that would hide latency: it leaves a loop rolled
// unless its body is tiny, so that each iteration waits for its loads before
// the next one starts. Where loops are not to stay rolled, each does four
// iterations at once (Transform/LoopUnrolling.h). A recursive filter takes half
// as long then (benchmarks/kernels/gaussian).
//
// For other kernels the same passes save registers, so that what is best is
// found by trying.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_OMISSION_H
#define REGDEM_DECISION_BUILDS_OMISSION_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <tuple>

namespace regdem {

/// Iterations that a loop does at once where loops do not stay rolled.
inline constexpr unsigned UnrolledIterations = 4;

struct Omission {
  bool StrengthReduction = false; ///< LLVM's "loop-reduce" is left out.
  bool Sinking = false;           ///< LLVM's "machine-sink" is left out.
  bool StraightLine = false;      ///< LLVM's "slsr" is left out.
  /// "slsr" is left out, and addresses are chained (AddressChains.h).
  bool Sharing = false;
  bool Copies = false;  ///< Copies at the ends of blocks are folded.
  bool Rolling = false; ///< No loop stays rolled that can be unrolled.

  bool any() const {
    return StrengthReduction || Sinking || StraightLine || Sharing || Copies ||
           Rolling;
  }
  /// Whether LLVM's "slsr" is left out.
  bool leavesOutStraightLine() const { return StraightLine || Sharing; }
  /// The same passes of LLVM left out, and no address chained.
  Omission withoutChains() const {
    Omission O = *this;
    O.StraightLine = leavesOutStraightLine();
    O.Sharing = false;
    return O;
  }
};

inline bool operator<(Omission A, Omission B) {
  return std::tie(A.StrengthReduction, A.Sinking, A.StraightLine, A.Sharing,
                  A.Copies, A.Rolling) <
         std::tie(B.StrengthReduction, B.Sinking, B.StraightLine, B.Sharing,
                  B.Copies, B.Rolling);
}
inline bool operator==(Omission A, Omission B) { return !(A < B) && !(B < A); }
inline bool operator!=(Omission A, Omission B) { return !(A == B); }

/// All that the one or the other leaves out.
inline Omission operator|(Omission A, Omission B) {
  return {A.StrengthReduction || B.StrengthReduction,
          A.Sinking || B.Sinking,
          A.StraightLine || B.StraightLine,
          A.Sharing || B.Sharing,
          A.Copies || B.Copies,
          A.Rolling || B.Rolling};
}

inline constexpr Omission WithoutReduction{true,  false, false,
                                           false, false, false},
    WithoutSinking{false, true, false, false, false, false},
    WithoutStraightLine{false, false, true, false, false, false},
    WithoutSharing{false, false, false, true, false, false},
    WithoutCopies{false, false, false, false, true, false},
    WithoutRolling{false, false, false, false, false, true};

/// Those that leave one thing out, in the order of the fields.
inline constexpr Omission EachOmission[] = {
    WithoutReduction, WithoutSinking, WithoutStraightLine,
    WithoutSharing,   WithoutCopies,  WithoutRolling};

/// Those of them that leave out what may cost registers.
inline constexpr Omission SingleOmissions[] = {WithoutReduction, WithoutSinking,
                                               WithoutStraightLine,
                                               WithoutSharing, WithoutCopies};

/// The names of what is left out in the order of the fields, separated by
/// commas; empty where none is left out.
std::string toString(Omission O);

/// The same in words: "loops unrolled, without slsr,copies" and the like.
std::string describe(Omission O);

/// The omission that toString() calls Names; none for any other text.
Omission parseOmission(llvm::StringRef Names);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_OMISSION_H
