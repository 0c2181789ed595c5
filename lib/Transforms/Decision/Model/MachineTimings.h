//===- MachineTimings.h - cycles that units and memory take -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware's timings, each with its source; the few that are assumptions
// say so. What was set by measured times is in Constants.def.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_MACHINETIMINGS_H
#define REGDEM_LIB_DECISION_MODEL_MACHINETIMINGS_H

#include <cstdint>

namespace regdem {

/// Bytes that one word of every thread of a warp makes, and a line of L1.
constexpr double LineBytes = 128;
/// The same of the instruction caches: eight instructions.
constexpr uint64_t CodeLineBytes = 128;

/// Memory under load: a little more than the 570 cycles of Luo et al. (below),
/// and an SM's share of HBM in bytes a cycle.
constexpr double MemoryLatency = 600, MemoryBytesPerCycle = 16;

/// How long a warp waits for memory to be in order: for the device, which takes
/// a way to L2 and back, and for the system. Measured on an H200, where
/// benchmarks/micro/fences.cu prints 264 to 271 and 1138 to 1192 in several
/// runs; full SMs wait about twice as long.
constexpr uint16_t DeviceFenceCycles = 271, SystemFenceCycles = 1192;

/// Cycles for one warp on one of the four sub-partitions of an SM: how long an
/// instruction keeps its unit busy (…Busy) and when its result is there
/// (…Latency).
struct MachineTimings {
  // CUDA Programming Guide, "Throughput of Native Arithmetic Instructions":
  // 128 / (results per clock and SM). The members without an initializer
  // differ between architectures.
  double FMABusy;
  double FP64Busy;
  double IntegerMultiplyBusy = 2, ALUBusy = 2, SpecialBusy = 8;
  /// Not in that table: one m16n8k16 product a warp, from the peak rates of
  /// the A100 whitepaper.
  double TensorBusy = 8;
  double UniformBusy = 2; ///< Jia et al., Turing, 2019: 2 cycles' distance.

  /// Shared memory and L1 move 128 bytes a cycle for the SM (the same guide),
  /// so a word of a warp takes a sub-partition's turn of four cycles.
  double WordBusy = 4;
  /// Work that the load-store unit takes in ahead, in cycles: ten words of a
  /// warp. An assumption; 40 to 64 make the same choices.
  double LoadStoreBacklog = 40;

  /// Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU
  /// Architecture via Microbenchmarking", 2024 (arXiv 2402.13499): H100, and
  /// within a few cycles A100 and RTX 4090.
  double SharedLatency = 29, L1Latency = 40, L2Latency = 260;
  /// An SM's share of L2: 50 MB for 132 SMs (H100 whitepaper), 40 MB for 108
  /// (A100's).
  double L2BytesPerSM = 388 * 1024;
  /// Jia et al., Volta, 2018, give 14 to 52 cycles for S2R and about 30 for
  /// constants that hit; MUFU takes about 20.
  double ConstantLatency = 30, SystemRegisterLatency = 25;
  double SpecialLatency = 20, FP64Latency = 20, TensorLatency = 32;
  double UniformLatency = 12;
  /// Until an instruction of variable latency has read its operands; an
  /// assumption, 12 to 20 make the same choices.
  double OperandRead = 12;
  double BarrierCycles = 8;
  /// The register file has two banks, the even and the odd registers, with a
  /// port each that reads one register of a warp a cycle (Huerta et al.,
  /// "Analyzing Modern NVIDIA GPU cores", 2025, arXiv 2503.20481; patched
  /// machine code on an H200 agrees, benchmarks/model/README.md). So many
  /// cycles of reads may wait; three in a row of a bank hold the next
  /// instruction up, two and one by turns do not.
  double OperandBacklog = 2;
  /// Cycles of an SM's share of L2 for a sector of which a store fills a part.
  /// Measured on an H200, where L2 is the limit: 0.45 such sectors a cycle and
  /// SM in LULESH's hourglass kernel, 0.44 in a stream cipher.
  double PartOfSectorBusy = 2.2;

  /// Lines of code that the near instruction cache holds, and the one behind
  /// it, and cycles in which one of them comes from there, and from L2.
  /// Measured on an H200 (benchmarks/micro/code_size.cu): 32 and 128 KB; two
  /// warps that go along in step take 2.2 and 6 cycles for an instruction.
  unsigned NearCodeLines = 256, FarCodeLines = 1024;
  double CodeLineBusy = 17.5, L2CodeLineBusy = 47;
};

/// The timings of compute capability Arch (90 for sm_90). One that is not
/// listed has those of the nearest listed one below it.
inline const MachineTimings &timingsOf(unsigned Arch) {
  struct Row {
    unsigned Arch;
    MachineTimings Timings;
  };
  // FP32 and FP64 results per clock and SM by the guide's table:
  // 7.0 64 and 32, 7.5 64 and 2, 8.0 64 and 32, 8.6 to 8.9 128 and 2,
  // 9.0 and 10.0 128 and 64, 10.3, 11.0 and 12.0 128 and 2. 10.1 is the old
  // name of 11.0.
  static constexpr Row Rows[] = {
      {70, {2, 4}},   {75, {2, 64}},  {80, {2, 4}},   {86, {1, 64}},
      {90, {1, 2}},   {100, {1, 2}},  {101, {1, 64}}, {103, {1, 64}},
      {110, {1, 64}}, {120, {1, 64}},
  };
  const MachineTimings *Found = &Rows[0].Timings;
  for (const Row &R : Rows)
    if (R.Arch <= Arch)
      Found = &R.Timings;
  return *Found;
}

/// What loads may find. Which of them holds for a kernel depends on its data,
/// so the model averages over all.
struct MemoryScenario {
  double LoadLatency;   ///< Cycles of a load from global memory.
  double BytesPerCycle; ///< That an SM gets from behind its L1.
  /// Whether the threads of a warp load from different places, whatever the
  /// code shows.
  bool AllScattered;
  /// Cycles between the warps at the start. Another one in each scenario, so
  /// that what comes of one coincidence does not count in all of them.
  double Stagger = 15;
};

/// L1 and L2 hits; L2; memory with neighbouring addresses; memory with
/// scattered ones. 64 bytes a cycle are the port to L2 (Jia et al., 2018), 16
/// an SM's share of HBM (H100: 3.35 TB/s, H200: 4.8 TB/s over 132 SMs at 1.8
/// GHz are 14 and 20), 32 the middle; latencies are between L1's, L2's and 570
/// (Luo et al.) and a little more, because memory under load is slower.
inline constexpr MemoryScenario MemoryScenarios[] = {
    {200, 64, false, 11},
    {400, 32, false, 15},
    {MemoryLatency, MemoryBytesPerCycle, false, 19},
    {MemoryLatency, MemoryBytesPerCycle, true, 23}};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_MACHINETIMINGS_H
