//===- CommandLine.h - what regdem-opt is asked to do -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tool's options and its manual, as one plain struct. RegDem's own options
// are read in lib only. Nothing here touches input or output.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_COMMANDLINE_H
#define REGDEM_TOOLS_COMMANDLINE_H

#include "llvm/Support/CodeGen.h"
#include <optional>
#include <string>
#include <vector>

namespace regdem {

enum class Artifact {
  PTX,     ///< What ptxas reads.
  MIR,     ///< Machine code at RegDem's place in the pipeline.
  Print,   ///< The analyses in Request::Analyses.
  Explain, ///< One table per kernel.
  Sass     ///< The table of a kernel's machine code.
};

enum class Analysis { Arrays, Facts, Pressure, Candidates, Plan, Spills };

struct Request {
  std::string Input = "-";  ///< "-": standard input.
  std::string Output = "-"; ///< "-": standard output.
  Artifact What = Artifact::PTX;
  std::string Kernel;      ///< Of Sass; empty: the only one.
  bool StopBefore = false; ///< MIR ahead of RegDem's step, else after it.
  std::vector<Analysis> Analyses;
  llvm::CodeGenOptLevel Level = llvm::CodeGenOptLevel::Aggressive;
  std::string CPU;      ///< Empty: what the kernels state.
  std::string Features; ///< Goes with CPU.
  std::string Triple;   ///< Empty: what the input states.
};

/// Reads the command line. `--help` and `--version` end the program with exit
/// code 0. Wrong usage gives one line on stderr and no result.
std::optional<Request> parseCommandLine(int Argc, char **Argv);

} // namespace regdem

#endif // REGDEM_TOOLS_COMMANDLINE_H
