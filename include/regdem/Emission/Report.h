//===- Report.h - remarks and the JSON Lines report -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_EMISSION_REPORT_H
#define REGDEM_EMISSION_REPORT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace llvm {
class Function;
class LLVMContext;
class MachineFunction;
class MachineOptimizationRemarkEmitter;
class Twine;
} // namespace llvm

namespace regdem {

struct Options;
struct Outcome;
enum class ProfileFault;
struct Variant;

/// A warning for the user, in one line.
void reportWarning(llvm::LLVMContext &Context, const llvm::Twine &Text);

/// An error for the user about kernel F that stops the compilation with one
/// line.
void reportError(const llvm::Function &F, llvm::Error E);

/// Emits the remarks of pass "regdem" for O: `passed` for what was done,
/// `missed` for what was not, `analysis` for the figures.
void emitRemarks(const llvm::MachineFunction &MF, const Outcome &O,
                 llvm::MachineOptimizationRemarkEmitter &Emitter);

/// Emits the `missed` remark of a kernel that is left alone before there is
/// machine code of it, and appends it to the report that Opts names.
void tellDeclined(const llvm::Function &Kernel, const Outcome &O,
                  const Options &Opts);

/// Emits the `missed` remark that Kernel's profile entry cannot be used.
void emitProfileFault(const llvm::Function &Kernel, ProfileFault Fault);

/// O as one report object; README names the fields and their units.
llvm::json::Object toJSON(const Outcome &O);

/// Appends O to the report that Opts names, if any, as one line. The line goes
/// out in a single append, so that compilations that run at the same time never
/// interleave. A file that cannot be written is an error of the compilation of
/// Kernel.
void appendReport(const llvm::Function &Kernel, const Outcome &O,
                  const Options &Opts);

/// The candidates that were tried, as text that survives in an attribute, and
/// back; text that is none gives an empty list.
std::string encodeVariants(llvm::ArrayRef<Variant> Variants);
std::vector<Variant> decodeVariants(llvm::StringRef Text);

} // namespace regdem

#endif // REGDEM_EMISSION_REPORT_H
