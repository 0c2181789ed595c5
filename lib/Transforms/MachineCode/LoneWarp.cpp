//===- LoneWarp.cpp - what code takes without other warps -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/LoneWarp.h"

#include "SassDecode.h"
#include "regdem/MachineCode/RawCode.h"
#include "llvm/Support/Endian.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

// The lowest 12 bits of an instruction say what it is, 9 of them without the
// form of its operands.
static constexpr unsigned NopCode = 0x118, LoadCode = 0x180,
                          GlobalLoadCode = 0x181;

// Cycles, roughly: what counts is that loads from far away take many times as
// long as all else that a warp waits for.
static constexpr unsigned FarLatency = 400, NearLatency = 30, OperandRead = 15;

LoneWarp followCode(StringRef Code) {
  LoneWarp Result;
  unsigned Free[SassControl::NumBarriers] = {};
  auto Occupy = [&](unsigned Barrier, unsigned Latency) {
    if (Barrier < SassControl::NumBarriers)
      Free[Barrier] = std::max(Free[Barrier], Result.Cycles + Latency);
  };
  for (; Code.size() >= InstructionBytes;
       Code = Code.drop_front(InstructionBytes)) {
    unsigned What = support::endian::read64le(Code.data()) & 0x1ff;
    if (What == NopCode)
      continue;
    SassControl Control = decodeControl(
        support::endian::read64le(Code.data() + InstructionBytes / 2));
    for (unsigned B = 0; B != SassControl::NumBarriers; ++B)
      if (Control.WaitMask >> B & 1)
        Result.Cycles = std::max(Result.Cycles, Free[B]);
    bool IsFar = What == LoadCode || What == GlobalLoadCode;
    Occupy(Control.WriteBarrier, IsFar ? FarLatency : NearLatency);
    Occupy(Control.ReadBarrier, OperandRead);
    Result.Cycles += std::max<unsigned>(Control.Stall, 1);
    ++Result.Instructions;
  }
  return Result;
}

LoneWarp followProgram(StringRef Cubin) {
  std::optional<RawCode> Code = rawCodeOf(Cubin);
  return Code ? followCode(Code->Bytes) : LoneWarp();
}

} // namespace regdem
