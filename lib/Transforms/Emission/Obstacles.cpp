//===- Obstacles.cpp - what stands in the way of a kernel, in words -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Obstacles.h"

#include "regdem/Decision/Outcome.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace regdem {

std::string describeObstacle(const Outcome &O, Obstacle Why) {
  switch (Why) {
  case Obstacle::None:
    return "";
  case Obstacle::UnknownArch:
    return "the limits of this GPU architecture are not known";
  case Obstacle::ForDebugger:
    return "it is compiled for a debugger (--cuda-noopt-device-debug)";
  case Obstacle::SetMaxNReg:
    return "the kernel changes its register count with setmaxnreg";
  case Obstacle::AsyncRegisters:
    return "wgmma or tcgen05 instructions use registers asynchronously";
  case Obstacle::IrreducibleFlow:
    return "a loop is entered at two places (irreducible control flow), which "
           "ptxas may miscompile when registers are short";
  case Obstacle::UnknownBlockSize:
    return "threads per block are not known: state __launch_bounds__ or "
           "-regdem-block-size";
  case Obstacle::UnknownDynamicShared:
    return "dynamic shared memory of unknown size: state "
           "-regdem-dynamic-smem";
  case Obstacle::CalleeRegisters:
    return "it calls functions that may need more registers than the new cap, "
           "and no assembler was asked";
  case Obstacle::AsmShared:
    return "inline assembly declares shared memory, whose size is not known "
           "here";
  case Obstacle::UnknownCallee:
    return formatv("it calls functions whose use of shared memory is not known "
                   "here ({0})",
                   O.Facts.HasExternalCalls
                       ? "'" + O.Facts.ExternalCallee + "' of another file"
                       : "through a pointer");
  case Obstacle::TooManyBlocks:
    return formatv("as many blocks per SM of {0} threads as "
                   "-regdem-min-blocks asks for never fit",
                   O.Facts.Threads);
  case Obstacle::NotOptimized:
    return "it is compiled with -O0";
  case Obstacle::NotSelected:
    return "-regdem-kernels does not match this name";
  }
  return "";
}

} // namespace regdem
