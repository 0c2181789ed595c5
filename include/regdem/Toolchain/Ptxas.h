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

#include "regdem/Toolchain/Parallel.h"
#include "regdem/Toolchain/ToolLimits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace regdem {

/// What regdem-ptxas's file has near its beginning, in a note of ELF. It may
/// stand wherever ptxas is looked for: as a link, a copy, or called by a
/// script. It must not be taken for ptxas, by itself least of all.
inline constexpr char StandInMark[] = "regdem-ptxas in ptxas's place";

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
  /// Why ptxas refuses the program: what it "ended with", or words that say
  /// what to do; empty: it does not. The figures are those that it prints
  /// nevertheless, as where warnings are errors.
  std::string Refusal;
};

/// Whether Refusal is that of a cap because of a function that is called.
bool blamesCallee(llvm::StringRef Refusal);

/// Figures in the text that `ptxas -v` prints; none where it has none.
std::optional<PtxasFigures> parsePtxasFigures(llvm::StringRef Text);

class Ptxas {
public:
  /// The assembler that a setting of -regdem-ptxas names: for "auto" the one
  /// that clang takes (see README), if there is one, for "off" none, else the
  /// executable file with this path. Only a path can be an error.
  static llvm::Expected<std::optional<Ptxas>> choose(llvm::StringRef Setting);

  /// The assembler that this process, regdem-ptxas, stands for, which Command
  /// would start unless that is empty. Only what $REGDEM_PTXAS names can be an
  /// error.
  static llvm::Expected<std::optional<Ptxas>>
  chooseStoodFor(llvm::StringRef Command);

  struct Job {
    std::string PTX;
    bool Relocatable = false; ///< Leaves external symbols to the linker.
    bool KeepCubin = false;   ///< Returns the program with the figures.
    bool LineTable = false;   ///< The program has the lines that PTX states.
    /// Further ones, as trialFlags(). Most jobs state none.
    std::vector<std::string> Flags = {}; // NOLINT(*-redundant-member-init)
  };

  /// Assembles every job for Arch ("sm_90a"); results are in the order of Jobs.
  /// One job at which ptxas crashes or takes longer than Limits allow is an
  /// error, after which no other is begun; one that it refuses has a Refusal.
  /// Equal jobs are done once and end alike, by whichever copy of this
  /// assembler and thread they are asked for.
  llvm::Expected<std::vector<PtxasFigures>>
  attempt(llvm::ArrayRef<Job> Jobs, llvm::StringRef Arch,
          const ToolLimits &Limits) const;

  /// The same; one that ptxas refuses is an error.
  llvm::Expected<std::vector<PtxasFigures>>
  assemble(llvm::ArrayRef<Job> Jobs, llvm::StringRef Arch,
           const ToolLimits &Limits) const;

  /// What Refusal says, with the assembler's path where it bears its words.
  std::string describe(llvm::StringRef Refusal) const;

  llvm::StringRef path() const { return Path; }

private:
  using DoneJobs = MadeOnce<std::string, PtxasFigures>;
  explicit Ptxas(std::string Path)
      : Path(std::move(Path)), Done(std::make_shared<DoneJobs>()) {}
  static llvm::Expected<std::optional<Ptxas>>
  at(llvm::Expected<std::optional<std::string>> Path);
  llvm::Expected<PtxasFigures> run(const Job &J, llvm::StringRef Arch,
                                   const ToolLimits &Limits) const;
  std::string Path;
  std::shared_ptr<DoneJobs> Done;
};

/// The assembler that Setting names; the error Missing where there is none.
llvm::Expected<Ptxas> needPtxas(llvm::StringRef Setting,
                                llvm::StringRef Missing);

} // namespace regdem

#endif // REGDEM_TOOLCHAIN_PTXAS_H
