//===- FreeSearch.h - choose among builds without a stated cap --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where nobody states a register cap, most kernels are fastest as they are.
// This search looks for the others: it asks first whether registers limit the
// kernel at all, then whether more warps could pay, and only then makes builds
// and has their time predicted. How a build is built, assembled and
// disassembled is the caller's business, how its time is predicted the cost
// model's.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_FREESEARCH_H
#define REGDEM_DECISION_CHOICE_FREESEARCH_H

#include "regdem/Decision/Choice/CapSearch.h"
#include "regdem/Decision/Model/CostModel.h"

namespace regdem {

/// What the search knows of a kernel. Facts, O and Limits must outlive it;
/// Limits must be those of Facts.Arch.
struct FreeGoal {
  const KernelFacts &Facts;
  const Options &O;
  const SMLimits &Limits;
  /// Register words of the stock build before ptxas.
  unsigned Pressure = 0;
  /// ptxas may be asked to spill to shared memory by itself.
  bool MaySpillToShared = false;
  /// Frames that ptxas leaves in local memory may move after it.
  bool MovesFrames = false;
  /// Some of ArrayRewrites change the kernel: arrays in local memory cost time
  /// whether or not registers limit it.
  bool HasArrayRewrites = false;

  /// What limits V, as ptxas built it, at the stated launch.
  Occupancy occupancyOf(const Build &V) const;
  /// Register words of the code that V is built from, before ptxas.
  unsigned pressureOf(const Build &V) const;
};

/// Whether the pressure alone shows that registers cost the stock build
/// neither occupancy nor spill code. It is an estimate: ptxas takes more
/// registers than the pressure to have loads in flight. Over the kernels of
/// benchmarks/ with at most 80 words it took up to 1.6 times as many; the
/// answer is yes where twice as many do not matter, and no where the kernel
/// calls functions, of whose registers its own pressure says nothing.
bool isSurelyNotLimited(const FreeGoal &Goal);

/// The same whatever the block size, for a kernel of Pressure words that does
/// not state it: all the threads that an SM can have find registers.
bool isNeverLimited(const KernelFacts &Facts, unsigned Pressure,
                    const SMLimits &Limits);

/// Builds with their machine code, in their order, and after them, what those
/// are with their frames moved of which that is expected to pay; none when the
/// code of one cannot be read. Null where there is no disassembler.
using ReadBuilds = llvm::function_ref<std::optional<std::vector<ReadBuild>>(
    llvm::ArrayRef<Build>)>;

/// Register words of builds before ptxas, in their order; none where one cannot
/// be compiled.
using MeasurePressure = llvm::function_ref<std::optional<std::vector<unsigned>>(
    llvm::ArrayRef<BuildRecipe>)>;

/// Makes the stock build and, where registers limit it, up to 20 others: the
/// kernel without some of LLVM's passes, without the register limit that ptxas
/// derives from the block size alone, ptxas's own spilling to shared memory,
/// caps at the occupancy steps nearest to stock's, and where such a cap makes
/// ptxas spill, demotion, other orders, and ptxas's own spilling to shared
/// memory. Where registers do not limit it, but one more of them would cost a
/// block, ptxas's own limit is lifted as well. The result's builds stand in the
/// order in which they were built, stock first, the chosen one marked. None
/// when a build failed, but for one with ptxas's own spilling to shared memory,
/// which is passed over. Without Measure orders are built that hardly lower the
/// pressure.
std::optional<Outcome> searchFreely(const FreeGoal &Goal, MakeBuilds Make,
                                    ReadBuilds Read,
                                    ListRewrites ListWorthwhile = nullptr,
                                    MeasurePressure Measure = nullptr);

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_FREESEARCH_H
