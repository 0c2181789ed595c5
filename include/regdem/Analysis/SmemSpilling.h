//===- SmemSpilling.h - may ptxas spill to shared memory --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `.pragma "enable_smem_spilling"` lets ptxas spill to shared memory before it
// spills to local memory (PTX ISA, "Pragma Strings"). Where it does not apply,
// ptxas stops with an error, so it may only be used where it must apply.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_SMEMSPILLING_H
#define REGDEM_ANALYSIS_SMEMSPILLING_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// Whether PTX of this version (87 for 8.7) knows the pragma.
bool knowsSmemSpilling(unsigned PtxVersion);

struct KernelFacts;
struct Options;

/// The PTX ISA version, 88 for 8.8, that a target's feature string states; the
/// lowest of several; 0: none.
unsigned ptxVersion(llvm::StringRef Features);

/// Whether nothing in Kernel, with these Facts, nor in its module stands
/// against the pragma: the PTX is of version 8.7 or later (Features are those
/// of its target machine), there is no dynamic shared memory, and no debug
/// information that ptxas wants -g for. How ptxas will be run is not asked.
///
/// A kernel that calls functions has to be tried besides. ptxas 13.0 refuses
/// recursion and calls of what it does not compile for the kernel ("should not
/// be enabled when functions use abi"). It compiles functions anew for each
/// kernel, so that a trial with the kernel alone tells what becomes of it in a
/// module that calls no other code and has no function's address.
bool allowsSmemSpilling(const llvm::Function &Kernel, const KernelFacts &Facts,
                        const Options &O, llvm::StringRef Features);

} // namespace regdem

#endif // REGDEM_ANALYSIS_SMEMSPILLING_H
