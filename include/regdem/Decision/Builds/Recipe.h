//===- Recipe.h - how a kernel is built -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that makes a build differ from the stock compiler's, but for what
// is done to ptxas's result, and the text form of that:
//
//   cap=40 demote=resident:36 order=near rewrites=skip-slsr,unroll-loops
//
// The parts are cap=REGISTERS, min-blocks=BLOCKS, demote=STRATEGY:WORDS,
// smem-spilling, order=ORDER and rewrites=LIST. They are printed in this order,
// those that say nothing left out, and read in any; "stock" stands for none.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_RECIPE_H
#define REGDEM_DECISION_BUILDS_RECIPE_H

#include "regdem/Decision/Builds/Rewrite.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <tuple>

namespace regdem {

struct Build;

/// What a kernel is built as.
enum class Decision {
  Stock,   ///< As the stock compiler builds it.
  Rewrite, ///< With rewrites of its code, and nothing else.
  Cap,     ///< With a register cap only.
  Pragma,  ///< With a register cap, ptxas itself spilling to shared memory.
  Demote,  ///< With values demoted to shared memory.
};

llvm::StringRef toString(Decision D);

/// How a plan picks what leaves the registers.
enum class Strategy {
  Belady,   ///< Whatever is read farthest ahead; fewest reloads.
  Resident, ///< A fixed set lives in slots, visiting registers; fewest words.
            ///< Where slots do not do for the target, what relieves most of
            ///< all excess, not what lowers the peak most.
};

llvm::StringRef toString(Strategy S);

/// LLVM gives a block of NVPTX code to ptxas in the order of the source: its
/// scheduler is off for this target. ptxas keeps to the order it is given more
/// than one would think: the same 302 instructions of benchmarks/kernels/tti
/// take 62 registers in the order of the source and 40 in another. Which order
/// serves a kernel is found by trying.
enum class InstOrder {
  Source, ///< As instruction selection leaves it.
  /// From the end of the block upwards, always what frees the most registers,
  /// or else what makes the value that was wanted last.
  Near,
  /// The same, but what the longest chain of instructions leads to comes before
  /// the value that was wanted last.
  Deep,
  /// From the start of the block downwards, in the order of the source until
  /// half of the registers are taken, so that loads are in flight together, and
  /// then always what adds the fewest.
  Forward,
};

/// The orders other than the source's.
inline constexpr InstOrder OtherOrders[] = {InstOrder::Near, InstOrder::Deep,
                                            InstOrder::Forward};

/// Its name; empty for the source's.
llvm::StringRef toString(InstOrder Order);

/// How a kernel is to be built.
struct BuildRecipe {
  Decision What = Decision::Stock;
  unsigned MaxRegs = 0; ///< Cap in registers; 0: none.
  /// Blocks per SM that ptxas is told to make room for where the kernel does
  /// not say so itself; 0: none.
  unsigned MinBlocks = 0;
  unsigned Target = 0; ///< Register words to plan for; 0: no demotion.
  /// How such a plan picks what leaves the registers.
  Strategy How = Strategy::Belady;
  /// ptxas is asked to spill to shared memory what it spills.
  bool SmemSpilling = false;
  Rewrite Rewrites = Rewrite::None;
  /// The order of blocks whose values crowd the cap (BlockReordering.h).
  InstOrder Order = InstOrder::Source;

  /// Whether its code is not that which the stock compiler gives to ptxas.
  bool changesCode() const {
    return any(Rewrites) || Order != InstOrder::Source;
  }

  /// Whether it is the stock build, perhaps held to a cap that the kernel
  /// states.
  bool isStock() const { return What == Decision::Stock && !changesCode(); }

  /// Whether values of each thread have a place in shared memory, so that its
  /// PTX is for blocks of one size.
  bool addsShared() const { return What == Decision::Demote || SmemSpilling; }

  /// Whether it differs from the stock build in no more than that ptxas does
  /// not limit its registers by itself, and in passes left out.
  bool liftsLimit() const {
    return What == Decision::Cap && MinBlocks && !MaxRegs && !SmemSpilling;
  }

  /// This part of what inherits it, to copy and compare.
  const BuildRecipe &recipe() const { return *this; }
  BuildRecipe &recipe() { return *this; }
};

inline auto partsOf(const BuildRecipe &R) {
  return std::tie(R.What, R.MaxRegs, R.MinBlocks, R.Target, R.How,
                  R.SmemSpilling, R.Rewrites, R.Order);
}
inline bool operator==(const BuildRecipe &A, const BuildRecipe &B) {
  return partsOf(A) == partsOf(B);
}
/// Any total order.
inline bool operator<(const BuildRecipe &A, const BuildRecipe &B) {
  return partsOf(A) < partsOf(B);
}

std::string toText(const BuildRecipe &R);

/// V's recipe, and what became of its frame: frame=whole, frame=part:STRIDE or
/// frame=end.
std::string toText(const Build &V);

/// The recipe that Text states, or an error in one line that names the part at
/// fault. A cap is LeastCap at least; unset: what ptxas takes.
llvm::Expected<BuildRecipe> parseRecipe(llvm::StringRef Text,
                                        std::optional<unsigned> LeastCap = {});

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_RECIPE_H
