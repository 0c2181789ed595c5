//===- Messages.h - decisions in words --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every sentence that users read about a kernel is made here; remarks, report
// and tables share them. They have demangled names. Files that tools read back
// (reports, profiles, tables of launches) have the names of the linker.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_EMISSION_MESSAGES_H
#define REGDEM_EMISSION_MESSAGES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace regdem {

struct FrameResult;
struct Options;
struct Outcome;
enum class Obstacle;
struct Build;

/// Symbol as its source has it: "step(int*)" for "_Z4stepPi"; a build for
/// launches keeps its mark ("step(int*)$regdem1").
std::string shownName(llvm::StringRef Symbol);

/// "1 block", "2 blocks".
std::string counted(unsigned Number, llvm::StringRef Noun);

/// What Why means for the kernel of O, and what the user can state against it,
/// as one clause; empty for no obstacle.
std::string describeObstacle(const Outcome &O, Obstacle Why);

/// One short clause: why the kernel is built as it is.
std::string describeReason(const Outcome &O);

/// One sentence: what was done, with the figures that matter.
std::string describeDecision(const Outcome &O);

/// One line: what V, one of O's builds, is and what is known of it.
std::string describeBuild(const Outcome &O, const Build &V);

/// One sentence: pressure, limiter and occupancy of the kernel.
std::string describeFigures(const Outcome &O);

/// One sentence: what the kernel's launch bounds cost. O must have a build
/// without them.
std::string describeUnbounded(const Outcome &O);

/// One sentence: what keeps a kernel from what the cap that Opts state is for,
/// and what to do; empty where nothing does.
std::string describeCapLoss(const Outcome &O, const Options &Opts);

/// One sentence: Pattern, the option `kernels`, selects none of NumKernels.
std::string describeNoSelection(llvm::StringRef Pattern, unsigned NumKernels);

/// One sentence: there is no such program, and what to do.
std::string describeMissingPtxas();

/// One sentence: the linker is to generate the device code.
std::string describeDeferredCode();

/// RegDem's option Name ("block-size") as the program that runs takes it.
std::string optionFlag(llvm::StringRef Name);

/// The option that says how many builds may be made: `budget` where it is
/// stated, or else `effort`.
std::string effortFlag();

/// One sentence: why the frame of what O builds stays in local memory. It must
/// have one.
std::string describeStayingFrame(const Outcome &O);

/// What became of a frame: "'k': frame of 40 bytes a thread moved to …".
std::string describeFrame(const FrameResult &Frame);

} // namespace regdem

#endif // REGDEM_EMISSION_MESSAGES_H
