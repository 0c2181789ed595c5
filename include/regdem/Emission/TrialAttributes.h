//===- TrialAttributes.h - decisions carried by attributes ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What trying variants has settled is written on the kernel as attributes, so
// that the machine pass, which runs later, can be rerun from IR or MIR text.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_EMISSION_TRIALATTRIBUTES_H
#define REGDEM_EMISSION_TRIALATTRIBUTES_H

#include "regdem/Decision/Omission.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

struct Outcome;
struct Settled;
struct Variant;

/// Writes S on Kernel: "regdem-target" always, the rest in attributes of the
/// fields' names, "regdem-choice" where the cap was free to choose.
void writeSettled(llvm::Function &Kernel, const Settled &S);

/// What writeSettled wrote; none where the kernel has no "regdem-target".
std::optional<Settled> readSettled(const llvm::Function &Kernel);

/// The part of it that says which passes are left out for Kernel, which may be
/// settled ahead of the rest.
void writeOmission(llvm::Function &Kernel, Omission Without);
Omission readOmission(const llvm::Function &Kernel);

/// The hash of Kernel's code before code generation; empty where none was
/// written.
void writeHash(llvm::Function &Kernel, llvm::StringRef Hash);
llvm::StringRef readHash(const llvm::Function &Kernel);

/// Marks Kernel as a candidate that is built only to be looked at: no remark
/// and no report speaks of it.
void markTrial(llvm::Function &Kernel);

/// Leaves on a trial's kernel what the machine pass found that no figure of
/// the assembler shows, and adds it to V once code generation is over.
void writeTrialResult(llvm::Function &Kernel, const Outcome &O);
void readTrialResult(const llvm::Function &Kernel, Variant &V);
bool isTrial(const llvm::Function &Kernel);

/// Leaves on a trial's kernel what it looks like ahead of Pass, a single one,
/// and behind it whether that has changed; Looks is any number that is the same
/// for the same code. noteChange() leaves at once that Pass, or what stands in
/// its place where it is left out, has something to change. readIdlePasses()
/// gives those that changed nothing that was noted.
void noteAhead(llvm::Function &Kernel, Omission Pass, uint64_t Looks);
bool isNotedAhead(const llvm::Function &Kernel, Omission Pass);
void noteBehind(llvm::Function &Kernel, Omission Pass, uint64_t Looks);
void noteChange(llvm::Function &Kernel, Omission Pass);
Omission readIdlePasses(const llvm::Function &Kernel);

/// Leaves on a trial's kernel that hasDistantProduct() was found to hold.
void markDistantProduct(llvm::Function &Kernel);
bool isMarkedDistantProduct(const llvm::Function &Kernel);

} // namespace regdem

#endif // REGDEM_EMISSION_TRIALATTRIBUTES_H
