//===- SettlePtx.h - how the kernels of a PTX file are built ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin's search where PTX of any compiler is all that there is: builds
// differ in what ptxas is told of a kernel, in which values are demoted, and in
// what becomes of its frame. The file is assembled once more if that pays, and
// its program held against what is promised; else ptxas's own stands. Of code
// that is to be linked yet, builds differ in directives alone.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_BUILDER_SETTLEPTX_H
#define REGDEM_BUILDER_SETTLEPTX_H

#include "regdem/Decision/Builds/NotedLaunches.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Finish/Finisher.h"
#include "regdem/Options.h"

namespace regdem {

/// A PTX file, and what ptxas makes of it by itself.
struct PtxProgram {
  std::string PTX;
  std::string Cubin;    ///< ptxas's own program.
  std::string ArchName; ///< As ptxas takes it: "sm_90a".
  /// ptxas's flags, but those about files, messages and the architecture.
  std::vector<std::string> Flags;
  unsigned MaxRegs = 0;       ///< -maxrregcount; 0 or 255: none.
  bool FusesProducts = true;  ///< No -fmad=false.
  bool IsRelocatable = false; ///< -c: it is to be linked yet.
  /// Host code says how much of an SM is shared memory (KernelFacts), or sets
  /// kernels' cudaFuncAttributeMaxDynamicSharedMemorySize.
  bool StatesCarveout = false, StatesDynamic = false;
  /// Of its kernels, where they are known.
  std::map<std::string, NotedLaunches> Launches;
  /// Why nothing but frames may change; empty: all may.
  std::string WhyKept;
};

struct SettledPtx {
  std::string Cubin;               ///< The program to use.
  std::string PTX;                 ///< Of which it is made.
  std::vector<Outcome> Kernels;    ///< As it has them.
  std::vector<FrameResult> Frames; ///< As in FinishedProgram.
  std::vector<std::string> Warnings;
  std::vector<std::string> Notes; ///< For who wants to know more.
};

/// Decides for the kernels of P as O say. An error where P.Cubin cannot be
/// read: then it is the program to use.
llvm::Expected<SettledPtx> settlePtx(const PtxProgram &P, const Options &O,
                                     const Ptxas &Assembler);

} // namespace regdem

#endif // REGDEM_BUILDER_SETTLEPTX_H
