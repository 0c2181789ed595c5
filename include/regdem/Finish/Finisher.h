//===- Finisher.h - frames moved to shared memory ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last step, after ptxas: what a kernel keeps in local memory (spilled
// registers, arrays, frames of functions that it calls) is moved to shared
// memory in the assembled program. Registers, instructions and their order stay
// as they are; loads and stores get another opcode, and the stack pointer
// another start:
//
//   before                              after
//   LDC R1, c[0x0][0x28]                BRA set-up       R1 = region +
//   IADD3 R1, R1, -0xd0, RZ             IADD3 R1, ...         (t + 1) * F
//   STL.64 [R1+0x8], R2                 STS.64 [R1+0x8], R2
//   LDL R5, [R1+0xc8]                   LDS R5, [R1+0xc8]
//
// F is the frame, padded to an odd number of the widest accesses, so that
// threads' frames stand one after the other and the words that a warp accesses
// at once lie in different banks. t is the linear index of the thread. The
// region begins after the block's static and dynamic shared memory.
//
// A kernel whose launches add the room for that to their dynamic shared memory
// needs no limit of its threads: R1 = the end of shared memory - t * F.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_FINISH_FINISHER_H
#define REGDEM_FINISH_FINISHER_H

#include "regdem/Decision/Builds/FrameOrder.h"
#include "regdem/Finish/Checker/FrameChecker.h"
#include "regdem/MachineCode/Sass.h"
#include "regdem/Toolchain/Ptxas.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace regdem {

struct ProgramRecord;

struct FinishedProgram {
  std::string Cubin;               ///< The input, where nothing was moved.
  std::vector<FrameResult> Frames; ///< Of the kernels that have one.
};

/// Decides for a kernel whose frame can move in Ways, and whose code is as it
/// was: the one to take, or why the frame stays.
using ChooseWay = llvm::function_ref<llvm::Expected<size_t>(
    llvm::ArrayRef<FrameResult> Ways, const SassKernel &)>;

/// What is promised of a program's kernels, by their mangled names.
struct ProgramPromises {
  std::map<std::string, Promises> Named;
  Promises Others; ///< Of all that Named does not have.

  const Promises &of(llvm::StringRef Kernel) const {
    auto Found = Named.find(Kernel.str());
    return Found == Named.end() ? Others : Found->second;
  }
};

struct FinishSettings {
  ProgramPromises Promised;
  /// Bytes of static shared memory that a block may have; none: as many as
  /// drivers are known to accept.
  std::optional<uint64_t> SharedLimit;
  /// Of each frame no more is moved than takes so many bytes a thread, the
  /// places that are accessed most; none: all or nothing.
  std::optional<uint64_t> PartBytes;
  /// By kernel (mangled).
  std::map<std::string, FrameOrder> Orders;
  /// Frames of kernels without an order stay.
  bool OnlyOrders = false;
  /// Asked for each kernel whose frame can be moved and that has no order.
  /// Where nobody is asked all frames are moved, whole.
  ChooseWay Choose;
  ToolLimits Limits;
};

/// Settings that carry Record out.
FinishSettings settingsFor(const ProgramRecord &Record);

/// The figures of Cubin's kernels, by their mangled names; of one that is to be
/// linked yet without what callees take. An error where it cannot be read.
llvm::Expected<std::map<std::string, KernelFigures>>
figuresOfKernels(llvm::StringRef Cubin);

/// The way that the frame of kernel Name (mangled), which is Code in Cubin,
/// takes, as far as can be told without running a tool: of those that keep what
/// Settings promise, the one that Settings.Choose takes. They are the whole
/// frame, where it fits, and where it takes blocks from an SM or does not fit,
/// parts of it that leave more of them. An error says why the frame stays.
/// Moved stays false.
llvm::Expected<FrameResult> chosenWay(llvm::StringRef Cubin,
                                      llvm::StringRef Name,
                                      const SassKernel &Code,
                                      const FinishSettings &Settings);

/// Moves the frames of Cubin's kernels. A frame that cannot be moved, or with
/// which the finished program would break a promise, stays, with its reason; an
/// error means that Cubin cannot be read at all. List: what the checker goes
/// by; null: what is decoded.
llvm::Expected<FinishedProgram> finishProgram(llvm::StringRef Cubin,
                                              const Ptxas &Assembler,
                                              const FinishSettings &Settings,
                                              CodeListing List = nullptr);

} // namespace regdem

#endif // REGDEM_FINISH_FINISHER_H
