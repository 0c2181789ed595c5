//===- ProfileUse.h - settle kernels by a profile ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_PROFILEUSE_H
#define REGDEM_LIB_BUILDER_PROFILEUSE_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace regdem {

struct Options;

/// Writes on each kernel of M the hash of its code, where a report or a profile
/// needs it, and what -regdem-build or the profile's entry for it settles. Of a
/// profile, a kernel is left to
/// the normal decision if it has no entry, if its code has changed (with a
/// remark), if RegDem declines it, or if a condition of the build does not
/// hold (with a remark): that an assembler confirms that functions which it
/// calls bear the cap, or that ptxas takes the pragma. A profile that cannot be
/// read is a warning.
void applyStatedBuilds(llvm::Module &M, llvm::TargetMachine &TM,
                       const Options &CommandLine);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_PROFILEUSE_H
