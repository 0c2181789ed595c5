//===- ProgramRecord.h - what was decided, for those who finish -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device compilation decides; ptxas runs after it, and what is done to
// ptxas's result (frames moved, builds chosen at launch) after that. The record
// carries each decision to there, as a variable with JSON text in the device
// code:
//
//   {"version":4, "arch":"sm_90", "kernels":[
//     {"kernel":"_Z4stepPf", "recipe":"cap=40 frame=part:108",
//      "frame":"part", "stride":108, "threads":256, …, "launches":[…]}]}
//
// Host code's compilation, regdem-finish and regdem-ptxas carry it out and
// decide nothing: a kernel that it does not name stays as ptxas made it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_PROGRAMRECORD_H
#define REGDEM_DECISION_BUILDS_PROGRAMRECORD_H

#include "regdem/Decision/Builds/FrameOrder.h"
#include "regdem/Decision/Builds/LaunchTable.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace regdem {

struct Build;

/// What was decided for one kernel, or for one build of a kernel.
struct KernelRecord {
  std::string Kernel; ///< As the linker sees it.
  std::string Recipe; ///< How it is built, to be read by people (toText).
  FrameOrder Frame;
  Promises Keep;
  KernelFigures Expected;      ///< Of the program once its frame has moved.
  std::vector<LaunchRow> Rows; ///< Launches that take builds of the kernel.
};

/// What was decided for one program for one architecture.
struct ProgramRecord {
  std::string ArchName; ///< As ptxas takes it: "sm_90a".
  std::vector<KernelRecord> Kernels;
  /// What names of builds end in, so that no other file's are the same; empty
  /// where other files' code does not matter.
  std::string Tag;

  /// The record of Kernel; null where there is none.
  const KernelRecord *find(llvm::StringRef Kernel) const;
};

/// The variable of device code that holds the record.
inline constexpr const char *RecordName = "__regdem_record";

/// The variable's text.
std::string toText(const ProgramRecord &Record);
/// Undoes toText(). An error names what is wrong with other text.
llvm::Expected<ProgramRecord> parseRecord(llvm::StringRef Text);

/// The record in Cubin; none where it has none. An error where it cannot be
/// read.
llvm::Expected<std::optional<ProgramRecord>> readRecord(llvm::StringRef Cubin);

/// Adds the variable with Record to M. IsLinked: M's code is to be linked to
/// other files', with records of their own; the name then ends in "$DIGEST".
void addRecord(llvm::Module &M, const ProgramRecord &Record,
               bool IsLinked = false);

/// How the frame of V, a build for blocks of Threads threads at most, moves.
FrameOrder frameOf(const Build &V, unsigned Threads);

/// The figures of V, which is rated for blocks of Threads threads.
KernelFigures figuresOf(const Build &V, unsigned Threads);

/// Whether Now, in the place of Before, keeps P.
bool keepsPromises(const Build &Now, const Build &Before, const Promises &P,
                   const SMLimits &SM);

/// Removes the rows of builds that are not in the finished program, whose
/// kernels have Figures, or not what was expected.
void dropUnfit(ProgramRecord &Record,
               const std::map<std::string, KernelFigures> &Figures);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_PROGRAMRECORD_H
