//===- LoneWarp.h - what code takes without other warps ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A first look at machine code that needs no disassembler, a run of which takes
// ten times as long as one of ptxas for a small kernel: stalls and scoreboards
// have the same place in every instruction, so a warp can be followed along the
// code without knowing what most instructions do.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_LONEWARP_H
#define REGDEM_MACHINECODE_LONEWARP_H

#include "llvm/ADT/StringRef.h"

namespace regdem {

/// A warp that goes along code once, from its first to its last instruction,
/// with no other warp beside it.
struct LoneWarp {
  unsigned Instructions = 0; ///< Without what fills the code up.
  unsigned Cycles = 0;
};

/// The warp along Code, machine code of sm_70 or later.
LoneWarp followCode(llvm::StringRef Code);

/// The warp along the one kernel of Cubin; all 0 where there is not just one.
LoneWarp followProgram(llvm::StringRef Cubin);

} // namespace regdem

#endif // REGDEM_MACHINECODE_LONEWARP_H
