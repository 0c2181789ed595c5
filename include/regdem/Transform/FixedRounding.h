//===- FixedRounding.h - stock's roundings, written down --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM and ptxas make one instruction, which rounds once, of a product and a
// sum where they see fit. Code that is moved between blocks, or values that
// come from registers instead of memory, would round in another way. So what
// the stock build does is read from its machine code (FusedSums.h) and written
// into IR, in which nothing may be fused any more:
//
//   %p = fmul contract float %a, %b
//   %s = fadd contract float %p, %c   =>  %s = llvm.fma.f32(%a, %b, %c)
//   %q = fmul contract float %d, %e       %q = fmul float %d, %e
//
// That is right if ptxas makes the same machine code of it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_FIXEDROUNDING_H
#define REGDEM_TRANSFORM_FIXEDROUNDING_H

#include "regdem/MachineCode/FusedSums.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// How sure it is that code made of a function rounds in one way.
enum class Roundings {
  Fixed,       ///< Whatever becomes of the code around.
  Open,        ///< Products may be fused with sums.
  Reorderable, ///< LLVM may besides reorder operations (-ffast-math).
  Inexact      ///< Of some operations it computes something else than the GPU.
};

/// Of Functions together, code of which may meet. FusesAll: LLVM fuses sums
/// whatever flags they have (-ffp-contract=fast, as clang compiles CUDA).
Roundings findRoundings(llvm::ArrayRef<const llvm::Function *> Functions,
                        bool FusesAll);

/// Gives each instruction of Functions, which are of one module, a line of its
/// own, in place of the module's debug information, and returns the sums of
/// each in their order.
std::vector<std::vector<NumberedSum>>
numberSums(llvm::ArrayRef<llvm::Function *> Functions);

/// Lets no operation of F be fused with another, or become another one.
void keepOperations(llvm::Function &F);

/// Fuses F's sums as Fusings says (FusingPrefix), and lets nothing else be
/// fused. False, and no other operations are fused than before, where F has no
/// such sums.
bool fixRoundings(llvm::Function &F, llvm::StringRef Fusings);

} // namespace regdem

#endif // REGDEM_TRANSFORM_FIXEDROUNDING_H
