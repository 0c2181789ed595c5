//===- CostModel.h - predict which variant is fastest -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where nobody states a register cap, the variants of a kernel differ in
// occupancy as well as in code, and a prediction of time decides among them.
// What is predicted is good for comparing variants of one kernel only: trip
// counts, the grid and the addresses are not known to the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_MODEL_COSTMODEL_H
#define REGDEM_DECISION_MODEL_COSTMODEL_H

#include "regdem/Constants.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Decision/Model/VariantCode.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

/// Predicted cycles that an SM takes for one block of Threads threads of V
/// while it is full of them; a geometric mean over what memory may do. Code is
/// null where there is no disassembler; then it is an estimate from the
/// assembler's figures, in which occupancy does not count. V must have been
/// assembled and must fit an SM (V.BlocksPerSM is not 0). Predictions with and
/// without Code are not comparable. Jobs as in ToolLimits: a long trace is
/// simulated on so many threads.
double predictCycles(const Variant &V, const VariantCode *Code,
                     unsigned Threads, const SMLimits &Limits,
                     const Constants &C = Tuned, unsigned Jobs = 0);

/// The mean of cycles that may each be the true ones: what counts is by which
/// factor variants differ. Values must not be empty.
double geometricMean(llvm::ArrayRef<double> Values);

/// Cycles, predicted for a variant that does work Done, for the work Wanted of
/// another one (no words: not known). Loops are given as many iterations in all
/// variants, though an iteration of one may be four of another: ptxas unrolls a
/// layer normalisation four times, and not at all where clang has not reduced
/// its loops, which looked like a gain of 58 %. More words alone are no more
/// work: ptxas loads again what it has no register for. An Ising model that
/// loads 1.6 times as often under 40 registers, by as many instructions, was to
/// gain 24 % and loses 5 % on an H200.
double forSameWork(double Cycles, const WayWork &Done, const WayWork &Wanted);

/// As predictCycles() from machine code, for variants of a kernel that are held
/// to the same register cap. Memory that answers scattered loads is left out:
/// all of them wait for it alike, which would hide what tells them apart. But
/// what they take of L1 from the kernel's data counts: 1.5 % a halving, and 7 %
/// more for the first byte where most loads are scattered. Spill code misses L1
/// by how far its accesses are apart (LocalReuse.h).
///
/// On an H200, over 114 cells (a kernel of benchmarks/ under a cap at which it
/// spills, 8 to 28 builds each), the build that this predicts to be fastest
/// takes 1.018 times as long as the fastest one in the mean; with the same
/// share of misses for all of a build's spill code 1.019, by the figures alone
/// 1.029. Up to 1.5 % a halving choose alike, 2 % makes it 1.020.
///
/// Loads whose addresses are loaded data count as scattered, and need L1 while
/// they are in flight: of the cap alone, ptxas's spilling to shared memory and
/// RegDem's build it then chooses one that takes 1.008 times as long as the
/// fastest over 44 cells that nothing was fitted to, instead of 1.024 (at worst
/// 1.26 instead of 1.97), and 1.024 instead of 1.023 over the 10 of the 114
/// cells that have such loads.
double predictCyclesUnderCap(const Variant &V, const VariantCode &Code,
                             unsigned Threads, const SMLimits &Limits,
                             unsigned Jobs = 0);

/// The least margin that a variant needs which takes no warps: the share of the
/// stock build's time that it must be predicted to gain. From machine code 1 %.
double decisionMargin(bool FromSass);

/// The share of the stock build's time that V must be predicted to gain. From
/// machine code it grows with what predictions were seen to miss on an H200: of
/// builds that are predicted to gain up to 30 %, clang's and nvcc's of the
/// kernels of benchmarks/ (mean over kernels; in how many they are slower),
///
///  - none where V has fewer blocks on an SM than Stock or does no more than
///    lift the limit that ptxas derives from the block size by itself
///    (.minnctapersm 1): what warps are worth the prediction knows, and what
///    they take of the caches from each other speaks for fewer of them (3.2 %
///    predicted, 5.6 % gained; one of 29 is slower);
///  - 1 % with as many blocks (5.2 and 8.3 %; one of 24);
///  - 3 % with more blocks (7.1 and 6.4 %; nine of 25);
///  - 3.5 % with more blocks that cost shared memory, since that takes L1, of
///    which more warps leave less to each (6.2 and 3.5 %; 20 of 46 builds, here
///    and below not means over kernels);
///  - 9 % with more blocks that cost spill code (2.9 % predicted, 4.7 lost; 14
///    of 22 builds are slower, but none that is to gain more than 9 %). Over
///    190 kernels of other domains they are to gain 14.8 % and gain 8.0 (17 of
///    66 are slower), while free blocks gain as predicted (11.1 and 10.7 %).
///
/// On 111 kernels of other projects, with many launches at once, they are to
/// gain 0.7, 11.5, 2.4 and 5.6 % and gain 7.4, 12.8, 5.3 and 3.2 %.
///
/// The grid is not known, and where it has too few blocks for more warps, all
/// that is left of them is what they cost. So 15 % of what a block loses that
/// has an SM to itself (LoneCycles, where both variants have them) come on top.
/// A pair potential of LAMMPS, to gain 35 % by 64 registers with spill code and
/// 31 % by 80 without, gains 29 and 24 % on an H200 with sixteen blocks for
/// each SM; with two it loses 23 % (predicted 13) and gains 2.
double marginOf(const Variant &V, const Variant &Stock, bool FromSass,
                const Constants &C = Tuned);

/// Whether V spills more than L1 holds while Stock spills nothing.
bool spillsBeyondL1(const Variant &V, const Variant &Stock);

/// Constants::Tie. From 1 to 2.25 % the choices for the kernels of
/// benchmarks/ take 1.007 to 1.009 times as long as the best build in the mean
/// and 1.06 at worst; with none it is 1.016, with 3 % 1.014.
inline constexpr double TieMargin = Tuned.Tie;

/// Index of the variant to build the kernel as. Each costs its predicted share
/// of the stock build's time and its margin (marginOf()), the stock build 1. If
/// one costs less than that, of those within TieMargin of the cheapest which do
/// the least change wins: least shared memory, no spill code before some, no
/// cap before one, without a cap most registers, with one those nearest to
/// stock's. (spline3d of benchmarks/, whose stock build takes 72, takes 0.88 of
/// its time under 80 registers on an H200 and 0.91 under 96.) Left out are,
/// where predictions are estimates, variants with fewer blocks on an SM than
/// stock, and else those that spill beyond L1: all that is known of so much
/// local memory is that it is slow. (An unrolled DES that was to gain 14 % with
/// 3 KB of spill code took 1.19 times as long on an H200.) Variants.front() is
/// the stock build. Cycles holds the prediction of each variant, in the same
/// order. Both must have the same length, which must not be 0.
size_t chooseVariant(llvm::ArrayRef<Variant> Variants,
                     llvm::ArrayRef<double> Cycles, bool FromSass,
                     const Constants &C = Tuned);

} // namespace regdem

#endif // REGDEM_DECISION_MODEL_COSTMODEL_H
