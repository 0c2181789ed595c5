//===- Obstacles.cpp - what stands in the way of kernels and frames -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/Messages.h"

#include "regdem/Decision/Builds/FrameOrder.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Options.h"
#include "regdem/Toolchain/Invocation.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace regdem {

std::string describeObstacle(const Outcome &O, Obstacle Why) {
  switch (Why) {
  case Obstacle::None:
    return "";
  case Obstacle::UnknownArch:
    return "the limits of this GPU architecture are not known: compile for one "
           "from sm_70 to sm_121";
  case Obstacle::ForDebugger:
    return "it is compiled for a debugger: leave --cuda-noopt-device-debug out";
  case Obstacle::SetMaxNReg:
    return "the kernel changes its register count with setmaxnreg, so that no "
           "one "
           "cap holds for it";
  case Obstacle::AsyncRegisters:
    return "wgmma or tcgen05 instructions use registers asynchronously, so "
           "that "
           "these must not be stored";
  case Obstacle::UnclearPtx:
    return "its PTX has text that is not understood here: write opcodes "
           "without blanks, and numbers of directives as numbers";
  case Obstacle::IrreducibleFlow:
    return "a loop is entered at two places (irreducible control flow), which "
           "ptxas may miscompile when registers are short: enter it at one";
  case Obstacle::ReadsTotalShared:
    return "it reads how much shared memory its launch has in all "
           "(%total_smem_size, %aggr_smem_size), so that none may be added";
  case Obstacle::HostStatesShared:
    return "host code says how much of an SM is shared memory "
           "(cudaFuncCachePreferL1 or a carve-out), or how much of a block's "
           "is dynamic (cudaFuncAttributeMaxDynamicSharedMemorySize), or it is "
           "not seen, as under sccache: none may be added";
  case Obstacle::UnknownBlockSize:
    return "threads per block are not known: state __launch_bounds__ or " +
           optionFlag("block-size");
  case Obstacle::UnknownDynamicShared:
    return "dynamic shared memory of unknown size: state " +
           optionFlag("dynamic-smem");
  case Obstacle::CalleeRegisters:
    return "it calls functions that may need more registers than the new cap, "
           "and no assembler was asked: have them inlined, or see " +
           optionFlag("ptxas");
  case Obstacle::LinkedCallee:
    return "it calls functions in code that is to be linked yet, where their "
           "registers count with its own: have them inlined";
  case Obstacle::AsmShared:
    return "inline assembly declares shared memory, whose size is not known "
           "here: declare it as __shared__";
  case Obstacle::UnknownCallee:
    return formatv("it calls functions whose use of shared memory is not known "
                   "here ({0})",
                   O.Facts.HasExternalCalls
                       ? "'" + shownName(O.Facts.ExternalCallee) +
                             "' of another file: define it in this one"
                       : "through a pointer: call them by name");
  case Obstacle::Recursion:
    return "a function that it calls may call itself, so that the stack might "
           "be too small for another build: make it a loop";
  case Obstacle::TooManyBlocks:
    return formatv("the blocks per SM of {0} threads that are asked for "
                   "never fit: ask for fewer",
                   O.Facts.Threads);
  case Obstacle::NotOptimized:
    return "it is compiled with -O0, or optnone: compile with -O3";
  case Obstacle::NotNoted:
    return "no launch of it was noted (" + optionFlag("profile") + ")";
  case Obstacle::NotSelected:
    return optionFlag("kernels") + " does not match this name";
  }
  return "";
}

std::string optionFlag(StringRef Name) {
  if (isPtxas(readInvocation()))
    return environmentVariable(Name);
  bool IsClang = isClang(readInvocation());
  return ((IsClang ? "-mllvm -regdem-" : "-regdem-") + Name).str();
}

std::string effortFlag() {
  return optionFlag(commandLineOptions().Budget ? "budget" : "effort");
}

