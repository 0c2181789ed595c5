//===- Explanation.h - the table of --explain -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures behind a decision as one table. It asks the analyses and the
// planner, changes nothing and decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_EXPLANATION_H
#define REGDEM_TOOLS_EXPLANATION_H

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace regdem {

struct InspectedKernel;

/// What a kernel is, what demotion could reach, what RegDem does and why; no
/// line is longer than 100 columns.
void explain(llvm::raw_ostream &OS, const InspectedKernel &K);

} // namespace regdem

#endif // REGDEM_TOOLS_EXPLANATION_H
