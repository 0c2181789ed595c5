//===- Remarks.h - what users are told while they compile -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_EMISSION_REMARKS_H
#define REGDEM_EMISSION_REMARKS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Function;
class LLVMContext;
class MachineFunction;
class MachineOptimizationRemarkEmitter;
class Twine;
} // namespace llvm

namespace regdem {

struct FrameResult;
struct Options;
struct Outcome;

/// Appends O, and what has become of Arrays, to the report that Opts names, if
/// any, as one line; docs/report.md
/// names the fields and their units. The line goes out in a single append, so
/// that compilations that run at the same time never interleave. A file that
/// cannot be written is an error of the compilation of Kernel.
void appendReport(const llvm::Function &Kernel, const Outcome &O,
                  const Options &Opts, llvm::json::Array Arrays = {});

/// The same for a kernel of Source, of which there is no IR; an error where the
/// file cannot be written.
llvm::Error appendReport(const Outcome &O, llvm::StringRef Source,
                         const Options &Opts, llvm::json::Array Arrays = {});

/// A warning for the user, in one line.
void reportWarning(llvm::LLVMContext &Context, const llvm::Twine &Text);

/// Warns where Opts state a cap for F that O does not keep to, or for which
/// demotion could not be tried although the kernel spills under it.
void warnOfCap(const llvm::Function &F, const Outcome &O, const Options &Opts);

/// An error for the user about kernel F that stops the compilation with one
/// line.
void reportError(const llvm::Function &F, llvm::Error E);

/// The same where a check has found RegDem's own work wrong.
void reportFault(const llvm::Function &F, llvm::Error E);

/// Emits the remarks of pass "regdem" for O: `passed` for what was done,
/// `missed` for what was not, `analysis` for the figures.
void emitRemarks(const llvm::MachineFunction &MF, const Outcome &O,
                 llvm::MachineOptimizationRemarkEmitter &Emitter);

/// Whether anybody asks for more of Kernel than errors: for remarks, or for a
/// line of the report.
bool isToldOf(const llvm::Function &Kernel, const Options &O);

/// Emits the `missed` remark of a kernel that is left alone before there is
/// machine code of it.
void emitDeclined(const llvm::Function &Kernel, const Outcome &O);

/// The same for a kernel that `kernels` leaves out.
void emitNotSelected(const llvm::Function &Kernel, const Options &Opts);

/// Warns that decisions are not cached because others can write the cache.
void warnOfCache(llvm::LLVMContext &Context, const llvm::Twine &Problem);

/// What a `missed` remark says of a kernel, in the order of its texts.
enum class Missed {
  Cache,       ///< Decisions, the kernel's for one, are not kept.
  UnknownCode, ///< Builds' machine code cannot be read.
  // Its entry in the profile is not used:
  ProfileStale,           ///< The code has changed since it was measured.
  ProfileCalleeRegisters, ///< A function it calls may need more registers.
  ProfileRounding,        ///< Its build may round in another way.
  ProfileSmemSpilling,    ///< ptxas might not take the pragma.
  // Builds might suit it, and it gets none for launches:
  OpenProducts,  ///< ptxas fuses products, not in all builds alike perhaps.
  SharedStub,    ///< Of several files' kernels the program runs one.
  LinkedCallees, ///< Registers of what it calls are not known.
  Effort,        ///< They would take too long to make.
  // Of launches in host code:
  StubEscapes, ///< It is used for more, so that it is launched itself.
  FewerBuilds, ///< They do not choose among all builds that were made.
  NoDispatch,  ///< None chooses.
};

/// Emits that remark, and Why where the text does not say so, at the start of
/// At. Kernel: the name of the kernel; empty: At's.
void emitMissed(const llvm::Function &At, Missed Which,
                llvm::StringRef Why = "", llvm::StringRef Kernel = "");

/// Emits the `missed` remark of an array that stays in local memory; Text is
/// made only if somebody asks for it.
void emitLocalArray(const llvm::Function &Kernel,
                    llvm::function_ref<std::string()> Text);

/// Says on Stub, the host function of a kernel, what became of its frame.
void emitFrame(const llvm::Function &Stub, const FrameResult &Frame);

/// Emits the remark of Launch, which launches Kernel: `passed` where it chooses
/// among NumBuilds builds, `missed` where that is 0, as its blocks always have
/// Threads threads and no build is for these.
void emitLaunchSite(const llvm::CallBase &Launch, llvm::StringRef Kernel,
                    std::optional<uint64_t> Threads, unsigned NumBuilds);

/// Warns that Launch fails, as blocks of Threads threads of Kernel, each with
/// Registers registers, do not fit an SM.
void warnOfLaunch(const llvm::CallBase &Launch, llvm::StringRef Kernel,
                  uint64_t Threads, unsigned Registers, unsigned Arch);

} // namespace regdem

#endif // REGDEM_EMISSION_REMARKS_H
