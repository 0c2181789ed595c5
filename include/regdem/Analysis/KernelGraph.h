//===- KernelGraph.h - a kernel as values, uses and blocks ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The machine function as the analyses and the planner see it: dense numbers
// for values, instructions and blocks, and flat arrays of operands. It holds
// no pointer into the machine code, so that plans can be made and tested on
// graphs that no compiler produced.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_KERNELGRAPH_H
#define REGDEM_ANALYSIS_KERNELGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace regdem {

using ValueId = unsigned;
using BlockId = unsigned;
/// Position of an instruction in the kernel's order of blocks.
using InstId = unsigned;
constexpr unsigned NoLoop = ~0u;

/// What may become of a value; each kind but Demotable is a reason why not.
enum class ValueKind : uint8_t {
  Demotable,
  Predicate,  ///< One bit, in the predicate file.
  Free,       ///< ptxas recomputes it for nothing: counts no register.
  Terminator, ///< Used by a branch: no reload fits between.
  /// A product that ptxas may fuse into the sum that reads it. A slot between
  /// the two would keep it from that and change the last bit of the result.
  Product,
  NoLoad, ///< No load or store fits its register class.
};

llvm::StringRef toString(ValueKind Kind);

struct ValueInfo {
  /// Virtual register number of the machine function (its index).
  unsigned Register = 0;
  /// Registers of 32 bits that the value takes; 0 for predicates.
  unsigned Words = 0;
  ValueKind Kind = ValueKind::Demotable;
  /// Once it has left its register it comes back from no slot: its only
  /// definition is an instruction that gives the same again, from operands that
  /// take no register, and is repeated.
  bool IsRecomputed = false;
  /// Of a Free value that is the negation of another: that one, which has to be
  /// in a register wherever this is read. Its definition is repeated there.
  std::optional<ValueId> Negated = std::nullopt;
};

struct BlockInfo {
  /// Instructions [Begin, End), of which [FirstTerminator, End) branch.
  InstId Begin = 0, FirstTerminator = 0, End = 0;
  std::vector<BlockId> Preds, Succs;
  /// Probability of each edge to Succs, as LLVM gives it: Certain is 1.
  std::vector<uint32_t> SuccProbability;
  static constexpr uint32_t Certain = 1u << 31;
  /// Executions, relative to the entry block's EntryFrequency.
  uint64_t Frequency = 0;
  /// Innermost loop around the block, index into Loops.
  unsigned Loop = NoLoop;
  /// Number of the block in the machine function.
  unsigned Number = 0;
  /// The edges out of it cannot get a block of their own.
  bool UnsplittableEdges = false;
  /// Values live on entry, ascending.
  std::vector<ValueId> LiveIn;

  /// Of the edge to Succ, one of Succs.
  uint32_t probabilityOf(BlockId Succ) const;
  /// Executions of that edge, in the unit of Frequency.
  uint64_t frequencyTo(BlockId Succ) const;
};

struct GraphLoop {
  BlockId Header = 0;
  unsigned Parent = NoLoop;
};

class KernelGraph {
public:
  std::vector<ValueInfo> Values;
  std::vector<BlockInfo> Blocks; ///< Block 0 is the entry.
  std::vector<GraphLoop> Loops;  ///< Outer loops before inner ones.
  uint64_t EntryFrequency = 1;

  /// Appends an instruction to the block that is being filled.
  void addInst(llvm::ArrayRef<ValueId> Uses, llvm::ArrayRef<ValueId> Defs);

  /// Fills LiveIn of all blocks, by which values may be read before they are
  /// written.
  void solveLiveness();

  unsigned numInsts() const { return static_cast<unsigned>(Begins.size()) - 1; }
  /// Values that instruction I reads, each once.
  llvm::ArrayRef<ValueId> uses(InstId I) const {
    return llvm::ArrayRef(Operands).slice(Begins[I], DefBegins[I] - Begins[I]);
  }
  /// Values that instruction I writes, each once.
  llvm::ArrayRef<ValueId> defs(InstId I) const {
    return llvm::ArrayRef(Operands).slice(DefBegins[I],
                                          Begins[I + 1] - DefBegins[I]);
  }

  /// Whether block B belongs to loop L or one inside it.
  bool isInLoop(BlockId B, unsigned L) const;
  /// Whether B is the header of the loop that it is directly in.
  bool isLoopHeader(BlockId B) const {
    return Blocks[B].Loop != NoLoop && Loops[Blocks[B].Loop].Header == B;
  }
  /// Whether value V takes a register that a plan can save.
  bool isDemotable(ValueId V) const {
    return Values[V].Kind == ValueKind::Demotable;
  }
  bool isRecomputed(ValueId V) const { return Values[V].IsRecomputed; }
  /// Registers that V occupies while it is live; 0 for predicates and for
  /// what ptxas recomputes.
  unsigned words(ValueId V) const {
    return Values[V].Kind == ValueKind::Free ? 0 : Values[V].Words;
  }
  /// Blocks in reverse post-order from the entry; unreachable ones are absent.
  std::vector<BlockId> reversePostOrder() const;

private:
  std::vector<ValueId> Operands;
  std::vector<unsigned> Begins = {0}, DefBegins;
};

} // namespace regdem

#endif // REGDEM_ANALYSIS_KERNELGRAPH_H
