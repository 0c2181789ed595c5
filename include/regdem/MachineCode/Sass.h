//===- Sass.h - the machine code of a kernel --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ptxas made of a kernel: instructions with the scheduling information
// that ptxas wrote into them, as a control-flow graph with loops and a static
// estimate of how often each block runs. Nothing here judges the code.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_SASS_H
#define REGDEM_MACHINECODE_SASS_H

#include "regdem/MachineCode/SassInstruction.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace regdem {

struct SassListing;

/// Straight-line code: control enters at the first instruction only and leaves
/// after the last one, but for predicated EXITs and for calls, which return.
struct SassBlock {
  std::vector<SassInstruction> Instructions; ///< Never empty.
  /// Indices of blocks of the same function, without repeats: the targets of
  /// the branch, and the block after it where it falls through.
  llvm::SmallVector<unsigned, 2> Successors;
  /// Index of the function called by the last instruction; none: no call, or
  /// one whose target the code does not show.
  std::optional<unsigned> Callee;
  unsigned Function = 0;  ///< Index in SassKernel::Functions.
  unsigned LoopDepth = 0; ///< Loops around it within its function.
  /// Innermost loop around it, index in SassKernel::Loops.
  std::optional<unsigned> Loop;
  /// On the way for unusual arguments of sin, cos or tan only.
  bool IsSlowPath = false;
  /// Integers that must be found equal on any way to it.
  unsigned Equalities = 0;
  /// Estimated executions for one run of its function: the product of the trips
  /// of the loops around it, a 16th of that on a slow path. At most 1e15.
  double Frequency = 0;
};

/// A strongly connected part of a function; Header is where it is entered.
struct SassLoop {
  unsigned Header = 0;            ///< Block index.
  std::optional<unsigned> Parent; ///< Innermost loop around it.
  unsigned Depth = 1;             ///< 1: outermost.
  double Trips = 0;        ///< Executions of the header per entry of the loop.
  bool TripsKnown = false; ///< From constants in the code, not assumed.
  /// What an iteration adds to or takes from the only register that changes of
  /// those that end the loop; 0: it does something else.
  unsigned CountsBy = 0;
};

/// The kernel itself or a function that it calls.
struct SassFunction {
  std::string Name;   ///< Mangled.
  unsigned Entry = 0; ///< Block index.
};

struct SassKernel {
  std::string Name; ///< Mangled.
  /// Blocks that can be reached from the kernel's entry. Blocks of a function
  /// stand together, in order of address.
  std::vector<SassBlock> Blocks;
  std::vector<SassFunction> Functions; ///< The kernel is the first.
  std::vector<SassLoop> Loops;         ///< A loop stands after its parent.
  /// A call goes to code that the text does not hold (indirect, or left to the
  /// linker), so that the kernel runs more than is listed.
  bool HasUnknownCallees = false;
};

/// The kernel Name (mangled; empty: the only one) of Cubin, an ELF image as
/// ptxas writes it. An error, of one line, where it has none or where its code
/// cannot be read (decodeListing()).
llvm::Expected<SassKernel> decodeKernel(llvm::StringRef Cubin,
                                        llvm::StringRef Name = "");

/// The kernel Name of each of Cubins, in their order.
llvm::Expected<std::vector<SassKernel>>
decodeKernels(llvm::ArrayRef<llvm::StringRef> Cubins,
              llvm::StringRef Name = "");

/// The kernel Name (empty: the only one) in L. A branch whose targets are not
/// shown is an error. SlowPathTables: where the addresses of tables stand that
/// only slow paths read, which L does not tell (slowPathTables() in RawCode.h).
llvm::Expected<SassKernel>
readKernel(const SassListing &L, llvm::StringRef Name,
           llvm::ArrayRef<uint64_t> SlowPathTables = {});

/// Has K's instructions say which lines of the source they come from, as the
/// line table of Cubin says, whose kernel K is. False where it has none, or not
/// one that is about all of K's code.
bool readSourceLines(llvm::StringRef Cubin, SassKernel &K);

} // namespace regdem

#endif // REGDEM_MACHINECODE_SASS_H