std::string describeNoSelection(StringRef Pattern, unsigned NumKernels) {
  return formatv("{0}={1} matches no kernel of this file, which has {2}",
                 optionFlag("kernels"), Pattern, counted(NumKernels, "kernel"));
}

std::string describeMissingPtxas() {
  return formatv("ptxas was not found, so that builds cannot be compared and "
                 "kernels are left as they are, but for caps that are stated; "
                 "install it (NVIDIA's package cuda-nvcc, or nvidia-cuda-nvcc "
                 "of PyPI) or state {0}=off",
                 optionFlag("ptxas"));
}

std::string describeDeferredCode() {
  return "-foffload-lto leaves code generation to the linker, where RegDem is "
         "not: kernels are left as they are, and no cap that is stated holds; "
         "compile without it, or state " +
         optionFlag("mode") + "=off";
}

/// The part of the cap that Opts state which O does not keep to.
static std::string nameLostCap(const Outcome &O, const Options &Opts) {
  std::string Regs = formatv("{0} registers", Opts.MaxRegs),
              Blocks = counted(Opts.MinBlocks, "block") + " per SM";
  if (!Opts.MinBlocks)
    return Regs;
  return Opts.MaxRegs && O.What == Decision::Stock ? Regs + " and " + Blocks
                                                   : Blocks;
}

std::string describeCapLoss(const Outcome &O, const Options &Opts) {
  // A cap on ptxas's own command line holds whatever RegDem does.
  if (O.LosesCap && !Opts.CapIsPtxas)
    return formatv("'{0}' is not held to {1}: {2}", shownName(O.Facts.Name),
                   nameLostCap(O, Opts), describeObstacle(O, O.Because));
  bool IsStated = Opts.MaxRegs || Opts.MinBlocks;
  Obstacle Why = findSharedObstacle(O.Facts);
  if (!IsStated || O.Why != Reason::NoSharedMemory || Why == Obstacle::None)
    return "";
  const Build *Built = O.chosen();
  return formatv("'{0}' is held to {1} registers and spills {2}to local "
                 "memory; {3} was not tried: {4}",
                 shownName(O.Facts.Name), O.MaxRegs,
                 Built ? formatv("{0} bytes ", Built->spillBytes()).str() : "",
                 O.MayDemote ? "demotion" : "shared memory",
                 describeObstacle(O, Why));
}

static std::string describeStaying(StringRef Kernel, unsigned Bytes,
                                   StringRef Reason, StringRef Arch) {
  return formatv("'{0}': frame of {1} bytes a thread stays in local memory: "
                 "{2} ({3})",
                 shownName(Kernel), Bytes, Reason, Arch);
}

std::string describeStayingFrame(const Outcome &O) {
  return describeStaying(O.Facts.Name, O.Staying.Bytes, O.Staying.Reason,
                         O.Facts.ArchName);
}

std::string describeFrame(const FrameResult &Frame) {
  if (!Frame.Moved)
    return describeStaying(Frame.Kernel, Frame.FrameBytes, Frame.Reason,
                           Frame.Arch);
  std::string Text =
      formatv("'{0}': frame of {1} bytes a thread, {2} and {3}, ",
              shownName(Frame.Kernel), Frame.FrameBytes,
              counted(Frame.Loads, "load"), counted(Frame.Stores, "store"));
  if (Frame.MovedBytes != Frame.FrameBytes)
    Text += formatv("{0} of {1} bytes ", Frame.MovedBytes, Frame.FrameBytes);
  Text += "moved from local to shared memory, ";
  if (Frame.AtEnd)
    Text += formatv("to which launches add {0} bytes a thread", Frame.Stride);
  else
    Text +=
        formatv("{0} bytes a block", Frame.SharedAfter - Frame.SharedBefore);
  if (Frame.BlocksAfter != Frame.BlocksBefore)
    Text += formatv(", {0} instead of {1} per SM", Frame.BlocksAfter,
                    counted(Frame.BlocksBefore, "block"));
  return Text + " (" + Frame.Arch + ")";
}

} // namespace regdem
