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

#include "regdem/Target/Promises.h"
#include "regdem/Toolchain/Disassembler.h"
#include "regdem/Toolchain/Ptxas.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace llvm::json {
class Object;
}

namespace regdem {

/// What became of one kernel's frame.
struct FrameResult {
  std::string Kernel;      ///< Mangled.
  std::string Arch;        ///< "sm_90"; for architecture-specific code too.
  unsigned Registers = 0;  ///< Of a thread.
  unsigned FrameBytes = 0; ///< Local memory of a thread, as ptxas laid it out.
  unsigned Loads = 0, Stores = 0; ///< Instructions that access it.
  unsigned Indexed = 0;    ///< Of these, with an address that is computed.
  unsigned Threads = 0;    ///< The most of a block; 0: not stated.
  unsigned Widest = 0;     ///< Bytes of the widest access, at least 4.
  uint64_t Stride = 0;     ///< Bytes from one thread's frame to the next.
  unsigned MovedBytes = 0; ///< Of the frame: less where only a part moves.
  /// Then, the accesses that stay: offsets in the section.
  std::vector<uint64_t> Staying;
  unsigned StayingLoadBytes = 0, StayingStoreBytes = 0; ///< That these move.
  /// Static bytes of a block, without what is reserved. AtEnd: SharedAfter is
  /// what its launches take, but for dynamic shared memory of their own.
  uint64_t SharedBefore = 0, SharedAfter = 0;
  uint64_t DynamicShared = 0; ///< Of a launch at most, as it was stated.
  /// That an SM holds with blocks of Threads threads; 0: not known.
  unsigned BlocksBefore = 0, BlocksAfter = 0;
  Promises Keep; ///< Of its kernel, with what its code and directives show.
  bool AtEnd = false; ///< Launches add Stride bytes for each thread.
  bool Moved = false;
  std::string Reason; ///< Why it was not moved; empty if it was.
};

struct FinishedProgram {
  std::string Cubin;               ///< The input, where nothing was moved.
  std::vector<FrameResult> Frames; ///< Of the kernels that have one.
  bool ToolFailed = false;         ///< Another run may move more.
};

/// How a kernel's frame moves, as it was decided before.
struct FrameOrder {
  enum Form : uint8_t {
    Stays, ///< In local memory.
    Whole, ///< To static shared memory.
    Part,  ///< The places that are accessed most, there.
    AtEnd  ///< Whole, to the end of dynamic shared memory, for which launches
           ///< add Stride bytes for each thread.
  };
  Form How = Stays;
  unsigned Threads = 0; ///< Of a block at most, AtEnd.
  /// Bytes from one thread's frame to the next. Of a program in which they are
  /// others the frame stays. 0: as many as it takes, and whether it moves at
  /// all is yet to be decided.
  uint64_t Stride = 0;
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

/// The kernels of Cubin (mangled) that have a frame in local memory. An error
/// where it cannot be read.
llvm::Expected<std::vector<std::string>>
kernelsWithFrames(llvm::StringRef Cubin);

/// The figures of Cubin's kernels, by their mangled names. An error where it
/// cannot be read.
llvm::Expected<std::map<std::string, KernelFigures>>
figuresOfKernels(llvm::StringRef Cubin);

/// The ways in which the frame of kernel Name (mangled), which is Code in
/// Cubin, can move and keep what Settings promise, as far as can be told
/// without running a tool: the whole frame, where it fits, and where it takes
/// blocks from an SM or does not fit, parts of it that leave more of them. An
/// error says what keeps it. Moved stays false.
llvm::Expected<std::vector<FrameResult>>
waysToMove(llvm::StringRef Cubin, llvm::StringRef Name, const SassKernel &Code,
           const FinishSettings &Settings);

/// Moves the frames of Cubin's kernels. A frame that cannot be moved, or with
/// which the finished program would break a promise, stays, with its reason; an
/// error means that Cubin cannot be read at all.
llvm::Expected<FinishedProgram> finishProgram(llvm::StringRef Cubin,
                                              const Ptxas &Assembler,
                                              const Disassembler &Reader,
                                              const FinishSettings &Settings);

llvm::json::Object toJSON(const FrameResult &Frame);

} // namespace regdem

#endif // REGDEM_FINISH_FINISHER_H
