//===- Help.h - what --help says of RegDem's own --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// regdem-ptxas and regdem-nvcc take the options of ptxas and nvcc, whose help
// comes first, and have variables of their own.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_REGDEM_PTXAS_HELP_H
#define REGDEM_TOOLS_REGDEM_PTXAS_HELP_H

namespace regdem {

/// Lines on the variables that decide what becomes of kernels.
constexpr char HelpOnVariables[] = R"(
RegDem in place of ptxas
========================

REGDEM_MODE=auto|demote|off   what is predicted to be fastest (default), what a
                              cap asks for, or ptxas's own program
REGDEM_MAX_REGS=N             a cap: registers a thread
REGDEM_MIN_BLOCKS=N           a cap: blocks per SM to make room for
REGDEM_BUILD=RECIPE           one build for all kernels
REGDEM_BLOCK_SIZE=N           threads a block where a kernel states none
REGDEM_DYNAMIC_SMEM=BYTES     dynamic shared memory of a launch at most
REGDEM_KERNELS=REGEX          only kernels whose name has a match
REGDEM_PROFILE=FILE           launches that regdem-launches has noted
REGDEM_EFFORT=0..3            how much is tried
REGDEM_CACHE_DIR=DIR|off      where decisions are kept
REGDEM_REPORT=FILE            a JSON object for each kernel is added to it
REGDEM_REMARKS=1              a line for each kernel
REGDEM_PTXAS=PATH             the ptxas to run
)";

} // namespace regdem

#endif // REGDEM_TOOLS_REGDEM_PTXAS_HELP_H
