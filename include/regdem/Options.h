//===- Options.h - what a user can ask of RegDem ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line and the source annotations as one plain struct. No option
// is read anywhere else, and nothing here decides.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_OPTIONS_H
#define REGDEM_OPTIONS_H

#include "regdem/Decision/Builds/Recipe.h"
#include "regdem/Toolchain/ToolLimits.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// Inclusive range of a number that users state.
struct NumberRange {
  unsigned Low, High;
};
/// ptxas takes no cap below 16 registers and no thread has more than 255; a
/// block has 1 to 1024 threads, an SM at most 32 blocks and 228 KB of shared
/// memory (CUDA C++ Programming Guide, "Compute Capabilities").
inline constexpr NumberRange MaxRegsRange{16, 255};
inline constexpr NumberRange MinBlocksRange{1, 32};
inline constexpr NumberRange BlockSizeRange{1, 1024};
inline constexpr NumberRange DynamicSmemRange{0, 233472};
inline constexpr NumberRange TargetRange{8, 512};
inline constexpr NumberRange EffortRange{0, 3};
inline constexpr unsigned DefaultEffort = 2;

enum class Mode {
  Auto,   ///< As Demote; without a stated cap, what is predicted to be fastest.
  Demote, ///< Reach a stated cap, by demotion where the kernel spills under it.
  Off     ///< Leave every kernel alone.
};

/// Whether RegDem may do what is right only if others play along.
enum class Permission {
  Auto, ///< Where they are known to.
  On,   ///< The user asserts that they do.
  Off   ///< Never.
};

/// What the launches of a build for one size have in common.
struct LaunchSize {
  unsigned Threads = 0; ///< Per block.
  /// Where launch tables name the build: bytes that its launches add for each
  /// thread.
  std::optional<unsigned> AddedBytes;
};
void setLaunchSize(llvm::Function &Build, LaunchSize Is);
void clearLaunchSize(llvm::Function &Build);
/// None on a function that is no such build.
std::optional<LaunchSize> launchSize(const llvm::Function &F);

/// Bytes of machine code that a file counts as having at least where builds may
/// add a share of it (Options::LaunchCode): small kernels may have builds of
/// many times their size, as where arrays in registers take loops apart. The
/// static CUDA runtime adds six times as much to each program.
inline constexpr unsigned LeastOwnCodeBytes = 131072;

struct Options {
  Mode RunMode = Mode::Auto;
  /// Registers a thread may have, 16 to 255; 0: not stated.
  unsigned MaxRegs = 0;
  /// MaxRegs is from ptxas's flags, and so holds whatever RegDem does.
  bool CapIsPtxas = false;
  /// Blocks per SM to make room for, 1 to 32; 0: not stated.
  unsigned MinBlocks = 0;
  /// Threads per block where the kernel states none, 1 to 1024; 0: not stated.
  unsigned BlockSize = 0;
  /// Whether BlockSize comes from the kernel's annotation, not from the
  /// command line.
  bool BlockSizeAnnotated = false;
  /// Whether the kernel is one that is launched with BlockSize threads only,
  /// or with so few less that they make as many warps (LaunchSize).
  bool BlockSizeOfLaunch = false;
  /// Whether the kernel has annotations for RegDem.
  bool IsAnnotated = false;
  /// Bytes of dynamic shared memory at launch; unset: not stated.
  std::optional<unsigned> DynamicSmem;
  /// How kernels are built, without a search; unset: not stated. Its cap has
  /// gone to MaxRegs and MinBlocks.
  std::optional<BuildRecipe> Stated;
  /// Regular expression that the kernel's name must match; empty: every one.
  std::string Kernels;
  /// Whether ptxas may be asked to spill to shared memory by itself, which
  /// takes that device code is assembled without -c and -g.
  Permission Pragma = Permission::Auto;
  /// Whether kernels that state no block size get builds for usual ones, among
  /// which the host code chooses at each launch. That takes that clang makes
  /// the whole program, host code included.
  Permission Launch = Permission::Auto;
  /// Machine code that these may add to a file, in percent of its own: room for
  /// one more of each kernel, whose builds are larger by some hundredths.
  unsigned LaunchCode = 110;
  /// Whether frames of local memory move to shared memory in the assembled
  /// program, where that is expected to be faster. Builds count on it where
  /// clang is known to make the whole program, host code included, or where the
  /// user asserts that it will be done.
  Permission Finish = Permission::Auto;
  /// Bytes of static shared memory that a block may have once its frames have
  /// moved; unset: as many as drivers are known to accept (acceptedShared()).
  std::optional<unsigned> SharedLimit;
  /// Let arrays in local memory become registers.
  bool Arrays = true;
  /// Let rewrites change which products are fused with sums.
  bool MayFuseOtherwise = false;
  /// "auto", "off" or the path of the assembler.
  std::string Ptxas = "auto";
  /// Further flags of the assembler: those of the user's that may refuse a
  /// build or bear on its figures (trialFlags()).
  std::vector<std::string> PtxasFlags;
  /// Of the assembler; Jobs holds for compilations of candidates and for
  /// predictions of their time, too.
  ToolLimits Limits;
  /// How much is tried, from nothing to all: see limitFor().
  unsigned Effort = DefaultEffort;
  /// Builds that may be tried for all kernels of a file; unset: as many as
  /// Effort says.
  std::optional<unsigned> Budget;
  /// File that gets the JSON Lines report; empty: none.
  std::string ReportFile;
  /// File that says where the time of decisions has gone; empty: none.
  std::string TimeTraceFile;
  /// File with measured decisions; empty: none.
  std::string ProfileFile;
  /// Folder of the decision cache, "auto" for the user's cache folder, "off".
  std::string Cache = "auto";
  /// Run the checker after each transformation.
  bool Verify = true;
};

/// The command line's options.
Options commandLineOptions();

/// The environment's name of option Name: REGDEM_MAX_REGS for "max-regs".
std::string environmentVariable(llvm::StringRef Name);

/// The options as the environment states them, for programs whose command line
/// is another's. An error names the variable that has another value than the
/// option takes.
llvm::Expected<Options> environmentOptions();

/// Whether Symbol, a kernel's, matches `kernels`; an error where that is no
/// regular expression.
llvm::Expected<bool> isSelected(llvm::StringRef Symbol,
                                const Options &CommandLine);

/// Whether F's name matches `kernels`; an error where that is no regular
/// expression.
llvm::Expected<bool> isSelected(const llvm::Function &F,
                                const Options &CommandLine);

/// The command line's options with F's own `annotate("regdem:key=value")`
/// attributes laid over them; an annotation that cannot be understood is an
/// error that names it. Mode Off where F does not match `kernels`, whatever its
/// annotations say.
llvm::Expected<Options> optionsFor(const llvm::Function &F,
                                   const Options &CommandLine);

} // namespace regdem

#endif // REGDEM_OPTIONS_H
