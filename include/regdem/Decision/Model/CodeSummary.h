//===- CodeSummary.h - one warp's way through a build -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the cost model needs of the machine code of one build: the
// instructions that one warp issues, in order, with the scheduling information
// that ptxas wrote into them. Both sides of a branch are on the way, as they
// are for a warp that diverges, and functions at each of their calls. Slow
// paths for unusual arguments are not, nor is what several integers must be
// equal for. Of an instruction whose guard needs that, only its issue is on the
// way.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_MODEL_CODESUMMARY_H
#define REGDEM_DECISION_MODEL_CODESUMMARY_H

#include "regdem/Decision/Builds/Rewrite.h"
#include "regdem/MachineCode/Sass.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace regdem {

/// The part of a sub-partition that an instruction keeps busy.
enum class TraceUnit : uint8_t {
  FMA, ///< FP32 and FP16 sums and products, register copies by IMAD.
  IntegerMultiply, ///< IMAD; also VIADD (measured, benchmarks/model).
  ALU,             ///< Integer sums, logic, shifts, comparisons, copies.
  FP64,
  Special, ///< MUFU, conversions, bit counts.
  Tensor,
  Uniform,        ///< Once a warp.
  Constant,       ///< LDC; not the c[][] operands of others.
  SystemRegister, ///< S2R
  SharedLoad,     ///< Shuffles too, which take the same way.
  SharedStore,
  GlobalLoad, ///< Atomics with a result and textures too.
  GlobalStore,
  LocalLoad,
  LocalStore,
  Barrier, ///< BAR: waits for the block.
  Control  ///< Branches, NOP.
};

/// Whether Unit is the load-store unit.
inline bool isMemoryAccess(TraceUnit Unit) {
  return Unit >= TraceUnit::SharedLoad && Unit <= TraceUnit::LocalStore;
}

inline bool isLocalAccess(TraceUnit Unit) {
  return Unit == TraceUnit::LocalLoad || Unit == TraceUnit::LocalStore;
}

struct TraceStep {
  TraceUnit Unit = TraceUnit::Control;
  uint8_t Words = 1;  ///< 32-bit words a thread moves, at least 1.
  uint16_t Stall = 1; ///< Cycles until the warp may issue the next step.
  /// Scoreboards as in SassInstruction.
  uint8_t WriteBarrier = SassInstruction::NoBarrier;
  uint8_t ReadBarrier = SassInstruction::NoBarrier;
  uint8_t WaitMask = 0;
  /// A load from global memory, or an access to local or shared memory, whose
  /// address depends on loaded data, so that the threads of a warp are taken to
  /// access different places.
  bool IsScattered = false;
  /// A load from global memory of one place for all threads of a block, so that
  /// another warp has fetched it.
  bool IsShared = false;
  /// A load from global memory of which the warp has loaded the greater part
  /// of the lines before, if its threads load from neighbouring places.
  bool IsInLines = false;
  /// The same for the sectors, wherever the threads load from.
  bool IsInSectors = false;
  /// A store to a word of local memory to which none ahead of it is.
  bool IsFirst = false;
  /// 32-byte sectors that a store touches where the code shows that the places
  /// of a warp's threads are apart (TracedValues.h for those to global memory,
  /// IsScattered for those to local memory); 0: as many as it fills.
  uint8_t Sectors = 0;
  /// Line of the instruction caches that it lies in.
  uint32_t CodeLine = 0;
  /// Even and odd registers that it reads from the register file.
  uint8_t BankReads[2] = {0, 0};
};

