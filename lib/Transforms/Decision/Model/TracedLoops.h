//===- TracedLoops.h - which loops and calls a trace goes into --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trip counts are not known, so loops are given a few iterations each, the same
// in all builds of a kernel. Where a build does several iterations of another's
// loop at once, it is given fewer of its own. Which loops these are shows in
// what they do: four times as much floating-point arithmetic and as many
// accesses to global memory, whatever addresses and counters have become of.
// The loop beside one that does the iterations that are left over is left out.
//
// A kernel's work may be in functions that clang leaves as calls. A trace goes
// into these at every call, with two exceptions: what the assembler and
// libdevice call for unusual operands, of divisions and of sin and cos, which
// is as seldom reached as the slow paths that are inlined; and functions that
// may call themselves, as nobody knows how often.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_TRACEDLOOPS_H
#define REGDEM_LIB_DECISION_MODEL_TRACEDLOOPS_H

#include "regdem/Decision/Model/CodeSummary.h"
#include <array>
#include <optional>
#include <vector>

namespace regdem {

/// Iterations of loops.
struct Trips {
  /// Of outermost loops, of loops in those, and of all deeper ones; FromInside:
  /// of innermost loops, of loops around those, and of all that are around
  /// more.
  std::array<unsigned, 3> Times;
  bool FromInside = false;
};

/// Tests for equality of integers from which on a warp hardly ever gets to what
/// is after them. One holds for 16 % of the threads (the opcode heuristic of
/// Wu and Larus, "Static Branch Frequency and Program Profile Analysis", MICRO
/// 1994), so three hold for any of 32 threads one time in eight.
constexpr unsigned MostEqualities = 2;

/// Whether B is on no way through the kernel that counts.
bool isLeftOut(const SassBlock &B);

/// Whether I computes with floating-point numbers, tensors included.
bool isArithmetic(const SassInstruction &I);

/// Whether I is what an iteration has as often however it is compiled: floating
/// point, an access to global memory.
bool isOfTheSource(const SassInstruction &I);

class TracedCalls {
public:
  explicit TracedCalls(const SassKernel &K);

  /// Whether the trace goes through Function where it comes to it. It does so
  /// through the kernel itself, 0.
  bool enters(unsigned Function) const {
    return !Function || Entered[Function];
  }

  /// The function that the trace goes into at the end of B.
  std::optional<unsigned> after(const SassBlock &B) const {
    return B.Callee && Entered[*B.Callee] ? B.Callee : std::nullopt;
  }

  /// Has the trace go into no function.
  void enterNone() { Entered.assign(Entered.size(), false); }

private:
  std::vector<bool> Entered; ///< In the order of SassKernel::Functions.
};

class TracedLoops {
public:
  /// Blocks of a loop, inner loops included, or of a function.
  struct Span {
    unsigned First = ~0u, Last = 0;
    bool empty() const { return First > Last; }
    bool has(unsigned B) const { return First <= B && B <= Last; }
  };
  using LoopId = std::optional<unsigned>;

  /// Of the functions that Calls enters.
  TracedLoops(const SassKernel &K, const TracedCalls &Calls,
              const TraceRules &Rules);

  const Span &function(unsigned F) const { return Functions[F]; }
  const Span &operator[](unsigned Loop) const { return Loops[Loop].Blocks; }

  /// The loop directly within Around that begins at block B and ends by Last.
  LoopId loopAt(unsigned B, LoopId Around, unsigned Last) const;

  /// Whether the loop is given as many iterations as its code counts. Such
  /// loops are none to count others by: other builds may have none there.
  bool isCounted(unsigned Loop) const;

  /// Whether the loop is given those, or as many as such loops may have where
  /// other builds count them.
  bool isGivenCount(unsigned Loop) const;

  /// Whether traces leave B out: it is on no usual way, or leads to what is
  /// left over of an unrolled loop alone.
  bool isSkipped(unsigned B) const { return Skipped[B]; }
  /// Iterations of a loop that lies in Depth others.
  unsigned trips(unsigned Loop, unsigned Depth, const Trips &Row) const;

  /// Whether these are more iterations of the source than the loop is given
  /// where it does them one by one, since it has to be given one.
  bool runsLonger(unsigned Loop, unsigned Depth, const Trips &Row) const;

  /// What the innermost loops do in an iteration.
  std::vector<LoopWork> innermost() const;

private:
  struct Loop {
    Span Blocks;
    bool IsInnermost = true;
    unsigned Height = 0;      ///< Loops in one another in it.
    bool IsUnrolled = false;  ///< It does several iterations at once.
    bool IsRemainder = false; ///< It does the few that are left over then.
    LoopWork Work;            ///< Of an innermost loop.
  };

  const SassKernel &K;
  LoopCounts Counts;
  std::vector<Span> Functions; ///< In the order of SassKernel::Functions.
  std::vector<Loop> Loops;     ///< In the order of SassKernel::Loops.
  std::vector<bool> Skipped;   ///< In the order of SassKernel::Blocks.

  LoopWork workOf(const Span &Blocks) const;
  void noteHeight(unsigned Loop);
  unsigned tripsOf(const Loop &L, unsigned Depth, const Trips &Row) const;
  void noteUnrolled(llvm::ArrayRef<LoopWork> Rolled);
  void noteSkipped();
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_TRACEDLOOPS_H
