//===- Report.h - the JSON Lines report -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_EMISSION_REPORT_H
#define REGDEM_EMISSION_REPORT_H

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

struct Options;
struct Outcome;

/// Appends O to the report that Opts names, if any, as one line; docs/report.md
/// names the fields and their units. The line goes out in a single append, so
/// that compilations that run at the same time never interleave. A file that
/// cannot be written is an error of the compilation of Kernel.
void appendReport(const llvm::Function &Kernel, const Outcome &O,
                  const Options &Opts);

} // namespace regdem

#endif // REGDEM_EMISSION_REPORT_H