/// What a thread does on its whole way. Builds of a kernel have it in common,
/// but for how often their loops are unrolled.
struct WayWork {
  /// Words moved to and from global memory, and barriers.
  double Words = 0;
  /// Instructions but for accesses to local and shared memory.
  double Instructions = 0;
  /// Floating-point operations and accesses to global memory.
  double Own = 0;
  /// Floating-point operations, which no rewrite of accesses merges.
  double Arithmetic = 0;
  /// The code shows how often all its loops run, so that nothing is assumed.
  bool IsCounted = false;
  /// Loops may be given more iterations than in other builds: one that does
  /// several at once has to be given one, and others show their counts.
  bool RunsLonger = false;
  /// With which it is built: loops may do several iterations at once, not by
  /// ptxas's choice, and loops of functions that are inlined may show how many
  /// iterations they have, or may be gone.
  Rewrite Rewrites = Rewrite::None;
  double Calls = 0; ///< Of functions that the trace goes into.
};

/// What an innermost loop does in an iteration.
struct LoopWork {
  unsigned Own = 0;      ///< As WayWork::Own.
  unsigned Steps = 0;    ///< Instructions.
  unsigned CountsBy = 0; ///< SassLoop::CountsBy.
};

struct CodeSummary {
  std::vector<TraceStep> Trace;
  /// The same where no loop does more than UnrolledIterations (Rewrite.h); of
  /// builds with loops unrolled and of those without rewrites.
  std::vector<TraceStep> ShortTrace;
  /// WayWork::Own of a whole run over that of Trace. More than 1 where loops
  /// were cut short.
  double WorkScale = 1;
  WayWork Work;
  std::vector<LoopWork> InnermostLoops;
  /// Whether the functions that are called are on the way.
  bool EntersCalls = true;
  /// How short loops are cut: 0 is not at all.
  unsigned Cut = 0;
};

/// What is taken for the iterations of loops. Of a kernel's builds some may
/// have loops of few iterations unrolled completely: others, in which the code
/// shows how many these are, have to be given all of them.
enum class LoopCounts {
  Assumed, ///< No loop's, by how deep it lies.
  Shown, ///< Those that the code shows; of other loops those that are assumed.
  All    ///< The same, where the stock build shows those of all inner loops:
         ///< one that does not show its own may have as many as those have.
};

/// Whether the code shows the counts of all loops in others, which are few
/// iterations each. Those that only unusual operands come to do not matter.
bool showsInnerCounts(const SassKernel &K);

/// What the traces of a kernel's builds have to have in common.
struct TraceRules {
  /// CodeSummary::InnermostLoops of a build without unrolling, where the code
  /// is one with it. Loops that do four times the work of one of these are
  /// given a fourth of the iterations, and those that do what is left over are
  /// left out.
  llvm::ArrayRef<LoopWork> Rolled;
  LoopCounts Counts = LoopCounts::Assumed;
  /// Whether functions that are called are on the way; none: unless that makes
  /// it too long.
  std::optional<bool> EntersCalls = std::nullopt;
  /// As in CodeSummary; none: as little as keeps the trace short.
  std::optional<unsigned> Cut = std::nullopt;
  bool WantsShort = false; ///< Has CodeSummary::ShortTrace made.
};

/// What K looks like to the cost model.
CodeSummary summarize(const SassKernel &K, const TraceRules &Rules = {});

/// Summarizes a kernel's builds so that they can be compared: the first one,
/// which is the stock build or stands for it, decides what is on the way.
class Summarizer {
public:
  /// MayUnroll: some builds may have loops of few iterations unrolled
  /// completely.
  explicit Summarizer(bool MayUnroll = false) : MayUnroll(MayUnroll) {}

  /// K is built with Rewrites.
  CodeSummary summarize(const SassKernel &K, Rewrite Rewrites = Rewrite::None);

private:
  bool MayUnroll;
  TraceRules Rules; ///< As the first build sets them.
  std::vector<LoopWork> Rolled;
};

/// The part of the machine that I keeps busy.
TraceUnit unitOf(const SassInstruction &I);

/// Whether K makes generic addresses of its frame in local memory, as where it
/// hands arrays to functions. Then what has a generic address is taken to be in
/// the frame: of what is in global memory, LLVM nearly always knows it. Not
/// known on sm_100 and later: no.
bool hasGenericFrame(const SassKernel &K);

} // namespace regdem

#endif // REGDEM_DECISION_MODEL_CODESUMMARY_H
