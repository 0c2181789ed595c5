//===- JumpTables.h - where jump tables are not safe ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas (seen in 12.9, 13.0 and 13.5 at -O2 and up) that has no register left
// where a kernel branches by a table saves a live one, or a pair, loads the
// target into it, and restores it right after the branch, where no path comes.
// What is branched to finds an address of code in the place of the value. Fuzz
// seed 8035494, sm_90, 40 registers:
//
//         STL.64 [R1+0x70], R6       the value that R6 and R7 hold
//         LDC R6, c[0x2][R12]        the target: 0x47a0 for the sixth case
//         BRX R6                     to L43, L174, L175 ...
//         LDL.LU.64 R6, [R1+0x70]
//     L43:
//
// A cap or a demotion that leaves spill code may bring that about; stock's
// build of seed 8067590, under its own launch bounds, has it too. Of 14 fuzz
// kernels that RegDem's build alone got wrong on GPUs, among 23,433 with values
// demoted, five have it (8031830, 8035494, 8067920, 8072341, 8100039), and
// these and four more are right without tables (8005285, 8023214, 8061690,
// 8066586), under each of five caps. So a build of RegDem's that spills has
// none.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_JUMPTABLES_H
#define REGDEM_LIB_BUILDER_JUMPTABLES_H

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace regdem {

class CandidateBuilder;
struct Objective;
struct Outcome;

/// Whether the build that S settles is RegDem's, spills, and branches by a
/// table. Builder has built it.
bool losesValuesByTable(const Outcome &S, const CandidateBuilder &Builder);

/// Has Kernel of M built without jump tables if it has any and, by the
/// estimate, does not keep to Goal: where no assembler says what is spilled.
void omitJumpTablesByEstimate(const llvm::Module &M, llvm::Function &Kernel,
                              const llvm::TargetMachine &TM,
                              const Objective &Goal);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_JUMPTABLES_H
