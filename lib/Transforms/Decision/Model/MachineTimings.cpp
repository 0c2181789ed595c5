//===- MachineTimings.cpp - cycles that units and memory take -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineTimings.h"

using namespace llvm;

namespace regdem {

namespace {

struct Row {
  unsigned Arch;
  MachineTimings Timings;
};

// FP32 and FP64 results per clock and SM by the guide's table:
// 7.0 64 and 32, 7.5 64 and 2, 8.0 64 and 32, 8.6 to 8.9 128 and 2,
// 9.0 and 10.0 128 and 64, 10.3, 11.0 and 12.0 128 and 2. 10.1 is the old name
// of 11.0.
constexpr Row Rows[] = {
    {70, {2, 4}},   {75, {2, 64}},  {80, {2, 4}},   {86, {1, 64}},
    {90, {1, 2}},   {100, {1, 2}},  {101, {1, 64}}, {103, {1, 64}},
    {110, {1, 64}}, {120, {1, 64}},
};

constexpr MemoryScenario Scenarios[] = {
    {200, 64, false, 11},
    {400, 32, false, 15},
    {MemoryLatency, MemoryBytesPerCycle, false, 19},
    {MemoryLatency, MemoryBytesPerCycle, true, 23}};

} // namespace

const MachineTimings &timingsOf(unsigned Arch) {
  const MachineTimings *Found = &Rows[0].Timings;
  for (const Row &R : Rows)
    if (R.Arch <= Arch)
      Found = &R.Timings;
  return *Found;
}

ArrayRef<MemoryScenario> memoryScenarios() { return Scenarios; }

} // namespace regdem
