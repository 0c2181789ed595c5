//===- Ptxas.h - run the assembler and read its figures ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The assembler is run without a shell, on memory files, so that there is
// nothing on disk to share, to leak or to clean up, however the compiler ends.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLCHAIN_PTXAS_H
#define REGDEM_TOOLCHAIN_PTXAS_H

#include "regdem/Toolchain/ToolLimits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace regdem {

/// What `ptxas -v` says of a program with one kernel.
struct PtxasFigures {
  unsigned Regs = 0; ///< Registers per thread.
  /// Static bytes of local memory per thread, over the kernel and the device
  /// functions that it calls.
  unsigned SpillStoreBytes = 0, SpillLoadBytes = 0;
  /// Local memory of a thread in bytes, arrays of the source included.
  unsigned FrameBytes = 0;
  unsigned StaticShared = 0; ///< Bytes per block.
  std::string Cubin;         ///< The program, where Job::KeepCubin asks for it.
};

/// Figures in the text that `ptxas -v` prints; none where it has none.
std::optional<PtxasFigures> parsePtxasFigures(llvm::StringRef Text);

class Ptxas {
public:
  /// The assembler that a setting of -regdem-ptxas names: for "auto" the one
  /// where clang looks for CUDA (see README), if there is one, for "off" none,
  /// else the executable file with this path. Only a path can be an error.
  static llvm::Expected<std::optional<Ptxas>> choose(llvm::StringRef Setting);

  struct Job {
    std::string PTX;
    bool Relocatable = false; ///< Leaves external symbols to the linker.
    bool KeepCubin = false;   ///< Returns the program with the figures.
    bool LineTable = false;   ///< The program has the lines that PTX states.
  };

  /// Assembles every job for Arch ("sm_90a"); results are in the order of Jobs.
  /// One job that takes longer than Limits allow, or that ptxas rejects, is an
  /// error, after which no other is begun. Equal jobs are done once, by
  /// whichever copy of this assembler and thread they are asked for.
  llvm::Expected<std::vector<PtxasFigures>>
  assemble(llvm::ArrayRef<Job> Jobs, llvm::StringRef Arch,
           const ToolLimits &Limits) const;

  llvm::StringRef path() const { return Path; }

private:
  struct DoneJobs;
  explicit Ptxas(std::string Path);
  llvm::Expected<std::vector<PtxasFigures>> run(llvm::ArrayRef<Job> Jobs,
                                                llvm::StringRef Arch,
                                                const ToolLimits &Limits) const;
  std::string Path;
  std::shared_ptr<DoneJobs> Done;
};

} // namespace regdem

#endif // REGDEM_TOOLCHAIN_PTXAS_H
