//===- FittedConstants.h - what measured times have set ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constants of the choice without a stated cap that have no source but the
// times of benchmarks/. Those of MachineTimings.h come from publications; the
// iterations that loops are given (VariantCode.cpp), where simulated warps
// start (PartitionSimulator.cpp) and the queue of the load-store unit are
// assumptions that other values would serve as well. How well kernels are
// predicted by which none of these were set:
// benchmarks/model/leave_one_out.py.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_MODEL_FITTEDCONSTANTS_H
#define REGDEM_DECISION_MODEL_FITTEDCONSTANTS_H

namespace regdem {

struct FittedConstants {
  /// See marginOf(), from machine code.
  double Margin = 0.01, FewerWarpsMargin = 0;
  double MoreBlocksMargin = 0.03, BoughtBlocksMargin = 0.035,
         SpilledBlocksMargin = 0.09;
  /// What unrolled loops need on top.
  double UnrolledMargin = 0.03;
  /// What a block alone on an SM loses counts with this share.
  double LoneWeight = 0.15;
  /// Variants whose times, with their margins, are closer than this share of
  /// the stock build's are equal.
  double Tie = 0.02;
  /// Of stock's pressure, what a build without passes may have at most so that
  /// its code counts as needing far fewer registers.
  double LeanPressure = 0.75;
  /// Least share of local accesses that miss L1, the same amid scattered loads,
  /// and the part of L1 that they may fill before more do.
  double LeastLocalMisses = 0.25, LeastAmidScattered = 0.5;
  double LocalShareOfL1 = 0.5;
};

} // namespace regdem

#endif // REGDEM_DECISION_MODEL_FITTEDCONSTANTS_H
