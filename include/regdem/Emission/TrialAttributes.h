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

#include <optional>

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

struct Settled;

/// Writes S on Kernel: "regdem-target" and "regdem-variants".
void writeSettled(llvm::Function &Kernel, const Settled &S);

/// What writeSettled wrote; none where the kernel has no "regdem-target".
std::optional<Settled> readSettled(const llvm::Function &Kernel);

/// Marks Kernel as a candidate that is built only to be looked at: no remark
/// and no report speaks of it.
void markTrial(llvm::Function &Kernel);
bool isTrial(const llvm::Function &Kernel);

} // namespace regdem

#endif // REGDEM_EMISSION_TRIALATTRIBUTES_H
