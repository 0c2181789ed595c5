//===- SettledAttributes.h - decisions carried by attributes ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What trying builds has settled is written on the kernel as attributes, so
// that the machine pass, which runs later, can be rerun from IR or MIR text.
// They and the report have builds as JSON.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ATTRIBUTES_SETTLEDATTRIBUTES_H
#define REGDEM_ATTRIBUTES_SETTLEDATTRIBUTES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

class JSONFields;
struct Outcome;
struct Build;

/// Writes S on Kernel, as JSON in "regdem-settled"; of a field that it lacks
/// readSettled() makes what Outcome() has.
void writeSettled(llvm::Function &Kernel, const Outcome &S);

/// What writeSettled wrote; none where the kernel has no "regdem-settled".
std::optional<Outcome> readSettled(const llvm::Function &Kernel);

/// S as that text, for the cache where there is no IR.
std::string encodeOutcome(const Outcome &S);
/// Undoes encodeOutcome(), and says that it is from the cache; none for text
/// that it would not make.
std::optional<Outcome> decodeOutcome(llvm::StringRef Text);

/// The hash of Kernel's code before code generation; empty where none was
/// written.
void writeHash(llvm::Function &Kernel, llvm::StringRef Hash);
llvm::StringRef readHash(const llvm::Function &Kernel);

/// All that RegDem has written on Kernel, but its hash, as one JSON text.
std::string encodeDecision(const llvm::Function &Kernel);

/// Writes on Kernel what encodeDecision() made of the same code, and that it is
/// from the cache; false, with Kernel as it was, for text that it would not
/// make, whatever that is: Kernel bears nothing then that later stages could
/// not work with.
bool decodeDecision(llvm::Function &Kernel, llvm::StringRef Text);

/// How attributes and the cache have V.
void fields(JSONFields &J, Build &V);
/// The same and more, for the report and for attributes.
llvm::json::Object toJSON(const Build &V, bool IsChosen);

} // namespace regdem

#endif // REGDEM_ATTRIBUTES_SETTLEDATTRIBUTES_H
