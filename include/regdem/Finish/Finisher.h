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
  bool AtEnd = false;         ///< Launches add Stride bytes for each thread.
  bool Moved = false;
  std::string Reason; ///< Why it was not moved; empty if it was.
};

struct FinishedProgram {
  std::string Cubin;               ///< The input, where nothing was moved.
  std::vector<FrameResult> Frames; ///< Of the kernels that have one.
  bool ToolFailed = false;         ///< Another run may move more.
};

/// The launches of a kernel that have room for its frames at the end of their
/// dynamic shared memory.
struct FrameRoom {
  unsigned Threads = 0; ///< The most of a block.
  /// Bytes for each, which launches add: the frame is to move. 0: as many as it
  /// takes.
  uint64_t Stride = 0;
};

struct FinishSettings {
  /// Bytes of static shared memory that a block may have; none: as many as
  /// drivers are known to accept.
  std::optional<uint64_t> SharedLimit;
  /// Bytes of dynamic shared memory that launches of kernels that use any have
  /// at most; none: not known, so that such kernels are left alone.
  std::optional<uint64_t> DynamicShared;
  /// Of each frame no more is moved than takes so many bytes a thread, the
  /// places that are accessed most; none: all or nothing.
  std::optional<uint64_t> PartBytes;
  /// By kernel (mangled).
  std::map<std::string, FrameRoom> AtEnd;
  /// Asked for each kernel whose frame can be moved but does not have to be,
  /// with its code as it is: which of these ways to take (waysToMove), or why
  /// to leave it. Where nobody is asked all frames are moved, whole.
  llvm::function_ref<llvm::Expected<size_t>(llvm::ArrayRef<FrameResult> Ways,
                                            const SassKernel &)>
      Choose;
  ToolLimits Limits;
};

/// The kernels of Cubin (mangled) that have a frame in local memory. An error
/// where it cannot be read.
llvm::Expected<std::vector<std::string>>
kernelsWithFrames(llvm::StringRef Cubin);

/// The ways in which the frame of kernel Name (mangled), which is Code in
/// Cubin, can move, as far as can be told without running a tool: the whole
/// frame, where it fits, and where it takes blocks from an SM or does not fit,
/// parts of it that leave more of them. An error says what keeps it. Moved
/// stays false. DynamicShared: as in FinishSettings. Room: what its launches
/// have at the end, if they have; then frames move whole.
llvm::Expected<std::vector<FrameResult>>
waysToMove(llvm::StringRef Cubin, llvm::StringRef Name, const SassKernel &Code,
           std::optional<uint64_t> DynamicShared,
           const FrameRoom *Room = nullptr);

/// Moves the frames of Cubin's kernels. A frame that cannot be moved stays,
/// with its reason; an error means that Cubin cannot be read at all.
llvm::Expected<FinishedProgram> finishProgram(llvm::StringRef Cubin,
                                              const Ptxas &Assembler,
                                              const Disassembler &Reader,
                                              const FinishSettings &Settings);

llvm::json::Object toJSON(const FrameResult &Frame);

/// Undoes toJSON(); what O lacks is as in FrameResult().
FrameResult frameFromJSON(const llvm::json::Object &O);

} // namespace regdem

#endif // REGDEM_FINISH_FINISHER_H
